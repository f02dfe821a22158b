import type { Resource, View } from '#engine'
import { DictScreen } from './DictScreen.tsx'
import ListScreen from './ListScreen.tsx'
import ViewScreen from './ViewScreen.tsx'

const isView = (resource: Resource): resource is View => resource.view !== null

/** The generated screen of a resource or a view: its list, or both of its levels where it is its own child. */
export default function ResourceScreen({ resource }: { resource: Resource }) {
  if (isView(resource)) return <ViewScreen key={resource.name} resource={resource} />
  const own = resource.children.some(child => child.resource === resource.name)
  if (own)
    return <DictScreen key={resource.name} resource={resource} side={resource.route?.includes('horizontal') ?? false} />
  return <ListScreen key={resource.name} resource={resource} />
}
