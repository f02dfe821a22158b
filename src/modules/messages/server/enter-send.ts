import type { FastifyInstance } from 'fastify'
import type { AnyHandle } from '../../../platform/database/live.ts'

/**
 * Has a sending go out, in the transaction that lets it: at its time, or now. One that waits for its turn already is moved to that
 * time.
 */
export async function enterSend(
  app: FastifyInstance,
  on: AnyHandle,
  { sendId, tenantId, runAt }: { sendId: string; tenantId: string; runAt: Date },
): Promise<void> {
  const which = { kind: 'sms.send', key: sendId } as const
  const id = await app.queue.enter(on, { ...which, tenantId, runAt, payload: {} })
  if (id === null) await app.queue.replan(on, which, runAt)
  if (runAt <= app.now()) app.queue.nudge()
}
