import { Tag } from 'antd'
import type { ReactNode } from 'react'
import { PayState } from '#schemas/dictionaries/pay'
import { ExamineStatus, SignStatus } from '#schemas/dictionaries/sign-up'
import { timeOf } from '../../../platform/http/browser/clock.ts'
import { useT } from '../../../platform/i18n/i18n.ts'
import { timeLeft } from '../../../screens/fields/time-left.ts'
import { MayLink } from '../../../screens/parts/MayLink.tsx'
import { useCan } from '../../../screens/providers/rights.ts'
import type { RunningExamData } from '../contract.ts'

function Deadline({ of, now }: { of: Exclude<RunningExamData['deadline'], ''>; now: string }): ReactNode {
  const t = useT()
  const { words, soon } = timeLeft(timeOf(of.at), timeOf(now))
  return (
    <p className="home-deadline" data-soon={soon || undefined}>
      <span>{t(of.label)}</span> <time>{of.at.slice(0, 16)}</time> <em>{words}</em>
    </p>
  )
}

/** What is counted, its word, and which sign-ups it counts where the list can show just those. */
const numbers: readonly (readonly [keyof RunningExamData, string, Readonly<Record<string, number>>?])[] = [
  ['signed', '已报名', {}],
  ['today', '今日提交'],
  ['waiting', '待审核', { examine: ExamineStatus.pending }],
  ['passed', '审核通过', { examine: ExamineStatus.approved }],
  ['paid', '已缴费', { payState: PayState.paid }],
]

/** The list of those who are counted, in the workspace of the exam. */
const listAddress = (id: string, where: Readonly<Record<string, number>>): string => {
  const all = Object.entries({ signStatus: SignStatus.submitted, ...where })
  return `/exam/${id}/signups?${new URLSearchParams(all.map(([name, value]) => [name, String(value)]))}`
}

/** One exam: its phases, its nearest deadline, how many people stand where. */
export function RunningExam({ of, now }: { of: RunningExamData; now: string }): ReactNode {
  const t = useT()
  const maySign = useCan('signup')
  const known = numbers.filter(([key]) => typeof of[key] === 'number')
  return (
    <section className="home-exam">
      <h3>
        <MayLink to={`/exam/${of.id}`}>{of.examName}</MayLink>
      </h3>
      <p>
        {of.phases.map(phase => (
          <Tag key={phase} color="processing">
            {t(phase)}
          </Tag>
        ))}
      </p>
      {of.deadline && <Deadline of={of.deadline} now={now} />}
      {known.length > 0 && (
        <dl>
          {known.map(([key, title, where]) => (
            <div key={key}>
              <dt>{t(title)}</dt>
              <dd>
                <MayLink to={where && maySign ? listAddress(of.id, where) : ''}>{Number(of[key])}</MayLink>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}
