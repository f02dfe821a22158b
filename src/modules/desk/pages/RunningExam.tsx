import { Tag } from 'antd'
import type { ReactNode } from 'react'
import { timeOf } from '../../../platform/http/browser/clock.ts'
import { useT } from '../../../platform/i18n/i18n.ts'
import { timeLeft } from '../../../screens/fields/time-left.ts'
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

const numbers: readonly (readonly [keyof RunningExamData, string])[] = [
  ['signed', '已报名'],
  ['today', '今日提交'],
  ['waiting', '待审核'],
  ['passed', '审核通过'],
  ['paid', '已缴费'],
]

/** One exam: its phases, its nearest deadline, how many people stand where. */
export function RunningExam({ of, now }: { of: RunningExamData; now: string }): ReactNode {
  const t = useT()
  const known = numbers.filter(([key]) => typeof of[key] === 'number')
  return (
    <section className="home-exam">
      <h3>{of.examName}</h3>
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
          {known.map(([key, title]) => (
            <div key={key}>
              <dt>{t(title)}</dt>
              <dd>{Number(of[key])}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}
