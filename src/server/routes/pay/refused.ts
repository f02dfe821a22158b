import type { FastifyInstance } from 'fastify'
import { type RefusalCode, refuse } from '../../domain/refusal.ts'

/** Writes that no rule allows: money is written by what happens to it, and what it left behind is never taken away. */
const refused: readonly { path: string; permission: string; submit?: RefusalCode; remove?: RefusalCode }[] = [
  { path: '/blade-payrecord/payrecord', permission: 'payrecord', submit: 29008, remove: 29003 },
  { path: '/blade-payOrder/payorder', permission: 'payorder', submit: 29008, remove: 29003 },
  { path: '/blade-payrecordmain/payrecordmain', permission: 'payrecordmain', submit: 29008 },
  { path: '/blade-exportpay/exportpay', permission: 'exportpay', submit: 29008, remove: 29008 },
  { path: '/blade-exportpaymain/exportpaymain', permission: 'exportpaymain', submit: 29008, remove: 29008 },
]

/** Answers the calls of those writes with the refusal that says why. */
export async function refusedRoutes(app: FastifyInstance): Promise<void> {
  for (const { path, permission, ...calls } of refused)
    for (const [call, code] of Object.entries(calls))
      app.post(`/api${path}/${call}`, { config: { access: { permission } } }, async () => {
        throw refuse(code)
      })
}
