import { Alert, Card, Flex, Statistic, Steps } from 'antd'
import { Link } from 'react-router-dom'
import { ReduceDecision } from '#schemas/dictionaries/sign-up'
import { useT } from '../../../platform/i18n/i18n.ts'
import { useDictionary } from '../../../screens/fields/dictionary.ts'
import type { Reduction } from '../contract.ts'

/** Names listed of those whose review is not finished. */
const LISTED = 10

const stepOf = ({ computed, confirmTime, positions }: Reduction): number => {
  if (confirmTime) return 3
  if (!computed) return 0
  return positions.some(line => line.decision === ReduceDecision.pending) ? 1 : 2
}

/** What stands in the way of computing. */
function Waiting({ plan: { block, pending, confirmTime, computed } }: { plan: Reduction }) {
  const t = useT()
  if (confirmTime) return null
  if (block)
    return (
      <Alert
        type="warning"
        showIcon
        title={block}
        description={computed ? undefined : t('以下是按现在的人数预计的结果。')}
      />
    )
  if (pending.num === 0) return null
  const names = pending.list.slice(0, LISTED).map(one => `${one.signNo} ${one.name}`)
  return (
    <Alert
      type="warning"
      showIcon
      title={t('还有 {{n}} 人审核没有完成', { n: pending.num })}
      description={`${names.join('、')}${pending.num > LISTED ? '…' : ''}`}
    />
  )
}

/** How many people stand where after the plan was confirmed. */
function Names({ plan: { names, exam } }: { plan: Reduction }) {
  const t = useT()
  const { word } = useDictionary('reduce_state')
  if (names.length === 0) return null
  return (
    <Flex wrap gap={32} align="end">
      {names.map(one => (
        <Statistic key={one.nameState} title={word(String(one.nameState))} value={one.num} />
      ))}
      <Link to={`/reduction/name?examId=${exam.examId}`}>{t('核减名单')}</Link>
    </Flex>
  )
}

/** How far the reduction of an exam is, and its figures. */
export function PlanFacts({ plan }: { plan: Reduction }) {
  const t = useT()
  const { word } = useDictionary('reduce_base')
  const { exam, positions } = plan
  const short = positions.filter(line => line.proposal.decision !== ReduceDecision.keep).length
  return (
    <Flex vertical gap={16}>
      <Steps
        size="small"
        current={stepOf(plan)}
        items={['计算有效人数', '逐个岗位处理', '第二人确认', '考生改报'].map(title => ({ title: t(title) }))}
      />
      <Card>
        <Flex wrap gap={32}>
          <Statistic title={t('核减依据')} value={word(String(exam.reduceBase))} />
          <Statistic title={t('岗位')} value={positions.length} />
          <Statistic title={t('未达比例')} value={short} />
          <Statistic title={t('须改报人数')} value={plan.affected} />
          <Statistic
            title={t('改报时间')}
            value={exam.allowAdjust ? `${exam.reduceStartTime || '—'} ~ ${exam.reduceEndTime || '—'}` : t('不允许改报')}
            styles={{ content: { fontSize: 16, lineHeight: '32px' } }}
          />
        </Flex>
      </Card>
      <Names plan={plan} />
      <Waiting plan={plan} />
      {plan.confirmTime && (
        <Alert type="success" showIcon title={t('已于 {{time}} 确认，不能更改', { time: plan.confirmTime })} />
      )}
    </Flex>
  )
}
