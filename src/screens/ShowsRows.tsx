import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react'
import type { Resource } from '#engine'
import type { WireRow } from './fields/props.ts'
import ListScreen from './ListScreen.tsx'
import { ShowRow } from './show-row.ts'

const DetailDrawer = lazy(() => import('./DetailDrawer.tsx'))

/** Lets names in a page made by hand show the rows that they name, as those of generated lists do. */
export function ShowsRows({ children }: { children: ReactNode }): ReactNode {
  const [shown, show] = useState<{ resource: Resource; row: WireRow }>()
  const open = useCallback(
    (resource: Resource, id: string) => show({ resource, row: { [resource.entity.key]: id } }),
    [],
  )
  return (
    <ShowRow value={open}>
      {children}
      <Suspense fallback={null}>
        {shown && <DetailDrawer {...shown} List={ListScreen} onClose={() => show(undefined)} />}
      </Suspense>
    </ShowRow>
  )
}
