import { Card, Flex, Segmented, Statistic, Typography } from 'antd'
import { useId } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useT } from '../../../platform/i18n/i18n.ts'
import { RangeInput } from '../../../screens/fields/DateInputs.tsx'
import { yuan } from '../../../screens/fields/money.ts'
import { grouped } from '../../../screens/fields/number.ts'
import { MayLink } from '../../../screens/parts/MayLink.tsx'
import { NoAnswer } from '../../../screens/parts/NoAnswer.tsx'
import { Nothing } from '../../../screens/parts/Nothing.tsx'
import { StackedTable } from '../../../screens/parts/StackedTable.tsx'
import { useEndpoint } from '../../../screens/parts/use-endpoint.ts'
import { PageSkeleton } from '../../../screens/window/PageSkeleton.tsx'
import { type CostBy, type TextCosts, textCosts } from '../contract.ts'

type Line = TextCosts['lines'][number]

/** What a line is called, by what it is counted by, and where nothing has that. */
const groupings: Readonly<Record<CostBy, { title: string; head: string; none: string }>> = {
  day: { title: '按日期', head: '日期', none: '' },
  exam: { title: '按考试', head: '考试', none: '与考试无关' },
  event: { title: '按事件', head: '事件', none: '其他' },
}

const kinds = Object.keys(groupings) as CostBy[]

/** The days and the grouping that stand in the address. */
function useAsked() {
  const [params, setParams] = useSearchParams()
  const [from, to] = [params.get('from'), params.get('to')]
  const change = (values: Readonly<Record<string, string | undefined>>): void =>
    setParams(now => {
      const next = new URLSearchParams(now)
      for (const [name, value] of Object.entries(values)) {
        if (value) next.set(name, value)
        else next.delete(name)
      }
      return next
    })
  return {
    by: kinds.find(one => one === params.get('by')) ?? 'day',
    span: { ...(from && { from }), ...(to && { to }) },
    change,
  }
}

/** The list of the messages of a line; none for what no filter of the list finds. */
function listOf(by: CostBy, { key, title }: Line, { from, to }: Pick<TextCosts, 'from' | 'to'>): string {
  const days = (first: string, last: string) => ({
    sendTime_dategt: `${first} 00:00:00`,
    sendTime_datelt: `${last} 23:59:59`,
  })
  const filters = {
    day: days(key, key),
    exam: key && { 'send.examId': key, ...days(from, to) },
    event: title && { 'send.title': title, ...days(from, to) },
  }[by]
  return filters && `/send/message?${new URLSearchParams(filters)}`
}

function Costs({ of, by }: { of: TextCosts; by: CostBy }) {
  const t = useT()
  const { head, none } = groupings[by]
  const named = ({ key, name }: Line) => {
    if (!key) return t(none)
    return by === 'day' ? key : by === 'event' ? t(name) : name || key
  }
  return (
    <>
      <Flex wrap gap="16px 40px">
        <Statistic title={t('短信数')} value={of.total.texts} />
        <Statistic title={t('计费条数')} value={of.total.segments} />
        <Statistic title={t('金额合计')} value={yuan(of.total.amount)} prefix="¥" />
      </Flex>
      <Typography.Text type="secondary">
        {t('服务商已受理的短信按现在的单价每条 {{yuan}} 元计算。', { yuan: yuan(of.unitFen) })}
      </Typography.Text>
      {of.lines.length === 0 ? (
        <Nothing picture="coin" text={t('这些天没有计费的短信')} />
      ) : (
        <StackedTable<Line>
          rowKey="key"
          rows={of.lines}
          width={560}
          columns={[
            { title: t(head), key: 'name', render: (_, line) => named(line) },
            {
              title: t('短信数'),
              dataIndex: 'texts',
              width: 120,
              align: 'right',
              render: (texts: number, line) => <MayLink to={listOf(by, line, of)}>{grouped(texts)}</MayLink>,
            },
            { title: t('计费条数'), dataIndex: 'segments', width: 150, align: 'right', render: grouped },
            { title: t('金额（元）'), dataIndex: 'amount', width: 140, align: 'right', render: yuan },
          ]}
        />
      )}
    </>
  )
}

/** What text messages have cost on some days, by day, by exam or by event. */
export default function CostPage() {
  const t = useT()
  const { by, span, change } = useAsked()
  const { data, error, isPending, refetch } = useEndpoint(textCosts, { by, ...span })
  const { from, to } = data ?? span
  const id = useId()
  return (
    <Card>
      <Flex vertical gap={16}>
        <Flex wrap align="center" gap="12px 16px">
          <Flex align="center" gap={8}>
            <label htmlFor={id} style={{ whiteSpace: 'nowrap' }}>
              {t('日期')}
            </label>
            <RangeInput id={id} value={[from, to]} onChange={next => change({ from: next?.[0], to: next?.[1] })} />
          </Flex>
          <Segmented<CostBy>
            aria-label={t('统计方式')}
            value={by}
            onChange={next => change({ by: next })}
            options={kinds.map(value => ({ value, label: t(groupings[value].title) }))}
          />
        </Flex>
        {isPending && <PageSkeleton />}
        {error && <NoAnswer error={error} onRetry={() => void refetch()} />}
        {data && <Costs of={data} by={by} />}
      </Flex>
    </Card>
  )
}
