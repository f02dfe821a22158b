import { CheckCircleFilled, ExclamationCircleFilled } from '@ant-design/icons'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { Resource, TodayOfWorkspace } from '#engine'
import { serverNow, timeOf } from '../../platform/http/browser/clock.ts'
import { useT } from '../../platform/i18n/i18n.ts'
import { actionsAt, applies } from '../actions.ts'
import { useMay } from '../may.ts'
import { useActions } from '../use-actions.tsx'
import type { CheckLine, Checks, PlaceAnswer } from './answer.ts'
import type { OpenPage } from './open-pages.ts'
import { type Place, placeAddress } from './place.ts'

interface Props {
  place: Place
  resource: Resource
  pages: readonly OpenPage[]
  answer: PlaceAnswer
  checks: Checks
  reload: () => void
}

/** One thing that is missing: the whole line leads to where it is mended. */
function Missing({ line, to }: { line: CheckLine; to: string | undefined }): ReactNode {
  const t = useT()
  const words = (
    <>
      <ExclamationCircleFilled aria-label={t('未完成')} />
      <strong>{t(line.label)}</strong>
      <span>{line.msg && t(line.msg)}</span>
      {to && <em>{t('去完善')}</em>}
    </>
  )
  return <li>{to ? <Link to={to}>{words}</Link> : <p>{words}</p>}</li>
}

/** What the row needs before its next step, and that step. */
function Needed({ place, resource, pages, answer, checks, reload }: Props): ReactNode {
  const t = useT()
  const may = useMay(resource)
  const actions = useActions(resource, reload)
  const { shown, missing, done } = checks
  const { mend = {}, then = '' } = place.workspace.checks ?? {}
  const next = actionsAt(resource, 'row').find(one => one.name === then)
  const isNext = shown === 'all' && next && may(then) && applies(next, answer.row)
  const toMend = ({ key }: CheckLine) => {
    const page = mend[key]
    return page && pages.some(one => one.page.name === page) ? placeAddress(place, page) : undefined
  }
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
        {missing.map(line => (
          <Missing key={line.key} line={line} to={toMend(line)} />
        ))}
      </ul>
      {done.length > 0 && (
        <details>
          <summary>{t('已完成 {{n}} 项', { n: done.length })}</summary>
          <ul className="place-done">
            {done.map(line => (
              <li key={line.key}>
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
          onClick={() => actions.start(next, [answer.row])}
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

/** Address of the list of a line, filtered as it is counted. */
const listAddress = (place: Place, line: TodayOfWorkspace): string =>
  `${placeAddress(place, line.page)}?${new URLSearchParams(Object.entries(line.where).map(([name, value]) => [name, String(value)]))}`

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
      <h2>{t('待办事项')}</h2>
      {lines.length === 0 && <p className="place-none">{t('现在没有要处理的事')}</p>}
      <ul className="place-lines">
        {lines.map(({ line, found: { count, oldest } }) => (
          <li key={line.title}>
            <Link to={listAddress(place, line)}>
              <b>{count}</b>
              <strong>{t(line.title)}</strong>
              <span>{oldest && waited(oldest)}</span>
              <em>{t('去处理')}</em>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The home of a workspace: what is missing, or what waits for work. */
export function Home(props: Props): ReactNode {
  const { checks } = props
  const isAsked = checks.shown === 'all' || (checks.shown === 'missing' && checks.missing.length > 0)
  return (
    <div className="place-home">
      {isAsked && checks.isKnown && <Needed {...props} />}
      {checks.shown !== 'all' && <Today {...props} />}
    </div>
  )
}
