import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { useT } from '../../platform/i18n/i18n.ts'
import type { PlaceAnswer } from './answer.ts'
import { figureAddress } from './figure-address.ts'
import type { OpenPage } from './open-pages.ts'
import { type Place, placeAddress } from './place.ts'
import { dayByDay } from './trend.ts'
import './beside.css'

const DAY = 86_400_000
/** Fewer days than this are no line. */
const FEWEST = 3
/** Pixels of a day at most. */
const DAY_WIDTH = 16

interface Props {
  place: Place
  trend: PlaceAnswer['trend']
  pages: readonly OpenPage[]
}

/** How many rows there are, how many came on each day, and how many today; below it what has become of them. */
export function TrendPanel({ place, trend, pages }: Props): ReactNode {
  const t = useT()
  const said = place.workspace.trend
  if (!trend || !said) return null
  const days = dayByDay(trend.days)
  const top = Math.max(1, ...days.map(one => one.count))
  const today = trend.days.find(one => one.day === trend.today)?.count ?? 0
  const numbers = said.numbers.flatMap(figure => {
    const found = trend.numbers.find(({ title }) => title === figure.title)
    return found && pages.some(({ page }) => page.name === figure.page) ? [[figure, found.count] as const] : []
  })
  const isOld = Date.parse(trend.today) - Date.parse(days.at(-1)?.day ?? '') > FEWEST * DAY
  return (
    <section className="place-panel place-trend">
      <h2>{t(said.title)}</h2>
      <Link className="place-sum" to={placeAddress(place, said.page)} aria-label={`${t(said.title)} ${trend.count}`}>
        {trend.count}
      </Link>
      {days.length >= FEWEST && (
        <svg
          className="place-spark"
          viewBox={`0 0 ${days.length * 4} 32`}
          preserveAspectRatio="none"
          aria-hidden
          style={{ maxWidth: days.length * DAY_WIDTH }}
        >
          {days.map(({ day, count }, at) => {
            const height = count === 0 ? 1 : Math.max(2, (count / top) * 32)
            return (
              <rect key={day} x={at * 4} y={32 - height} width={3} height={height}>
                <title>{`${day} ${count}`}</title>
              </rect>
            )
          })}
        </svg>
      )}
      {(today > 0 || !isOld) && trend.count > 0 && (
        <span className="place-today">{t('今日 +{{n}}', { n: today })}</span>
      )}
      {numbers.length > 0 && (
        <ul className="place-numbers">
          {numbers.map(([figure, count]) => (
            <li key={figure.title}>
              <Link to={figureAddress(place, figure)}>
                {t(figure.title)} <b>{count}</b>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
