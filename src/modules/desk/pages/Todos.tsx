import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { timeOf } from '../../../platform/http/browser/clock.ts'
import { useT } from '../../../platform/i18n/i18n.ts'
import { leftText } from '../../../screens/candidate/times.ts'
import type { Todo } from '../contract.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** How long the oldest has waited, in whole days or hours; nothing below an hour. */
function useWaited(): (oldest: string, now: string) => string | undefined {
  const t = useT()
  return (oldest, now) => {
    const waited = new Date(now).getTime() - new Date(oldest).getTime()
    if (waited >= 2 * DAY) return t('最早已等 {{num}} 天', { num: Math.floor(waited / DAY) })
    return waited >= HOUR ? t('最早已等 {{num}} 小时', { num: Math.floor(waited / HOUR) }) : undefined
  }
}

/** By when a line is done, or how long its oldest has waited. */
function When({ of: { oldest, overdue, due }, now }: { of: Todo; now: string }): ReactNode {
  const t = useT()
  const waited = useWaited()
  if (overdue > 0) return <em>{t('{{num}} 条已超期', { num: overdue })}</em>
  const left = timeOf(due) - timeOf(now)
  if (left > 0) return <small>{t('期限还有 {{left}}', { left: leftText(left, t) })}</small>
  return oldest && <small>{waited(oldest, now)}</small>
}

/** What waits for this person: a number each, by when or since when, and how much of it is overdue, leading to where it is done. */
export function Todos({ of, now }: { of: readonly Todo[]; now: string }): ReactNode {
  const t = useT()
  if (of.length === 0) return <p className="home-none">{t('没有等您处理的事')}</p>
  return (
    <ul className="home-todos">
      {of.map(one => (
        <li key={one.code}>
          <Link to={one.opens}>
            <strong>{one.num}</strong>
            <span>{t(one.title)}</span>
            <When of={one} now={now} />
          </Link>
        </li>
      ))}
    </ul>
  )
}
