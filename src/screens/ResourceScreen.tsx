import { lazy, Suspense } from 'react'
import type { Resource, View } from '#engine'
import { DictScreen } from './DictScreen.tsx'
import ListScreen from './ListScreen.tsx'
import { PageSkeleton } from './window/PageSkeleton.tsx'

// A first list is none: it does without what tabs are drawn by.
const ViewScreen = lazy(() => import('./ViewScreen.tsx'))

const isView = (resource: Resource): resource is View => resource.view !== null

/** The generated screen of a resource or a view: its list, or both of its levels where it is its own child. */
export default function ResourceScreen({ resource }: { resource: Resource }) {
  if (isView(resource))
    return (
      <Suspense fallback={<PageSkeleton />}>
        <ViewScreen key={resource.name} resource={resource} />
      </Suspense>
    )
  const own = resource.children.some(child => child.resource === resource.name)
  if (own)
    return <DictScreen key={resource.name} resource={resource} side={resource.route?.includes('horizontal') ?? false} />
  return <ListScreen key={resource.name} resource={resource} />
}
