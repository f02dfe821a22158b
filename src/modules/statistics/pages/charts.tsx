import { type CSSProperties, type ReactNode, useMemo } from 'react'
import { useT } from '../../../platform/i18n/i18n.ts'
import './charts.css'
import { Nothing } from '../../../screens/parts/Nothing.tsx'
import type { LinePoint } from '../contract.ts'
import type { Series } from './parts/figures.ts'

/** A round and even number at or above a value, to which a scale goes. */
function roundTop(value: number): number {
  if (value <= 4) return 4
  const power = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 3, 4, 6, 8, 10].map(step => step * power).find(top => top >= value) ?? value
}

/** The numbers of a picture as a table, unfolded by whoever wants or needs them. */
function Behind({ heads, rows }: { heads: readonly string[]; rows: readonly (readonly (string | number)[])[] }) {
  const t = useT()
  return (
    <details>
      <summary>{t('数据表')}</summary>
      <table className="chart-table">
        <thead>
          <tr>
            {heads.map(head => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...rest]) => (
            <tr key={first}>
              <th scope="row">{first}</th>
              {rest.map((value, i) => (
                <td key={heads[i + 1]}>{value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <figure className="chart" aria-label={label}>
      {children}
    </figure>
  )
}

/** A word with its number and its part of the whole. */
export interface Share {
  word: string
  num: number
  /** What is said behind the number. */
  more?: string
}

/** Too few numbers for a picture, each with what it is compared with. */
function Numbers({ of }: { of: readonly Share[] }) {
  return (
    <dl className="chart-numbers">
      {of.map(one => (
        <div key={one.word}>
          <dt>{one.word}</dt>
          <dd>
            <strong>{one.num}</strong> {one.more && <span>{one.more}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Fewer moments than this are no line. */
const fewest = 3

/** Several numbers per word as columns side by side; of a single word as numbers, each with its part of the first. */
export function GroupedBars({ label, words, series }: { label: string; words: readonly string[]; series: Series[] }) {
  const t = useT()
  const [only, second] = words
  if (only !== undefined && second === undefined) {
    const [base = 0, ...rest] = series.map(one => one.values[0] ?? 0)
    const part = (num: number) => (base > 0 ? `${Math.round((num / base) * 100)}%` : undefined)
    const of = [base, ...rest].map((num, at): Share => {
      const more = at > 0 ? part(num) : undefined
      return { word: t(series[at]?.name ?? ''), num, ...(more && { more }) }
    })
    return (
      <Figure label={label}>
        <figcaption>{only}</figcaption>
        <Numbers of={of} />
      </Figure>
    )
  }
  const top = roundTop(Math.max(0, ...series.flatMap(one => one.values)))
  return (
    <Figure label={label}>
      <ul className="chart-keys">
        {series.map(one => (
          <li key={one.name} style={{ '--key': one.colour } as CSSProperties}>
            {t(one.name)}
          </li>
        ))}
      </ul>
      <div className="chart-bars" aria-hidden>
        {words.map((word, at) => (
          <div className="chart-group" key={word}>
            <div className="chart-columns">
              {series.map(one => (
                <div
                  key={one.name}
                  className="chart-bar"
                  title={`${t(one.name)} ${one.values[at]}`}
                  style={{ height: `${((one.values[at] ?? 0) / top) * 88}%`, background: one.colour }}
                >
                  <span>{one.values[at]}</span>
                </div>
              ))}
            </div>
            <div className="chart-word" title={word}>
              {word}
            </div>
          </div>
        ))}
      </div>
      <Behind
        heads={[label, ...series.map(one => t(one.name))]}
        rows={words.map((word, at) => [word, ...series.map(one => one.values[at] ?? 0)])}
      />
    </Figure>
  )
}

/** The line of a series of points in a box of 100 × 100, from the left to the right edge. */
function pathOf(values: readonly number[], top: number): string {
  const step = 100 / (values.length - 1)
  return `M${values.map((value, i) => `${(i * step).toFixed(2)},${(100 - (value / top) * 100).toFixed(2)}`).join(' L')}`
}

/** Numbers over time; `which` is those of each step, or all so far. Of few moments the numbers themselves. */
export function TimeLine({
  label,
  points,
  which,
}: {
  label: string
  points: readonly LinePoint[]
  which: 'num' | 'total'
}) {
  const t = useT()
  const values = useMemo(() => points.map(one => one[which]), [points, which])
  if (points.length === 0) return <Nothing small text={t('还没有人提交报名')} />
  if (points.length < fewest)
    return (
      <Figure label={label}>
        <Numbers of={points.map(one => ({ word: one.time, num: one.num, more: t('累计 {{n}}', { n: one.total }) }))} />
      </Figure>
    )
  const top = roundTop(Math.max(0, ...values))
  const path = pathOf(values, top)
  const width = 100 / Math.max(1, values.length)
  return (
    <Figure label={label}>
      <div className="chart-line" aria-hidden>
        <div className="chart-scale">
          <span>{top}</span>
          <span>{top / 2}</span>
          <span>0</span>
        </div>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none">
          <title>{label}</title>
          <path d={`${path} V100 H0 Z`} fill="var(--jx-primary)" opacity={0.12} />
          <path d={path} fill="none" stroke="var(--jx-primary)" strokeWidth={2} vectorEffect="non-scaling-stroke" />
          {points.map((one, i) => (
            <rect key={one.time} x={i * width} y={0} width={width} height={100} fill="transparent">
              <title>{`${one.time} ${one[which]}`}</title>
            </rect>
          ))}
        </svg>
        <div className="chart-ends">
          <span>{points[0]?.time}</span>
          <span>{points.at(-1)?.time}</span>
        </div>
      </div>
      <Behind heads={[t('时间'), t('报名人数'), t('累计')]} rows={points.map(one => [one.time, one.num, one.total])} />
    </Figure>
  )
}

const colours = ['var(--jx-primary)', 'var(--jx-good)', 'var(--jx-warn)', 'var(--jx-bad)', 'var(--jx-ink-3)']

/** Parts of a whole, one line each. The words and numbers say everything the lines show. */
export function Shares({ label, of }: { label: string; of: readonly Share[] }) {
  const whole = of.reduce((sum, one) => sum + one.num, 0)
  return (
    <Figure label={label}>
      <dl className="chart-shares">
        {of.map((one, i) => (
          <div key={one.word}>
            <dt>{one.word}</dt>
            <dd className="chart-track" aria-hidden>
              <i
                style={{ width: `${whole ? (one.num / whole) * 100 : 0}%`, background: colours[i % colours.length] }}
              />
            </dd>
            <dd>
              <strong>{one.num}</strong> {one.more && <span>{one.more}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </Figure>
  )
}
