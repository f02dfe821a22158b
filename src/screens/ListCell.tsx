import { Fragment, type ReactNode } from 'react'
import { type Column, columnField, type Resource } from '#engine'
import { Cell } from './fields/cells.tsx'
import { isEmpty } from './fields/props.ts'
import type { TableRow } from './use-rows.ts'
import './list-cell.css'

interface Props {
  resource: Resource
  column: Column
  row: TableRow
  /** What a press on it opens: the first column opens its row. */
  open?: (() => void) | undefined
}

/** Cells that lead somewhere or do something by themselves. */
const ownWays: readonly unknown[] = ['link', 'copy', 'owner', 'parameter']

function Value({ resource, name, row, as }: Pick<Props, 'resource' | 'row'> & { name: string; as?: Column['as'] }) {
  const field = columnField(resource, name)
  return field && <Cell field={field} name={name} row={row} where="table" as={as} />
}

/** What a list shows of a row in one column, small and quiet what stands below it. */
export function ListCell({ resource, column, row, open }: Props): ReactNode {
  const { field, as, with: below = [] } = column
  const value = <Value resource={resource} name={field} row={row} as={as} />
  const first =
    open && !ownWays.includes(as) ? (
      <button type="button" className="cell-link" onClick={open}>
        {value}
      </button>
    ) : (
      value
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
            <Value resource={resource} name={name} row={row} />
          </Fragment>
        ))}
      </small>
    </span>
  )
}
