import { sms } from '#resources/resource/sms'
import { SmsVendor } from '#schemas/dictionaries'
import { guard } from '../../../../crud/rules.ts'
import { notImplemented } from '../../../../platform/http/server/refusal.ts'

/** The simulated provider keeps what it sends and is there in the demo alone: elsewhere messages would silently go nowhere. */
export const smsRules = [
  guard(sms, 'enable', ({ app, rows }) => {
    if (!app.config.demo && rows.some(row => row.category === SmsVendor.simulated)) throw notImplemented()
  }),
]
