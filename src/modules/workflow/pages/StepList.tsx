import type { ReactNode } from 'react'
import { FlowTaskState } from '#schemas/dictionaries/platform'
import { useT } from '../../../platform/i18n/i18n.ts'
import { DictText } from '../../../screens/fields/DictText.tsx'
import type { Step } from '../contract.ts'
import { type FlowStep, stateOf, taken } from './steps.ts'
import './flow.css'

/** Where a step stands, in words. */
export const words = { done: '已完成', now: '进行中', ahead: '未到达' } as const satisfies Record<
  FlowStep['state'],
  string
>

/** Tasks that ended without a decision. */
const undecided: readonly unknown[] = [FlowTaskState.returned, FlowTaskState.withdrawn, FlowTaskState.cancelled]

/** True for a step that somebody has refused or sent back. */
const isRefused = ({ pass, taskState }: Step): boolean => pass === false || taskState === FlowTaskState.returned

/** What became of a step: the decision where there was one. An end says so itself. */
function wordOf(one: Step): string {
  if (one.historyActivityType === 'endEvent') return ''
  if (one.pass === true) return '已同意'
  if (one.pass === false) return '已驳回'
  return words[stateOf(one)]
}

/** What people have done with a task besides deciding. */
const acts: Readonly<Record<string, string>> = {
  claim: '签收',
  unclaim: '取消签收',
  complete: '办理',
  back: '退回',
  transfer: '转办',
  delegate: '委派',
  resolve: '完成委派',
  'sign-add': '加签',
  'sign-remove': '减签',
  withdraw: '撤回',
  urge: '催办',
  cancel: '撤销流程',
}

function Acts({ of, said }: { of: NonNullable<Step['acts']>; said: string | null | undefined }): ReactNode {
  const t = useT()
  return (
    <ul className="flow-acts-done">
      {of.map(({ act, fromUserName, toUserName, comment, time }) => (
        <li key={`${act} ${time} ${toUserName}`}>
          {[
            [fromUserName, t(acts[act] ?? act), toUserName].filter(Boolean).join(' '),
            comment !== said && comment,
            time,
          ]
            .filter(Boolean)
            .join(' · ')}
        </li>
      ))}
    </ul>
  )
}

function StepLine({ of }: { of: Step }): ReactNode {
  const t = useT()
  const state = stateOf(of)
  const isTask = of.historyActivityType === 'userTask'
  const isWaiting = isTask && state === 'now' && !of.assigneeName
  // The decision itself is said above.
  const others = (of.acts ?? []).filter(one => !(one.act === 'complete' && one.fromUserName === of.assigneeName))
  return (
    <li>
      <span className="flow-sign" data-state={state} data-refused={isRefused(of) || undefined} aria-hidden />
      <div>
        <p>
          <strong>{t(of.historyActivityName || of.historyActivityId)}</strong>{' '}
          <span className="flow-word" data-refused={isRefused(of) || undefined}>
            {undecided.includes(of.taskState) ? (
              <DictText code="flow_task_state" value={of.taskState} />
            ) : (
              wordOf(of) && t(wordOf(of))
            )}
          </span>
        </p>
        <p className="flow-by">
          {[isWaiting ? t('等待签收') : of.assigneeName, of.endTime || of.createTime].filter(Boolean).join(' · ')}
        </p>
        {of.comment && <p className="flow-comment">{of.comment}</p>}
        {others.length > 0 && <Acts of={others} said={of.comment} />}
      </div>
    </li>
  )
}

/** The way a process has taken, in words: who did what, when, and what was said. */
export function StepList({ of }: { of: readonly Step[] }): ReactNode {
  return (
    <ol className="flow-steps">
      {taken(of).map((one, at) => (
        // A step that was sent back, or that several people do, stands there more than once. None changes its place.
        // biome-ignore lint/suspicious/noArrayIndexKey: steps are only added
        <StepLine key={at} of={one} />
      ))}
    </ol>
  )
}
