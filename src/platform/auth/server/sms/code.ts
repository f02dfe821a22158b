import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Live } from '../../../database/live.ts'
import { readNumberParam, readParam } from '../../../database/param.ts'
import '../../../channels/sms/sms-tables.ts'
import { firstTenant } from '../../../database/first-tenant.ts'
import { apart } from '../../../database/request-transaction.ts'
import { countUp } from '../../../database/throttle.ts'
import { countedAddress } from '../../../http/server/client-address.ts'
import { liveIn } from '../../../http/server/live.ts'
import { refuse } from '../../../http/server/refusal.ts'
import type { CodePurpose } from '../../contract.ts'
import { usableTemplates } from './template.ts'

/** Number of the template that carries codes. */
export const codeTemplate = 'validate'
/** Seconds a code holds. */
export const codeLife = 300
const mostTries = 5

/** Who wants a code. */
export interface CodeRequest {
  tenantId: string
  phone: string
  purpose: CodePurpose | 'objection'
  ip: string
}

/** What a code proves: what it was asked for on a phone, or that somebody reads an e-mail address, or has a WeChat. */
export type ProofPurpose = CodePurpose | 'email' | 'wechat' | 'objection'

/** Makes a code of six digits for a phone, an e-mail address or a WeChat, which is told to nobody yet. */
export async function makeCode(
  { db, vault, now: clock }: Pick<FastifyInstance, 'db' | 'vault' | 'now'>,
  { tenantId, address, purpose }: Pick<GivenCode, 'tenantId' | 'address' | 'purpose'>,
): Promise<{ id: string; code: string }> {
  const id = randomBytes(16).toString('hex')
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const now = clock()
  const until = new Date(now.getTime() + codeLife * 1000)
  const row = { id, tenantId, phoneHash: vault.hash(tenantId, address), purpose, codeHash: hashOf(id, code), tries: 0 }
  await db
    .insertInto('sms_code')
    .values({ ...row, until })
    .execute()
  await db.deleteFrom('sms_code').where('until', '<', now).execute()
  return { id, code }
}

/**
 * Sends a code of six digits to a phone. The answer is the same whether or not anybody has the number: for the login
 * and the password nothing is sent to a number without an account.
 * @returns the number of the code, to be given back with it
 * @throws auth.smsCodeTooSoon one per minute and ten per day to a phone; above the hour's most of an address;
 * input.tooOften above the day's most of the tenant; row.wrongState without a channel
 */
export async function sendCode(app: FastifyInstance, asked: CodeRequest): Promise<string> {
  const [template] = await usableTemplates(liveIn(app, asked.tenantId), codeTemplate)
  if (!template) throw refuse('row.wrongState')
  await limitSms(app, asked)
  const { id, code } = await makeCode(app, { ...asked, address: asked.phone })
  if (!(await isWanted(app, asked))) return id
  const params = { code, minutes: String(codeLife / 60) }
  const { tenantId, phone } = asked
  await app.sms.send({ id, tenantId, smsCode: codeTemplate, phone, params, isUrgent: true }).catch(error => {
    app.log.warn({ err: error }, 'a code was not sent')
  })
  return id
}

/** Whether the tenant of a handle can send codes: text messages are switched on and one has a place for a code. */
export const canSendCodes = async (db: Live): Promise<boolean> => (await usableTemplates(db, codeTemplate)).length > 0

/** Whether whoever registers proves the phone by a code: as the parameter says, by itself where codes can be sent. */
export async function asksCodeToRegister(db: Live): Promise<boolean> {
  const wish = await readParam(db, 'register.sms')
  if (wish === '0' || wish === '1') return wish === '1'
  return canSendCodes(db)
}

const hashOf = (id: string, code: string): string => createHash('sha256').update(`${id} ${code}`).digest('hex')

/**
 * Counts a text to a phone against everything it may not exceed.
 * @throws auth.smsCodeTooSoon one per minute and ten per day to a phone; above the hour's most of an address;
 * input.tooOften above the day's most of the tenant
 */
export async function limitSms(
  { db, vault, now: clock, log }: FastifyInstance,
  { tenantId, phone, ip }: Omit<CodeRequest, 'purpose'>,
): Promise<void> {
  const now = clock()
  const number = vault.hash(tenantId, phone)
  if ((await countUp(db, `sms:minute:${number}`, 60, now)) > 1) throw refuse('auth.smsCodeTooSoon', { n: 60 })
  if ((await countUp(db, `sms:day:${number}`, 86_400, now)) > 10) throw refuse('auth.smsCodeTooSoon', { n: 86_400 })
  const perAddress = await readNumberParam(db, firstTenant, 'limit.code.address')
  if ((await countUp(db, `sms:ip:${countedAddress(ip)}`, 3600, now)) > perAddress)
    throw refuse('auth.smsCodeTooSoon', { n: 3600 })
  const most = await readNumberParam(db, tenantId, 'sms.dailyCodes')
  const today = await countUp(db, `sms:tenant:${tenantId}`, 86_400, now)
  if (today <= most) return
  log.error({ tenantId, today }, 'the most codes of a day was reached')
  throw refuse('input.tooOften')
}

/** Whether a code is of use to whoever holds the number. */
async function isWanted(app: FastifyInstance, { tenantId, phone, purpose }: CodeRequest): Promise<boolean> {
  if (purpose === 'register' || purpose === 'phone' || purpose === 'objection') return true
  const user = await liveIn(app, tenantId)
    .selectFrom('user')
    .select('id')
    .where('phoneHash', '=', app.vault.hash(tenantId, phone))
    .executeTakeFirst()
  return user !== undefined
}

/** A code as a person gives it back. */
export interface GivenCode {
  tenantId: string
  /** The phone or the e-mail address that it was sent to, or what it is about. */
  address: string
  purpose: ProofPurpose
  id: string
  code: string
}

/**
 * Looks at a code: right, in time, for this address and purpose. It counts as a try and can still be given again, so that
 * whoever mistyped something else need not ask for another; {@link takeCode} ends it.
 * @throws auth.smsCodeWrong for anything else; after five tries it is gone
 */
export async function proveCode(app: FastifyInstance, given: GivenCode): Promise<void> {
  const trying = app.db
    .updateTable('sms_code')
    .set({ tries: sql<number>`tries + 1` })
    .where('id', '=', given.id)
    .where('tenantId', '=', given.tenantId)
    .where('purpose', '=', given.purpose)
    .where('phoneHash', '=', app.vault.hash(given.tenantId, given.address))
    .where('tries', '<', mostTries)
    .where('until', '>', app.now())
    .returning('codeHash')
  const row = await apart(() => trying.executeTakeFirst())
  const hash = hashOf(given.id, given.code.trim())
  if (!row || !timingSafeEqual(Buffer.from(row.codeHash), Buffer.from(hash))) throw refuse('auth.smsCodeWrong')
}

/** Ends a code that was right. Of two who come with it at once one goes on. @throws auth.smsCodeWrong for the other */
export async function takeCode(db: FastifyInstance['db'], id: string): Promise<void> {
  const { numDeletedRows } = await db.deleteFrom('sms_code').where('id', '=', id).executeTakeFirst()
  if (numDeletedRows === 0n) throw refuse('auth.smsCodeWrong')
}

/** Takes a code at once. @throws auth.smsCodeWrong as {@link proveCode}, and when it was taken before */
export async function spendCode(app: FastifyInstance, given: GivenCode): Promise<void> {
  await proveCode(app, given)
  await takeCode(app.db, given.id)
}
