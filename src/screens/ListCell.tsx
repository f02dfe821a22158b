import { Fragment, lazy, type ReactNode, Suspense } from 'react'
import { Link } from 'react-router-dom'
import { type Column, columnField, type Resource } from '#engine'
import type { RowButton } from './ActionButtons.tsx'
import { Cell } from './fields/cells.tsx'
import { isEmpty } from './fields/props.ts'
import type { TableRow } from './use-rows.ts'
import './list-cell.css'

// Few columns name a row of another list: the way there comes after the names.
const RowLink = lazy(() => import('./RowLink.tsx'))

interface Props {
  resource: Resource
  column: Column
  row: TableRow
  /** What a press on it opens: the first column opens its row. */
  open?: RowButton | undefined
}

/** Cells that lead somewhere or do something by themselves. */
const ownWays: readonly unknown[] = ['link', 'copy', 'owner', 'parameter']
/** Kinds of fields of which each value is pressed to be seen or saved. */
const ownKinds: readonly unknown[] = ['file', 'image']

function Value({ resource, name, row, as }: Pick<Props, 'resource' | 'row'> & { name: string; as?: Column['as'] }) {
  const field = columnField(resource, name)
  return field && <Cell field={field} name={name} row={row} where="table" as={as} />
}

/** The same, leading to the row of another list that it names. */
function Linked(props: Pick<Props, 'resource' | 'row'> & { name: string; as?: Column['as'] }) {
  const { resource, name, row } = props
  const field = columnField(resource, name)
  const value = <Value {...props} />
  const entity = field?.codeOf?.entity ?? (field?.kind === 'ref' && field.ref)
  if (!entity || isEmpty(row[name])) return value
  return (
    <Suspense fallback={value}>
      <RowLink entity={entity} id={String(row[name])} code={field?.codeOf} row={row}>
        {value}
      </RowLink>
    </Suspense>
  )
}

/** What a list shows of a row in one column, small and quiet what stands below it. */
export function ListCell({ resource, column, row, open }: Props): ReactNode {
  const { field, as, with: below = [] } = column
  const opens = open && !ownWays.includes(as) && !ownKinds.includes(columnField(resource, field)?.kind)
  const value = <Value resource={resource} name={field} row={row} as={as} />
  const first = !opens ? (
    <Linked resource={resource} name={field} row={row} as={as} />
  ) : open.to ? (
    <Link className="cell-link" to={open.to}>
      {value}
    </Link>
  ) : (
    <button type="button" className="cell-link" onClick={open.run}>
      {value}
    </button>
  )
  const told = below.filter(name => !isEmpty(row[name]))
  if (below.length === 0) return first
  return (
    <span className="list-cell">
      <span>{first}</span>
      <small>
        {told.map((name, at) => (
          <Fragment key={name}>
            {at > 0 && ' · '}
            <Linked resource={resource} name={name} row={row} />
          </Fragment>
        ))}
      </small>
    </span>
  )
}
