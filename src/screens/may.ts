import { type Ability, permissionOf, type Resource } from '#engine'
import type { AnyAction } from './actions.ts'
import { useMayOpen } from './may-open.ts'
import { usePermissions } from './providers/rights.ts'
import { usePlaceStill } from './workspace/place.ts'

const reading: readonly string[] = ['view', 'export']

/**
 * Whether the person may use an ability or an action of a resource: offered by the definition and granted, and what it opens may be
 * opened; where nothing is changed any more it is neither added, edited, removed nor imported. In a view its own permission does, and that of the resource.
 */
export function useMay(resource: Resource): (what: string) => boolean {
  const permissions = usePermissions()
  const mayOpen = useMayOpen()
  const isStill = usePlaceStill()
  return what => {
    const action = (resource.actions as Readonly<Record<string, Pick<AnyAction, 'open'>>>)[what]
    const offered = action
      ? !action.open || mayOpen(action.open)
      : resource.can.includes(what as Ability) && (!isStill || reading.includes(what))
    const codes = [permissionOf(resource, what)]
    if (resource.view) codes.push(permissionOf({ ...resource, code: resource.view.code }, what))
    return offered && codes.some(code => permissions[code] === true)
  }
}
