import type { school } from '#resources/exams/school'
import type { Derive } from '../../../crud/rules.ts'
import { readParam } from '../../../platform/database/param.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { mapLink } from '../rules/map-link.ts'

/** Where each school or site lies, as a search on the map of the provider that the parameter names. */
export const deriveMap: Derive<typeof school> = async ({ app, person }, rows) => {
  const template = await readParam(liveAs(app, person), 'map.search')
  return rows.map(({ address = '', schoolName = '' }) => ({ map: mapLink(template, [address, schoolName]) }))
}
