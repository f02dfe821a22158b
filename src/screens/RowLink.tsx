import { catalogue } from 'virtual:catalogue'
import { type ReactNode, useContext } from 'react'
import { Link } from 'react-router-dom'
import { useCan } from './providers/rights.ts'
import { ShowRow } from './show-row.ts'
import { definitionOf } from './window/screens.ts'
import { placeRoute } from './workspace/place-route.ts'

interface Props {
  /** The entity of the row. */
  entity: string
  id: string
  /** What it is called. */
  children: ReactNode
}

/** The name of another row, which leads to its workspace or shows it, for whoever may look at such rows. */
export default function RowLink({ entity, id, children }: Props): ReactNode {
  const target = catalogue.find(one => one.entity === entity && !one.isView)
  const may = useCan(`${target?.code}_view`)
  const show = useContext(ShowRow)
  const place = target && placeRoute(target)
  if (place)
    return (
      <Link className="row-link" to={place.replace(':id', id)} onClick={event => event.stopPropagation()}>
        {children}
      </Link>
    )
  if (!target || !may || !show) return children
  return (
    <button
      type="button"
      className="row-link"
      onClick={event => {
        event.stopPropagation()
        void definitionOf(target.name).then(resource => show(resource, id))
      }}
    >
      {children}
    </button>
  )
}
