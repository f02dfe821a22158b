import { type Ability, permissionOf, type Resource } from '#engine'
import { usePermissions } from './providers/rights.ts'

/** Whether the person may use an ability or an action of a resource: offered by the definition and granted. */
export function useMay(resource: Resource): (what: string) => boolean {
  const permissions = usePermissions()
  return what => {
    const offered = resource.can.includes(what as Ability) || what in (resource.actions as object)
    return offered && permissions[permissionOf(resource, what)] === true
  }
}
