import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { fieldOf, type Resource } from '#engine'
import { useT } from '../../platform/i18n/i18n.ts'
import { shortTime } from '../fields/short-time.ts'
import { type Change, useChanges } from './changes.ts'
import { type Place, placeAddress } from './place.ts'
import './beside.css'

/** Changes that are told at a home. */
const FEW = 5

/** The last changes around a row, and the way to all of them. */
export function Recent({ place, resource, page }: { place: Place; resource: Resource; page: string }): ReactNode {
  const t = useT()
  const { data } = useChanges(place, resource, { current: 1, size: FEW })
  if (!data || data.total === 0) return null
  /** Which row it was; of the row itself which of its fields. */
  const what = ({ resource: name, label, changes }: Change): string =>
    name === resource.name
      ? changes.map(({ field }) => t(fieldOf(resource.entity, field)?.title ?? field)).join(t('、'))
      : label
  return (
    <section className="place-panel">
      <h2>{t('最近变更')}</h2>
      <ol className="place-recent">
        {data.records.map(entry => (
          <li key={entry.id} className="place-recent-one">
            <time className="place-when" dateTime={entry.time} title={entry.time}>
              {shortTime(entry.time)}
            </time>
            <span>
              {entry.userName || t('系统')} {t(entry.actName)} {t(entry.title)} {what(entry)}
            </span>
          </li>
        ))}
      </ol>
      <Link className="place-all" to={placeAddress(place, page)}>
        {t('全部记录')}
      </Link>
    </section>
  )
}
