import { type Ability, permissionOf, type Resource } from '#engine'
import type { AnyAction } from './actions.ts'
import { useMayOpen } from './may-open.ts'
import { usePermissions } from './providers/rights.ts'

/**
 * Whether the person may use an ability or an action of a resource: offered by the definition and granted, and what it opens may be
 * opened. In a view its own permission does, and that of the resource.
 */
export function useMay(resource: Resource): (what: string) => boolean {
  const permissions = usePermissions()
  const mayOpen = useMayOpen()
  return what => {
    const action = (resource.actions as Readonly<Record<string, Pick<AnyAction, 'open'>>>)[what]
    const offered = action ? !action.open || mayOpen(action.open) : resource.can.includes(what as Ability)
    const codes = [permissionOf(resource, what)]
    if (resource.view) codes.push(permissionOf({ ...resource, code: resource.view.code }, what))
    return offered && codes.some(code => permissions[code] === true)
  }
}
