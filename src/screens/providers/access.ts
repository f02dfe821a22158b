import type { AccessControlProvider } from '@refinedev/core'
import { knownRights } from './rights.ts'

/** Refine's words for what a Blade button code ends in. */
const ENDINGS: Record<string, string> = { create: 'add', clone: 'add', show: 'view', remove: 'delete' }

/** The permission code of an action on a resource, for example `param_add`. */
function permissionCode(resource: string, action: string): string {
  return `${resource.replaceAll('-', '_')}_${ENDINGS[action] ?? action}`
}

/** Answers from the permission map; a list is the menu's business, and the server refuses whatever is forged. */
export const accessControlProvider: AccessControlProvider = {
  can: async ({ resource, action, params }) => {
    if (!resource || action === 'list') return { can: true }
    const code = permissionCode((params?.resource?.meta?.code as string | undefined) ?? resource, action)
    return { can: knownRights()?.permissions[code] === true }
  },
  options: { buttons: { enableAccessControl: true, hideIfUnauthorized: true } },
}
