import type { Handler } from '../../../../crud/rules.ts'
import { scoped } from '../../../../crud/scope.ts'
import { notImplemented, refuse } from '../../../../platform/http/server/refusal.ts'
import { enableChannel } from '../../../../platform/settings/server/keys.ts'

/** Keys of dictionary `sms`: providers that are built in, and the sandbox of the demo. */
const served: readonly number[] = [3]
const sandbox = 9

/**
 * Puts a provider into use.
 * @throws row.notFound, row.wrongState for one that is not built in: messages would silently go nowhere
 */
export const enableSms: Handler = async ctx => {
  const { app, person, id } = ctx
  const row = await scoped(app, person, 'sms').select('category').where('id', '=', id).executeTakeFirst()
  if (!row) throw refuse('row.notFound')
  const isServed = served.includes(row.category) || (row.category === sandbox && app.config.demo)
  if (!isServed) throw notImplemented()
  return enableChannel('sms')(ctx)
}
