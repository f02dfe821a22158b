import type { Hooks } from '../../../crud/rule-types.ts'
import { readParam } from '../../../platform/database/param.ts'
import { mapLink } from '../rules/map-link.ts'

const text = (value: unknown): string => String(value ?? '')

/** Where each school or site lies, as a search on the map of the provider that the parameter names. */
export const schoolHooks: Hooks = {
  async derive({ app, person }, rows) {
    const template = await readParam(app.db, person.tenantId, 'map.search')
    return rows.map(row => ({ map: mapLink(template, [text(row.address), text(row.schoolName)]) }))
  },
}
