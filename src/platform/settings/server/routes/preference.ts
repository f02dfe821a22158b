import type { FastifyInstance } from 'fastify'
import { changePreferences, preferences } from '../../../../screens/contract.ts'
import { person } from '../../../http/server/access.ts'
import { liveAs } from '../../../http/server/live.ts'
import { serve } from '../../../http/server/serve.ts'
import { changePreferences as change, preferencesOf } from '../preference.ts'

/** What people have chosen for screens, each of them their own alone: service `blade-system/preference`. */
export default async function preferenceRoutes(app: FastifyInstance): Promise<void> {
  serve(app, preferences, ({ request }) => preferencesOf(liveAs(app, person(request)), person(request).userId))
  serve(app, changePreferences, ({ body, request }) =>
    change(liveAs(app, person(request)), person(request).userId, body.changes),
  )
}
