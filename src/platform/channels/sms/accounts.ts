import type { FastifyInstance } from 'fastify'
import { type Selectable, sql } from 'kysely'
import { matches } from '#engine'
import { EnableStatus } from '#schemas/dictionaries'
import { Sms } from '#schemas/resource/sms'
import { type LiveDatabase, liveAcross, liveFor } from '../../database/live.ts'
import { SmsError } from './channel.ts'
import type { SmsAccount } from './provider.ts'
import './sms-tables.ts'

/** A row of the settings: an account at a provider with one template. */
export type AccountRow = Selectable<LiveDatabase['sms']> & {
  tenantId: string
  /** Faults since it has last sent a message; null where there are none. */
  faults: number | null
  openUntil: Date | null
}

/**
 * So many faults within so many milliseconds, and no message sent between them, open the circuit of an account for as long: of thousands of
 * messages some answers are always lost.
 */
export const circuit = { faults: 5, milliseconds: 60_000 }

/** The accounts in use with a template of a tenant, in the order in which they are asked to send: main and reserves. */
export async function accountsOf(
  app: Pick<FastifyInstance, 'db' | 'now'>,
  { tenantId, smsCode }: { tenantId: string; smsCode: string },
): Promise<AccountRow[]> {
  const rows = await liveFor(app, { tenantId, userId: null, now: app.now })
    .selectFrom('sms')
    .leftJoin('sms_circuit', 'sms_circuit.smsId', 'sms.id')
    .selectAll('sms')
    .select(['sms_circuit.faults', 'sms_circuit.openUntil'])
    .where('sms.smsCode', '=', smsCode)
    .where('sms.smsStatus', '=', EnableStatus.enabled)
    .orderBy('sms.priority')
    .orderBy('sms.id')
    .execute()
  return rows.map(row => ({ ...row, tenantId }))
}

/** One account by its row, in use or not; undefined when it is not there any more. */
export async function accountById(
  app: Pick<FastifyInstance, 'db' | 'now'>,
  id: string,
): Promise<AccountRow | undefined> {
  const row = await liveAcross(app, app).selectFrom('sms').selectAll().where('id', '=', id).executeTakeFirst()
  return row && { ...row, faults: null, openUntil: null }
}

/** The keys of an account in clear. @throws SmsError when something is missing */
export function keysOf({ vault }: Pick<FastifyInstance, 'vault'>, row: AccountRow): SmsAccount {
  for (const name of ['secretKey', 'appId'] as const)
    if (!row[name] && matches(row, Sms.requiredWhen[name])) throw new SmsError(`短信配置缺少${name}`, 'settings')
  if (!row.accessKey) throw new SmsError('短信配置缺少accessKey', 'settings')
  return {
    accessKey: vault.open(row.accessKey),
    secretKey: row.secretKey ? vault.open(row.secretKey) : '',
    regionId: row.regionId ?? '',
    appId: row.appId ?? '',
  }
}

/**
 * Whether an account may be handed a message as far as its circuit goes. After a circuit was open one message tries: of those that
 * come at once, in all processes, one gets through, and the circuit stays open for the others until that one has come back.
 */
export async function passesCircuit(
  { db, now: clock }: Pick<FastifyInstance, 'db' | 'now'>,
  { id, openUntil }: AccountRow,
): Promise<boolean> {
  const now = clock()
  if (openUntil === null) return true
  if (openUntil > now) return false
  const { numUpdatedRows } = await db
    .updateTable('sms_circuit')
    .set({ openUntil: new Date(now.getTime() + circuit.milliseconds) })
    .where('smsId', '=', id)
    .where('openUntil', '=', openUntil)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** An account has sent a message: its circuit is closed, and its faults are over, unless it was opened while the message went out. */
export async function noteSuccess(
  { db }: Pick<FastifyInstance, 'db'>,
  { id, faults, openUntil }: AccountRow,
): Promise<void> {
  if (faults === null) return
  const rows = db.deleteFrom('sms_circuit').where('smsId', '=', id)
  // Whoever was let through an open circuit has put off the time until which it is open for the others.
  await (openUntil === null ? rows.where('openUntil', 'is', null) : rows).execute()
}

/** An account could not send a message. @returns whether its circuit has been opened by that */
export async function noteFault(
  { db, now: clock }: Pick<FastifyInstance, 'db' | 'now'>,
  { id, openUntil }: AccountRow,
): Promise<boolean> {
  const now = clock()
  const since = new Date(now.getTime() - circuit.milliseconds)
  const until = new Date(now.getTime() + circuit.milliseconds)
  // The one that tried after an open circuit opens it again.
  const first = openUntil === null ? null : until
  const { rows } = await sql<{ faults: number }>`
    INSERT INTO sms_circuit AS c ("smsId", faults, since, "openUntil") VALUES (${id}, 1, ${now}, ${first})
    ON CONFLICT ("smsId") DO UPDATE SET
      faults = CASE WHEN c.since > ${since} THEN c.faults + 1 ELSE 1 END,
      since = CASE WHEN c.since > ${since} THEN c.since ELSE ${now} END,
      "openUntil" = CASE WHEN ${first}::timestamptz IS NOT NULL
        OR (c.since > ${since} AND c.faults + 1 >= ${circuit.faults}) THEN ${until} ELSE c."openUntil" END
    RETURNING faults`.execute(db)
  return rows[0]?.faults === circuit.faults
}
