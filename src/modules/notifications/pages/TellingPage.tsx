import { Alert, Button, Card, Flex, InputNumber, Modal, Switch, Tag, Typography } from 'antd'
import { useId, useState } from 'react'
import { Link } from 'react-router-dom'
import type { Resource } from '#engine'
import { examination } from '#resources/exams/examination'
import { useT } from '../../../platform/i18n/i18n.ts'
import { useMay } from '../../../screens/may.ts'
import { NoAnswer } from '../../../screens/parts/NoAnswer.tsx'
import { StackedTable } from '../../../screens/parts/StackedTable.tsx'
import { useEndpoint, useSend } from '../../../screens/parts/use-endpoint.ts'
import { useKeptValues } from '../../../screens/use-kept-values.ts'
import { PageSkeleton } from '../../../screens/window/PageSkeleton.tsx'
import { ChooseExam, ExamPicker, useExam } from '../../exams/pages/parts/ExamPicker.tsx'
import { chooseEvent, type EventChoices, eventChoices, limitTexts } from '../contract.ts'
import { PresetSwitch } from './PresetSwitch.tsx'
import { Previews, WordsDialog } from './WordsDialog.tsx'

type Choice = EventChoices['events'][number]

/** What each channel is called, and where an event says whether it is used. */
const channels = {
  sms: { title: '短信', isOn: 'isOn' },
  mail: { title: '邮件', isOn: 'isMailOn' },
  wechat: { title: '微信', isOn: 'isWechatOn' },
} as const

type Channel = keyof typeof channels

/** Whether an event goes out by a channel; what must be told cannot be switched off. */
function Choose({
  of,
  channel,
  examId,
  may,
}: {
  of: Choice
  channel: Channel
  examId: string | undefined
  may: boolean
}) {
  const t = useT()
  const save = useSend(chooseEvent, { stale: [eventChoices] })
  const preset = of[channel]
  if (preset === 'none') {
    const isInbox = (Object.keys(channels) as Channel[]).every(one => of[one] === 'none')
    return <Typography.Text type="secondary">{t(isInbox ? '仅站内' : '不发')}</Typography.Text>
  }
  if (preset === 'must') return <Tag color="blue">{t('必发')}</Tag>
  const change = (isOn: boolean): void => save.mutate({ ...(examId && { examId }), code: of.code, channel, isOn })
  return (
    <Switch
      size="small"
      checked={of[channels[channel].isOn]}
      loading={save.isPending}
      disabled={!may}
      aria-label={`${t(of.label)} ${t(channels[channel].title)}`}
      onChange={change}
    />
  )
}

/** An event as people get it. */
function Preview({ of, examId, onClose }: { of: Choice; examId: string | undefined; onClose: () => void }) {
  const t = useT()
  return (
    <Modal open title={t('预览：{{event}}', { event: t(of.label) })} footer={null} onCancel={onClose}>
      <Previews examId={examId} code={of.code} />
    </Modal>
  )
}

/** What the exam would cost if each of so many people heard of everything once. */
function Forecast({ of }: { of: EventChoices }) {
  const t = useT()
  const id = useId()
  const [people, setPeople] = useState(of.people || of.planned)
  const texts = people * of.events.reduce((sum, one) => sum + (one.isOn && one.hasTemplate ? one.segments : 0), 0)
  const byMail = of.hasMail ? people * of.events.filter(one => one.isMailOn).length : 0
  const byWechat = people * of.events.filter(one => one.isWechatOn && one.hasWechat).length
  const yuan = ((texts * of.unitFen) / 100).toFixed(2)
  const counts = { texts, yuan, mails: byMail, wechats: byWechat, balance: of.balance }
  return (
    <Flex vertical gap={8}>
      <Flex wrap gap={8} align="center">
        <label htmlFor={id}>{t('按多少名考生估算')}</label>
        <InputNumber
          id={id}
          min={0}
          max={9_999_999}
          precision={0}
          value={people}
          onChange={next => setPeople(next ?? 0)}
        />
        <Typography.Text type="secondary">
          {t('已提交报名 {{people}} 人，按计划和开考比例至少 {{planned}} 人', {
            people: of.people,
            planned: of.planned,
          })}
        </Typography.Text>
      </Flex>
      <Alert
        type={texts > of.balance ? 'warning' : 'info'}
        title={t(
          '每件事每人一次，最多：短信 {{texts}} 条，约 {{yuan}} 元；邮件 {{mails}} 封；微信 {{wechats}} 条。短信余额 {{balance}} 条。',
          counts,
        )}
      />
    </Flex>
  )
}

/** How many text messages the exam may have in all, how many it has had, and how many wait for more. */
function Limit({ of: { most, used, held }, examId, may }: { of: EventChoices['limit']; examId: string; may: boolean }) {
  const t = useT()
  const id = useId()
  const save = useSend(limitTexts, { stale: [eventChoices] })
  const kept = most === '' ? null : most
  const { values, put, draft } = useKeptValues<{ most: number | null }>(
    { most: kept },
    { form: 'telling/limit', rowId: examId },
  )
  const typed = values.most ?? null
  const send = () => save.mutate({ examId, ...(typed !== null && { most: typed }) }, { onSuccess: () => draft.saved() })
  return (
    <Flex vertical gap={8}>
      {draft.bar}
      <Flex wrap gap={8} align="center">
        <label htmlFor={id}>{t('短信条数上限')}</label>
        <InputNumber
          id={id}
          min={0}
          max={9_999_999}
          precision={0}
          value={typed}
          placeholder={t('不限')}
          disabled={!may}
          onChange={next => put({ most: next })}
        />
        {may && (
          <Button disabled={typed === kept} loading={save.isPending} onClick={send}>
            {t('保存')}
          </Button>
        )}
        <Typography.Text type="secondary">
          {t('本考试已用 {{used}} 条；提醒最多用到八成，其余留给必发的短信', { used })}
        </Typography.Text>
      </Flex>
      {held > 0 && (
        <Alert
          type="warning"
          showIcon
          title={t('{{n}} 条短信因达到上限暂缓发送，提高上限后继续。', { n: held })}
          action={<Link to="/send/message?msgStatus=5">{t('查看')}</Link>}
        />
      )}
    </Flex>
  )
}

