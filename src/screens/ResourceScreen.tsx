import { lazy, Suspense } from 'react'
import type { Resource, View } from '#engine'
import ListScreen from './ListScreen.tsx'
import type { ListScreenProps } from './list-props.ts'
import { PageSkeleton } from './window/PageSkeleton.tsx'

// A first list is none of these: it does without what they are drawn by.
const DictScreen = lazy(async () => ({ default: (await import('./DictScreen.tsx')).DictScreen }))
const ViewScreen = lazy(() => import('./ViewScreen.tsx'))

const isView = (resource: Resource): resource is View => resource.view !== null

/** The generated screen of a resource or a view: its list, or both of its levels where it is its own child. */
export default function ResourceScreen(props: Pick<ListScreenProps, 'resource' | 'begin' | 'onSaved'>) {
  const { resource } = props
  if (isView(resource))
    return (
      <Suspense fallback={<PageSkeleton />}>
        <ViewScreen key={resource.name} resource={resource} />
      </Suspense>
    )
  const own = resource.children.some(child => child.resource === resource.name)
  if (own)
    return (
      <Suspense fallback={<PageSkeleton />}>
        <DictScreen key={resource.name} resource={resource} side={resource.route?.includes('horizontal') ?? false} />
      </Suspense>
    )
  return <ListScreen key={resource.name} {...props} />
}
