import { Fragment, type ReactNode } from 'react'
import { columnField, type Field, type Resource } from '#engine'
import { useT } from '../platform/i18n/i18n.ts'
import { columnTitle } from './columns.tsx'
import { Cell } from './fields/cells.tsx'
import { isEmpty } from './fields/props.ts'
import { useRefOptions } from './fields/ref-options.ts'
import type { Search } from './use-rows.ts'

interface Value {
  field: Field
  name: string
  value: unknown
}

/** What the rows are called that are searched for. */
function Names({ entity, ids }: { entity: string; ids: string }): ReactNode {
  const { data = [] } = useRefOptions(entity, { ids })
  const words = ids.split(',').map(id => data.find(one => one.value === id)?.label ?? id)
  return <>{words.join('、')}</>
}

/** One value in the words of its field. */
function Word({ field, name, value }: Value): ReactNode {
  if (field.kind === 'ref' || field.kind === 'refs') return <Names entity={field.ref ?? ''} ids={String(value)} />
  // What is sealed was typed in: a mask is made of stored values alone.
  if (field.kind === 'sealed') return <>{String(value)}</>
  // Times of a search are days.
  if (field.kind === 'dateTime' || field.kind === 'date') return <>{String(value).slice(0, 10)}</>
  return <Cell field={field} name={name} row={{ [name]: value }} where="table" />
}

/** A value, or two ends of which each may be open. */
function Said(given: Value): ReactNode {
  const t = useT()
  const { value } = given
  if (!Array.isArray(value)) return <Word {...given} />
  const [from, to] = value as readonly unknown[]
  return (
    <>
      {!isEmpty(from) && <Word {...given} value={from} />} {t('至')} {!isEmpty(to) && <Word {...given} value={to} />}
    </>
  )
}

/** What a list is searched for, in words: on paper, where inputs say little. */
export default function PrintedSearch({ resource, search }: { resource: Resource; search: Search }): ReactNode {
  const t = useT()
  const said = Object.entries(search).flatMap(([name, value]): [string, ReactNode][] => {
    if (name === 'keyword') return [[t('搜索'), String(value)]]
    const field = columnField(resource, name)
    return field ? [[columnTitle(resource, name), <Said key={name} field={field} name={name} value={value} />]] : []
  })
  return (
    <p className="printed-search">
      {said.map(([title, value], at) => (
        <Fragment key={title}>
          {at > 0 && ' · '}
          {title}：{value}
        </Fragment>
      ))}
    </p>
  )
}