function Choices({ of, examId }: { of: EventChoices; examId: string | undefined }) {
  const t = useT()
  const may = useMay(examination as Resource)('edit') && !of.isArchived
  const [shown, setShown] = useState<Choice>()
  const [wording, setWording] = useState<Choice>()
  const missing = of.events.filter(one => one.isOn && !one.hasTemplate)
  return (
    <Flex vertical gap={12}>
      <Typography.Text type="secondary">{t('每件事都进考生的站内消息。')}</Typography.Text>
      {!examId && (
        <Typography.Text type="secondary">
          {t('这里的设置用于所有没有自己设置的考试，以及与考试无关的事。')}
        </Typography.Text>
      )}
      {of.isArchived && <Alert type="info" title={t('考试已归档，只能查看')} />}
      {examId && <Forecast of={of} />}
      {examId && <Limit key={`${of.limit.most}`} of={of.limit} examId={examId} may={may} />}
      {missing.length > 0 && (
        <Alert
          type="warning"
          showIcon
          message={t('{{n}} 件要发短信的事还没有模板，只进站内消息。', { n: missing.length })}
          action={<Link to="/resource/sms">{t('短信配置')}</Link>}
        />
      )}
      {!of.hasMail && (
        <Alert
          type="info"
          showIcon
          message={t('还没有启用邮箱，邮件不会发出。')}
          action={<Link to="/resource/mail">{t('邮箱配置')}</Link>}
        />
      )}
      {!of.hasWechat && (
        <Alert
          type="info"
          showIcon
          message={t('还没有启用公众号，微信消息不会发出。')}
          action={<Link to="/resource/wechat">{t('公众号配置')}</Link>}
        />
      )}
      {shown && <Preview of={shown} examId={examId} onClose={() => setShown(undefined)} />}
      {wording && <WordsDialog of={wording} examId={examId} close={() => setWording(undefined)} />}
      <StackedTable<Choice>
        rowKey="code"
        rows={of.events}
        width={930}
        columns={[
          { title: t('事件'), dataIndex: 'label', width: 160, render: (label: string) => t(label) },
          {
            title: t('内容'),
            render: (_, one) => (
              <Flex vertical align="flex-start" gap={4}>
                <span>{one.text}</span>
                <Flex align="center" gap={4} wrap>
                  {one.isWorded && <Tag color="gold">{t('已修改')}</Tag>}
                  {one.wordedTime && (
                    <Typography.Text type="secondary">
                      {t('{{name}} 于 {{time}} 修改', { name: one.wordedUser, time: one.wordedTime })}
                    </Typography.Text>
                  )}
                  <Button type="link" size="small" onClick={() => setShown(one)}>
                    {t('预览')}
                  </Button>
                  {may && (
                    <Button type="link" size="small" onClick={() => setWording(one)}>
                      {t('修改文字')}
                    </Button>
                  )}
                </Flex>
              </Flex>
            ),
          },
          {
            title: t('短信'),
            width: 96,
            render: (_, one) => <Choose of={one} channel="sms" examId={examId} may={may} />,
          },
          {
            title: t('短信模板'),
            width: 220,
            render: (_, one) => {
              if (!one.isOn) return null
              return one.hasTemplate ? t('已配置') : <code>{one.code}</code>
            },
          },
          {
            title: t('邮件'),
            width: 96,
            render: (_, one) => <Choose of={one} channel="mail" examId={examId} may={may} />,
          },
          {
            title: t('微信'),
            width: 130,
            render: (_, one) => (
              <Flex align="center" gap={4}>
                <Choose of={one} channel="wechat" examId={examId} may={may} />
                {of.hasWechat && one.isWechatOn && !one.hasWechat && (
                  <Typography.Text type="warning">{t('无模板')}</Typography.Text>
                )}
              </Flex>
            ),
          },
        ]}
      />
    </Flex>
  )
}

/** What candidates of an exam are told, in which words and by which ways, and what holds in all exams. */
export default function TellingPage() {
  const chosen = useExam()
  const { examId } = chosen
  const [isPreset, setPreset] = useState(false)
  const place = isPreset ? undefined : examId || undefined
  const isAsked = isPreset || examId !== ''
  const choices = useEndpoint(eventChoices, place === undefined ? {} : { examId: place }, { enabled: isAsked })
  return (
    <Card>
      <Flex vertical gap={16}>
        <ExamPicker chosen={chosen}>
          {(isPreset || choices.data?.mayPreset) && <PresetSwitch isPreset={isPreset} onChange={setPreset} />}
        </ExamPicker>
        {!isAsked && <ChooseExam chosen={chosen} />}
        {isAsked && choices.isPending && <PageSkeleton />}
        {choices.error && <NoAnswer error={choices.error} />}
        {choices.data && <Choices key={place ?? ''} of={choices.data} examId={place} />}
      </Flex>
    </Card>
  )
}
