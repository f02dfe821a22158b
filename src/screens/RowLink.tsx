import { catalogue } from 'virtual:catalogue'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Link } from 'react-router-dom'
import type { Resource } from '#engine'
import { useCan } from './providers/rights.ts'
import { definitionOf } from './window/screens.ts'
import { placeRoute } from './workspace/place-route.ts'

const DetailDrawer = lazy(() => import('./DetailDrawer.tsx'))
const List = lazy(() => import('./ListScreen.tsx'))

interface Props {
  /** The entity of the row. */
  entity: string
  id: string
  /** What it is called. */
  children: ReactNode
}

/** The detail of a row that another list names. */
function Detail({ resource, id, onClose }: { resource: Resource; id: string; onClose: () => void }) {
  return (
    // What is pressed in the drawer is not pressed on the row that it was opened from.
    // biome-ignore lint/a11y: nothing of its own is pressed here
    <span onClick={event => event.stopPropagation()} onKeyDown={event => event.stopPropagation()}>
      <Suspense fallback={null}>
        <DetailDrawer resource={resource} row={{ [resource.entity.key]: id }} onClose={onClose} List={List} />
      </Suspense>
    </span>
  )
}

/** The name of another row, which leads to its workspace or shows it, for whoever may look at such rows. */
export default function RowLink({ entity, id, children }: Props): ReactNode {
  const target = catalogue.find(one => one.entity === entity && !one.isView)
  const may = useCan(`${target?.code}_view`)
  const [shown, show] = useState<Resource>()
  const place = target && placeRoute(target)
  if (place)
    return (
      <Link className="row-link" to={place.replace(':id', id)} onClick={event => event.stopPropagation()}>
        {children}
      </Link>
    )
  if (!target || !may) return children
  return (
    <>
      <button
        type="button"
        className="row-link"
        onClick={event => {
          event.stopPropagation()
          void definitionOf(target.name).then(show)
        }}
      >
        {children}
      </button>
      {shown && <Detail resource={shown} id={id} onClose={() => show(undefined)} />}
    </>
  )
}
