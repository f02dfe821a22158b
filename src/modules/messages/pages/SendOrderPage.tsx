import { Alert, Card, Descriptions, Flex, Progress, Steps, Typography } from 'antd'
import { useEffect, useEffectEvent } from 'react'
import { useParams } from 'react-router-dom'
import { sendmessage } from '#resources/messages/sendmessage'
import { SendStatus } from '#schemas/dictionaries/pay'
import { useT } from '../../../platform/i18n/i18n.ts'
import { DictText } from '../../../screens/fields/DictText.tsx'
import { yuan } from '../../../screens/fields/money.ts'
import ListScreen from '../../../screens/ListScreen.tsx'
import { NoAnswer } from '../../../screens/parts/NoAnswer.tsx'
import { useEndpoint } from '../../../screens/parts/use-endpoint.ts'
import { PageSkeleton } from '../../../screens/window/PageSkeleton.tsx'
import { useSubject } from '../../../screens/window/page-head.ts'
import { type SendInfo, sendInfo } from '../contract.ts'
import { isFree } from '../rules/send-order.ts'
import { Paying } from './Paying.tsx'
import { ReadyButton } from './ReadyButton.tsx'
import { Receivers } from './Receivers.tsx'
import { SendButton } from './SendButton.tsx'

/** Milliseconds between two looks while messages go out. */
const EVERY = 2000

/** How far a sending is: its list, its payment, its way out. */
const stepOf = (status: number): number =>
  status >= SendStatus.done
    ? 3
    : status === SendStatus.sending
      ? 2
      : status === SendStatus.queued
        ? 2
        : status === SendStatus.unpaid
          ? 1
          : 0

function Facts({ info }: { info: SendInfo }) {
  const t = useT()
  const bought = info.package ? `${info.package.packageName} · ¥ ${yuan(info.package.price)}` : '—'
  const items = [
    [t('状态'), <DictText key="status" code="send_status" value={info.sendStatus} />],
    [t('发送方式'), <DictText key="type" code="send_type" value={info.sendType} />],
    [t('人数'), info.num],
    ...(isFree(info)
      ? []
      : [
          [t('计费条数'), info.segNum],
          [t('短信余额'), info.balance],
          [t('套餐'), bought],
        ]),
    [t('定时发送'), info.planTime || '—'],
  ]
  return (
    <Card>
      <Descriptions
        size="small"
        column={{ xs: 1, sm: 2, lg: 3 }}
        items={items.map(([label, children]) => ({ key: String(label), label, children }))}
      />
      <Typography.Paragraph style={{ margin: '12px 0 0', whiteSpace: 'pre-wrap' }}>{info.preview}</Typography.Paragraph>
    </Card>
  )
}

function Outcome({ counts, num, noAccount }: SendInfo) {
  const t = useT()
  const [sent = 0, failed = 0] = [counts[2], counts[3]]
  const percent = num ? Math.floor(((sent + failed) / num) * 100) : 0
  return (
    <Flex vertical gap={4} aria-live="polite">
      <Progress percent={percent} status={failed ? 'exception' : percent === 100 ? 'success' : 'active'} />
      <span>{t('成功 {{sent}} 条，失败 {{failed}} 条', { sent, failed })}</span>
      {noAccount > 0 && <span>{t('{{n}} 人没有账号，收不到站内信', { n: noAccount })}</span>}
    </Flex>
  )
}

/** One sending from its list of receivers to what became of it. */
export default function SendOrderPage() {
  const t = useT()
  const { id = '' } = useParams()
  const info = useEndpoint(sendInfo, { id }, { enabled: id !== '' })
  useSubject(info.data?.title)
  const isRunning = info.data?.sendStatus === SendStatus.sending
  const look = useEffectEvent(() => void info.refetch())
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(look, EVERY)
    return () => clearInterval(timer)
  }, [isRunning])
  if (info.isPending) return <PageSkeleton />
  if (!info.data) return <NoAnswer error={info.error} />
  const { data } = info
  const isDraft = data.sendStatus === SendStatus.draft
  const reload = (): void => void info.refetch()
  const Next = isFree(data) ? ReadyButton : Paying
  return (
    <Flex vertical gap={16}>
      <Steps
        size="small"
        current={stepOf(data.sendStatus)}
        items={['接收名单', isFree(data) ? '确认名单' : '支付', '发送', '完成'].map(title => ({ title: t(title) }))}
      />
      <Facts info={data} />
      {data.sendStatus === SendStatus.cancelled && <Alert type="warning" showIcon title={t('该发送订单已取消')} />}
      <Flex wrap gap={8} align="center">
        {isDraft && <Receivers info={data} onDone={reload} />}
        {data.sendStatus < SendStatus.queued && Number(data.num) > 0 && <Next info={data} onDone={reload} />}
        {(data.sendStatus === SendStatus.queued ||
          (data.sendStatus === SendStatus.draft && isFree(data) && Number(data.num) > 0)) && (
          <SendButton info={data} onDone={reload} />
        )}
      </Flex>
      {data.sendStatus >= SendStatus.sending && data.sendStatus < SendStatus.cancelled && <Outcome {...data} />}
      <Card>
        <ListScreen
          key={`${data.sendStatus} ${data.num}`}
          resource={isDraft ? sendmessage : { ...sendmessage, can: ['view'] }}
          filter={{ sendId: id }}
          title="接收名单"
          embedded
        />
      </Card>
    </Flex>
  )
}
