import type { Resource } from '#engine'
import { DictScreen } from './DictScreen.tsx'
import ListScreen from './ListScreen.tsx'

/** The generated screen of a resource: its list, or both of its levels where it is its own child. */
export default function ResourceScreen({ resource }: { resource: Resource }) {
  const own = resource.children.some(child => child.resource === resource.name)
  if (own)
    return <DictScreen key={resource.name} resource={resource} side={resource.route?.includes('horizontal') ?? false} />
  return <ListScreen key={resource.name} resource={resource} />
}
