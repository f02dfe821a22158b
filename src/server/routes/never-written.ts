import type { FastifyInstance } from 'fastify'
import { type RefusalCode, refuse } from '../domain/refusal.ts'

/**
 * Writing calls of rows that only the server makes: clients of this wire know them, so they are there, guarded by the right
 * to see the list, and refused.
 * @param path address below `/api`
 * @param permission code of the list
 * @param calls the refusal of each call by its name: `{ submit: 29008, remove: 29003 }`
 */
export function neverWritten(
  app: FastifyInstance,
  path: string,
  permission: string,
  calls: Readonly<Record<string, RefusalCode>>,
): void {
  for (const [name, code] of Object.entries(calls))
    app.post(`/api${path}/${name}`, { config: { access: { permission } } }, async () => {
      throw refuse(code)
    })
}
