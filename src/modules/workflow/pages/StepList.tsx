import type { ReactNode } from 'react'
import { useT } from '../../../platform/i18n/i18n.ts'
import type { Step } from '../contract.ts'
import { type FlowStep, stateOf, taken } from './steps.ts'
import './flow.css'

/** Where a step stands, in words. */
export const words = { done: '已完成', now: '进行中', ahead: '未到达' } as const satisfies Record<
  FlowStep['state'],
  string
>

/** What became of a step: the decision where there was one. An end says so itself. */
function wordOf(one: Step): string {
  if (one.historyActivityType === 'endEvent') return ''
  if (one.pass === true) return '已同意'
  if (one.pass === false) return '已驳回'
  return words[stateOf(one)]
}

function StepLine({ of }: { of: Step }): ReactNode {
  const t = useT()
  const state = stateOf(of)
  const isWaiting = state === 'now' && !of.assigneeName
  return (
    <li>
      <span className="flow-sign" data-state={state} data-refused={of.pass === false || undefined} aria-hidden />
      <div>
        <p>
          <strong>{t(of.historyActivityName || of.historyActivityId)}</strong>{' '}
          <span className="flow-word" data-refused={of.pass === false || undefined}>
            {wordOf(of) && t(wordOf(of))}
          </span>
        </p>
        <p className="flow-by">
          {[isWaiting ? t('等待签收') : of.assigneeName, of.endTime || of.createTime].filter(Boolean).join(' · ')}
        </p>
        {of.comment && <p className="flow-comment">{of.comment}</p>}
      </div>
    </li>
  )
}

/** The way a process has taken, in words: who did what, when, and what was said. */
export function StepList({ of }: { of: readonly Step[] }): ReactNode {
  return (
    <ol className="flow-steps">
      {taken(of).map(one => (
        // A step that was sent back stands there twice.
        <StepLine key={`${one.historyActivityId} ${one.createTime} ${one.endTime}`} of={one} />
      ))}
    </ol>
  )
}
