import { maskSealed } from '#engine'
import { userEvents } from '#resources/system/events'
import { emitOne } from '../../../crud/emit.ts'
import { isSame } from '../../../engine/blank.ts'
import type { Live, LiveTrx } from '../../database/live.ts'
import type { Vault } from '../../vault/vault.ts'
import type { ContactChannel } from './contact-rows.ts'
import { mailHash } from './contacts.ts'

interface Around {
  readonly tenantId: string
  readonly vault: Pick<Vault, 'seal' | 'hash'>
}

/** By which addresses a person is reached, as the account has them. */
export interface Reach {
  readonly id: string
  readonly phone: string | null
  readonly phoneHash: string | null
  readonly phoneMask: string | null
  readonly email: string | null
}

/** What is read of an account for {@link Reach}. */
export const reachFields = ['id', 'phone', 'phoneHash', 'phoneMask', 'email'] as const satisfies (keyof Reach)[]

/** An address that a person is no more reached by, sealed. */
interface Former {
  readonly channel: ContactChannel
  readonly address: string
  readonly addressHash: string | null
  readonly addressMask: string
}

/** The addresses of before that are others now, and that people were told at: an e-mail address only where it was confirmed. */
async function formerOf({ vault, tenantId }: Around, trx: LiveTrx, before: Reach, after: Reach): Promise<Former[]> {
  const former: Former[] = []
  const { id, phone, phoneHash, phoneMask, email } = before
  if (phone && phoneHash !== after.phoneHash)
    former.push({ channel: 'sms', address: phone, addressHash: phoneHash, addressMask: phoneMask ?? '' })
  if (!email || isSame(email, after.email)) return former
  const confirmed = await trx
    .selectFrom('contact')
    .select('id')
    .where('userId', '=', id)
    .where('channel', '=', 'mail')
    .where('isOff', '=', 0)
    .where('problem', 'is', null)
    .where('addressHash', '=', mailHash({ vault }, tenantId, email))
    .executeTakeFirst()
  if (confirmed)
    former.push({
      channel: 'mail',
      address: vault.seal(email),
      addressHash: vault.hash(tenantId, email),
      addressMask: maskSealed(email),
    })
  return former
}

/**
 * Keeps that a person is reached by another phone or e-mail address, in the transaction in which that changes. It is told at the
 * addresses of before, too: whoever has taken an account over reads the new ones.
 */
export async function tellContactChanged(around: Around, trx: LiveTrx, before: Reach, after: Reach): Promise<void> {
  const what = [
    ...(before.phoneHash === after.phoneHash ? [] : ['phone']),
    ...(isSame(before.email, after.email) ? [] : ['email']),
  ]
  if (what.length === 0) return
  const former = await formerOf(around, trx, before, after)
  for (const one of what) {
    const eventId = await emitOne(trx, userEvents.contactChanged, after, { what: one })
    if (former.length === 0) continue
    const rows = former.map(address => ({ eventId, userId: after.id, ...address }))
    await trx.insertInto('formeraddress').values(rows).execute()
  }
}

/** Addresses of before at which an event is told, by a channel. */
export const formerAddresses = (db: Live, eventId: string, channel: ContactChannel) =>
  db
    .selectFrom('formeraddress')
    .select(['userId', 'address', 'addressHash', 'addressMask'])
    .where('eventId', '=', eventId)
    .where('channel', '=', channel)
    .where('addressHash', 'is not', null)
    .execute()
