import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../access/server/caller.ts'
import type { Live, LiveTrx } from '../../database/live.ts'
import type { Person } from '../../http/server/access.ts'

/** What depends on the identity of a candidate. */
export interface IdentityExtension {
  /**
   * Ends what an account has begun under an ID number that it loses, so that the number is free for its owner.
   * @param reason kept where it is ended
   * @throws accounts.claimBlocked when something cannot be ended any more
   */
  numberLost(trx: LiveTrx, caller: Caller & { app: FastifyInstance }, userId: string, reason: string): Promise<void>
  /** Refuses a change of the name, the ID number or the ID card of people on whose identity something has been decided. */
  checkChange(db: Live, userIds: readonly string[]): Promise<void>
}

/** What one person is told by a text message. */
export interface TextNotice {
  /** Number of the template, as the tenant has named it. */
  code: string
  title: string
  /** In the clear. */
  phone: string
  params: Record<string, string>
}

/**
 * Tells one person by a text message, charged to the balance of the tenant, when the transaction is kept.
 * @returns whether a message is on its way: without a usable template, enough balance or a value of the template none is sent
 */
export type TellByText = (
  app: FastifyInstance,
  db: LiveTrx,
  who: { person: Pick<Person, 'tenantId'>; now: Date },
  notice: TextNotice,
) => Promise<boolean>

declare module '../../http/server/extensions.ts' {
  interface Extensions {
    identity: IdentityExtension
    tellByText: TellByText
  }
}
