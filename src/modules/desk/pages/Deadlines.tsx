import { Tag } from 'antd'
import type { ReactNode } from 'react'
import { timeOf } from '../../../platform/http/browser/clock.ts'
import { useT } from '../../../platform/i18n/i18n.ts'
import { leftText, momentText } from '../../../screens/candidate/times.ts'
import { MayLink } from '../../../screens/parts/MayLink.tsx'
import type { RunningExamData } from '../contract.ts'

/** How far ahead deadlines are shown, in hours. */
const AHEAD = 72
const HOUR = 3_600_000

/** What ends in the next three days, the nearest first. */
export function Deadlines({ of, now }: { of: readonly RunningExamData[]; now: string }): ReactNode {
  const t = useT()
  const at = timeOf(now)
  const near = of
    .flatMap(exam => exam.deadlines.map(one => ({ ...one, id: exam.id, examName: exam.examName })))
    .map(one => ({ ...one, left: timeOf(one.at) - at }))
    .filter(({ left }) => left > 0 && left <= AHEAD * HOUR)
    .sort((a, b) => a.left - b.left)
  if (near.length === 0) return <p className="home-none">{t('72 小时内没有截止事项')}</p>
  return (
    <ul className="board-deadlines">
      {near.map(one => (
        <li key={`${one.id} ${one.label}`}>
          <Tag color={one.left < 24 * HOUR ? 'error' : 'warning'}>{leftText(one.left, t)}</Tag>
          <span>
            <strong>{t(one.label)}</strong> <time>{momentText(one.at)}</time>
            <small>
              <MayLink to={`/exam/${one.id}`}>{one.examName}</MayLink>
            </small>
          </span>
        </li>
      ))}
    </ul>
  )
}
