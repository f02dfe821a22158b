import { type Ability, permissionOf, type Resource } from '#engine'
import { usePermissions } from './providers/rights.ts'

/**
 * Whether the person may use an ability or an action of a resource: offered by the definition and granted. In a view its own
 * permission does, and that of the resource.
 */
export function useMay(resource: Resource): (what: string) => boolean {
  const permissions = usePermissions()
  return what => {
    const offered = resource.can.includes(what as Ability) || what in (resource.actions as object)
    const codes = [permissionOf(resource, what)]
    if (resource.view) codes.push(permissionOf({ ...resource, code: resource.view.code }, what))
    return offered && codes.some(code => permissions[code] === true)
  }
}
