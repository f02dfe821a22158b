import { sms } from '#resources/resource/sms'
import { guard, on } from '../../../../crud/rules.ts'
import { notImplemented } from '../../../../platform/http/server/refusal.ts'
import { disableOthers } from '../../../../platform/settings/server/keys.ts'

/** Keys of dictionary `sms`: providers that are built in, and the sandbox of the demo. */
const served: readonly number[] = [3]
const sandbox = 9

/** A provider is put into use only when it is built in: messages would silently go nowhere. It is the only one then. */
export const smsRules = [
  guard(sms, 'enable', ({ app, rows }) => {
    const isServed = (category: number) => served.includes(category) || (category === sandbox && app.config.demo)
    if (rows.some(row => !isServed(row.category))) throw notImplemented()
  }),
  on(sms, 'enable', async ({ db, caller, rows }) => {
    for (const { id } of rows) await disableOthers(db, 'sms', caller, id)
  }),
]
