import { CheckCircleFilled, ExclamationCircleFilled } from '@ant-design/icons'
import { Button } from 'antd'
import { type ReactNode, Suspense } from 'react'
import { Link } from 'react-router-dom'
import { columnField, type Resource } from '#engine'
import { serverNow, timeOf } from '../../platform/http/browser/clock.ts'
import { useT } from '../../platform/i18n/i18n.ts'
import { actionsAt, applies } from '../actions.ts'
import { columnTitle } from '../columns.tsx'
import { Cell } from '../fields/cells.tsx'
import { useMay } from '../may.ts'
import type { PageRoute } from '../parts/route.ts'
import { useActions } from '../use-actions.tsx'
import { PageSkeleton } from '../window/PageSkeleton.tsx'
import type { CheckLine, Checks, PlaceAnswer } from './answer.ts'
import { DeadlinePanel } from './DeadlinePanel.tsx'
import { figureAddress } from './figure-address.ts'
import { longDay } from './long-day.ts'
import { mendAddress } from './mending.ts'
import type { OpenPage } from './open-pages.ts'
import type { Place } from './place.ts'
import { Recent } from './Recent.tsx'
import { TrendPanel } from './TrendPanel.tsx'

interface Props {
  place: Place
  resource: Resource
  pages: readonly OpenPage[]
  answer: PlaceAnswer
  checks: Checks
  reload: () => void
  /** Pages made by hand, and what draws them. */
  made: readonly PageRoute[]
  draw: (page: PageRoute) => ReactNode
}

interface MissingProps {
  line: CheckLine
  /** What stands before it. */
  mark: ReactNode
  to: string | undefined
}

/** One thing that is missing: the whole line leads to where it is mended. */
function Missing({ line, mark, to }: MissingProps): ReactNode {
  const t = useT()
  const words = (
    <>
      {mark}
      <strong>{t(line.label)}</strong>
      <span>{line.msg && t(line.msg)}</span>
      {to && <em>{t(line.advice ? '查看' : '去完善')}</em>}
    </>
  )
  return <li>{to ? <Link to={to}>{words}</Link> : <p>{words}</p>}</li>
}

/** What the question before the next step tells of the row. */
function Told({
  names,
  resource,
  row,
}: {
  names: readonly string[]
  resource: Resource
  row: PlaceAnswer['row']
}): ReactNode {
  return (
    <dl className="place-told">
      {names.map(name => (
        <div key={name}>
          <dt>{columnTitle(resource, name)}</dt>
          <dd>
            <Cell field={columnField(resource, name)!} name={name} row={row} where="detail" />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** What the row needs before its next step, and that step. */
function Needed({ place, resource, pages, answer, checks, reload }: Props): ReactNode {
  const t = useT()
  const may = useMay(resource)
  const actions = useActions(resource, reload)
  const { shown, missing, advice, done } = checks
  const { then = '', tell = [] } = place.workspace.checks ?? {}
  const next = actionsAt(resource, 'row').find(one => one.name === then)
  const isNext = shown === 'all' && next && may(then) && applies(next, answer.row)
  const lines = (some: readonly CheckLine[], mark: ReactNode) =>
    some.map(line => (
      <Missing
        key={`${line.key} ${line.row} ${line.label}`}
        line={line}
        mark={mark}
        to={mendAddress(place, pages, line)}
      />
    ))
  const title =
    shown === 'all'
      ? t('{{step}}前：已完成 {{done}} / {{all}}', {
          step: t(next?.label ?? ''),
          done: done.length,
          all: done.length + missing.length,
        })
      : t('已不满足的要求')
  return (
    <section className="place-panel" data-urgent={shown === 'missing' || undefined}>
      <h2>{title}</h2>
      <ul className="place-lines">
        {lines(missing, <ExclamationCircleFilled aria-label={t('未完成')} />)}
        {lines(advice, <small>{t('建议')}</small>)}
      </ul>
      {done.length > 0 && (
        <details>
          <summary>{t('已完成 {{n}} 项', { n: done.length })}</summary>
          <ul className="place-done">
            {done.map(line => (
              <li key={`${line.key} ${line.label}`}>
                <CheckCircleFilled aria-hidden /> {t(line.label)}
              </li>
            ))}
          </ul>
        </details>
      )}
      {isNext && (
        <Button
          type="primary"
          size="large"
          disabled={missing.length > 0}
          loading={actions.busy === then}
          onClick={() =>
            actions.begin(next, [answer.row], { about: <Told names={tell} resource={resource} row={answer.row} /> })
          }
        >
          {t(next.label)}
        </Button>
      )}
      {actions.dialog}
    </section>
  )
}

const HOUR = 3_600_000

/** How long the oldest has waited, in words. */
function useWaited(): (oldest: string) => string {
  const t = useT()
  return oldest => {
    const hours = Math.floor((serverNow() - timeOf(oldest)) / HOUR)
    if (hours < 1) return t('最久不到 1 小时')
    return hours < 48 ? t('最久 {{n}} 小时', { n: hours }) : t('最久 {{n}} 天', { n: Math.floor(hours / 24) })
  }
}

/** What waits for work. */
function Today({ place, pages, answer }: Props): ReactNode {
  const t = useT()
  const waited = useWaited()
  const lines = place.workspace.today.flatMap(line => {
    const found = answer.today.find(({ title }) => title === line.title)
    return found && pages.some(({ page }) => page.name === line.page) ? [{ line, found }] : []
  })
  return (
    <section className="place-panel">
      <h2>{t('今天 · {{day}}', { day: longDay(serverNow()) })}</h2>
      {lines.length === 0 && <p className="place-none">{t('现在没有要处理的事')}</p>}
      <ul className="place-lines">
        {lines.map(({ line, found: { count, oldest, parts } }) => (
          <li key={line.title}>
            <Link to={figureAddress(place, line)}>
              <b>{count}</b>
              <strong>{t(line.title)}</strong>
              <span>
                {[oldest && waited(oldest), ...parts.map(one => `${one.count} ${t(one.title)}`)]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
              <em>{t(line.verb ?? '去处理')}</em>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/**
 * The home of a workspace: what is missing, or what waits for work; beside it what others will see of the row, how many rows come day
 * after day, and the last changes.
 */
export function Home(props: Props): ReactNode {
  const { place, checks, draw } = props
  const t = useT()
  const isAsked = checks.shown === 'all' || (checks.shown === 'missing' && checks.missing.length > 0)
  const seen = checks.shown === 'all' ? props.made.find(({ path }) => path === place.workspace.checks?.seen) : undefined
  const log = props.pages.find(({ page }) => 'history' in page)
  return (
    <div className="place-home">
      <div className="place-work-lists">
        {isAsked && checks.isKnown && <Needed {...props} />}
        {checks.shown !== 'all' && <Today {...props} />}
      </div>
      <aside className="place-beside">
        {checks.shown !== 'all' && <DeadlinePanel {...props} />}
        {checks.shown !== 'all' && <TrendPanel place={place} trend={props.answer.trend} pages={props.pages} />}
        {seen && (
          <div className="place-seen">
            <h2>{t('考生将看到')}</h2>
            <Suspense fallback={<PageSkeleton />}>{draw(seen)}</Suspense>
          </div>
        )}
        {log && <Recent place={place} resource={props.resource} page={log.page.name} />}
      </aside>
    </div>
  )
}
