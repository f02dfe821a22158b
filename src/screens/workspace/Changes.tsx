import { Pagination } from 'antd'
import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'react-router-dom'
import type { Resource } from '#engine'
import { useT } from '../../platform/i18n/i18n.ts'
import { shortTime } from '../fields/short-time.ts'
import { Changed } from '../History.tsx'
import ListFailure from '../ListFailure.tsx'
import { Nothing } from '../parts/Nothing.tsx'
import { PageSkeleton } from '../window/PageSkeleton.tsx'
import { definitionOf } from '../window/screens.ts'
import { type Change, pageOf, useChanges } from './changes.ts'
import { type Place, placeAddress } from './place.ts'
import './beside.css'

/** Entries on one page. */
const SIZE = 20

/** The definitions of resources, as far as they are known. */
function useDefinitions(names: readonly string[]): ReadonlyMap<string, Resource> {
  const [found, set] = useState<ReadonlyMap<string, Resource>>(new Map())
  const [error, setError] = useState<unknown>()
  const wanted = [...new Set(names)].sort().join()
  useEffect(() => {
    const all = wanted.split(',').filter(Boolean)
    Promise.all(all.map(name => definitionOf(name))).then(
      list => set(new Map(list.map((one, at) => [all[at] ?? '', one]))),
      setError,
    )
  }, [wanted])
  if (error) throw error
  return found
}

interface EntryProps {
  place: Place
  entry: Change
  /** The definition of the row's resource, once it is known. */
  of: Resource | undefined
}

/** Who did what to which row, when and why, and what changed by it. */
function Entry({ place, entry, of }: EntryProps): ReactNode {
  const t = useT()
  const page = pageOf(place, entry)
  const name = entry.label || entry.rowId
  return (
    <li className="place-entry">
      <p className="place-entry-head">
        <time className="place-when" dateTime={entry.time} title={entry.time}>
          {shortTime(entry.time)}
        </time>
        <span>{entry.userName || t('系统')}</span>
        <strong className="place-entry-act">
          {t(entry.actName)} {t(entry.title)} {page ? <Link to={placeAddress(place, page)}>{name}</Link> : name}
        </strong>
      </p>
      {of && entry.changes.map(change => <Changed key={change.field} resource={of} change={change} />)}
      {entry.reason && (
        <div>
          {t('原因')}：{entry.reason}
        </div>
      )}
    </li>
  )
}

/** Who has changed what around a row, from what to what, when and why: the newest first. */
export default function Changes({ place, resource }: { place: Place; resource: Resource }): ReactNode {
  const t = useT()
  const [current, setCurrent] = useState(1)
  const { data, isError, error, refetch } = useChanges(place, resource, { current, size: SIZE })
  const definitions = useDefinitions(data?.records.map(entry => entry.resource) ?? [])
  if (isError) return <ListFailure apart error={error} onRetry={() => void refetch()} />
  if (!data) return <PageSkeleton />
  if (data.total === 0) return <Nothing picture="letter" text={t('没有变更记录')} />
  return (
    <section className="place-panel" aria-label={t('变更记录')}>
      <ol className="place-log">
        {data.records.map(entry => (
          <Entry key={entry.id} place={place} entry={entry} of={definitions.get(entry.resource)} />
        ))}
      </ol>
      <Pagination
        align="end"
        hideOnSinglePage
        showSizeChanger={false}
        current={current}
        pageSize={SIZE}
        total={data.total}
        onChange={setCurrent}
      />
    </section>
  )
}
