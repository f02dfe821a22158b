import { type Ability, permissionOf, type Resource } from '#engine'
import type { AnyAction } from './actions.ts'
import { useMayOpen } from './may-open.ts'
import { useCan, usePermissions } from './providers/rights.ts'
import { useStillPlace } from './workspace/place.ts'

const reading: readonly string[] = ['view', 'export']

/**
 * Whether the person may use an ability or an action of a resource: offered by the definition and granted, and what it opens may be
 * opened. Where nothing is changed any more only what reads is offered, and actions that the definition says are still done; the states of
 * the row of the place itself say what is done with it. In a view its own permission does, and that of the resource.
 */
export function useMay(resource: Resource): (what: string) => boolean {
  const permissions = usePermissions()
  const mayOpen = useMayOpen()
  const still = useStillPlace()
  return what => {
    const action = (resource.actions as Readonly<Record<string, Pick<AnyAction, 'open' | 'call' | 'still'>>>)[what]
    const offered = action
      ? (!action.open || mayOpen(action.open)) &&
        (!still || still === resource.name || (action.still ?? action.call.startsWith('GET')))
      : resource.can.includes(what as Ability) && (!still || reading.includes(what))
    const codes = [permissionOf(resource, what)]
    if (resource.view) codes.push(permissionOf({ ...resource, code: resource.view.code }, what))
    return offered && codes.some(code => permissions[code] === true)
  }
}

/**
 * Whether the person holds a permission to change something, and it can still be changed where the page stands.
 * @param code the permission
 */
export function useCanChange(code: string): boolean {
  const may = useCan(code)
  return useStillPlace() === undefined && may
}
