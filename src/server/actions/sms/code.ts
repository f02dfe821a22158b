import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import '../../database/sms-tables.ts'
import { countUp } from '../../database/throttle.ts'
import { refuse } from '../../domain/refusal.ts'
import { fillTemplate, signed } from '../../domain/sms-text.ts'
import { usableTemplates } from './template.ts'

/** What a code is good for; one sent for one thing proves nothing for another. */
export const codePurposes = ['login', 'register', 'phone', 'password'] as const

/** One of {@link codePurposes}. */
export type CodePurpose = (typeof codePurposes)[number]

/** Number of the template that carries codes. */
const codeTemplate = 'validate'
/** Seconds a code holds. */
const codeLife = 300
const mostTries = 5

/** Who wants a code. */
export interface CodeRequest {
  tenantId: string
  phone: string
  purpose: CodePurpose
  ip: string
}

/**
 * Sends a code of six digits to a phone. The answer is the same whether or not anybody has the number: for the login and the
 * password nothing is sent to a number without an account.
 * @returns the number of the code, to be given back with it
 * @throws 20008 one per minute and ten per day to a phone, twenty per hour from an address; 29007 above the day's most of the
 * tenant; 29009 without a channel
 */
export async function sendCode(app: FastifyInstance, asked: CodeRequest): Promise<string> {
  const [template] = await usableTemplates(app.db, asked.tenantId, codeTemplate)
  if (!template) throw refuse(29009)
  await limit(app, asked)
  const id = randomBytes(16).toString('hex')
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const now = app.now()
  await app.db
    .insertInto('sms_code')
    .values({
      ...{ id, tenantId: asked.tenantId, phoneHash: app.vault.hash(asked.tenantId, asked.phone) },
      ...{ purpose: asked.purpose, codeHash: hashOf(id, code), tries: 0 },
      until: new Date(now.getTime() + codeLife * 1000),
    })
    .execute()
  await app.db.deleteFrom('sms_code').where('until', '<', now).execute()
  if (!(await isWanted(app, asked))) return id
  const params = { code, minutes: String(codeLife / 60) }
  const content = signed(template.signName, fillTemplate(template.templateContent, params))
  const { signName, templateId } = template
  await app.sms.send({ id, phone: asked.phone, signName, templateId, params, content }).catch(error => {
    app.log.warn({ err: error }, 'a code was not sent')
  })
  return id
}

const hashOf = (id: string, code: string): string => createHash('sha256').update(`${id} ${code}`).digest('hex')

/** Counts this request against everything it may not exceed. */
async function limit({ db, vault, now: clock, log }: FastifyInstance, { tenantId, phone, ip }: CodeRequest) {
  const now = clock()
  const number = vault.hash(tenantId, phone)
  if ((await countUp(db, `sms:minute:${number}`, 60, now)) > 1) throw refuse(20008, { n: 60 })
  if ((await countUp(db, `sms:ip:${ip}`, 3600, now)) > 20) throw refuse(20008, { n: 3600 })
  if ((await countUp(db, `sms:day:${number}`, 86_400, now)) > 10) throw refuse(20008, { n: 86_400 })
  const most = await dailyMost(db, tenantId)
  const today = await countUp(db, `sms:tenant:${tenantId}`, 86_400, now)
  if (today <= most) return
  log.error({ tenantId, today }, 'the most codes of a day was reached')
  throw refuse(29007)
}

/** Codes a tenant sends in a day at most, unless the parameter `sms.dailyCodes` says otherwise. */
const presetDaily = 5000

async function dailyMost(db: FastifyInstance['db'], tenantId: string): Promise<number> {
  const row = await db
    .selectFrom('param')
    .select('paramValue')
    .where('tenantId', '=', tenantId)
    .where('paramKey', '=', 'sms.dailyCodes')
    .where('isDeleted', '=', 0)
    .executeTakeFirst()
  const most = Number(row?.paramValue ?? presetDaily)
  return Number.isInteger(most) && most >= 0 ? most : presetDaily
}

/** Whether a code is of use to whoever holds the number. */
async function isWanted({ db, vault }: FastifyInstance, { tenantId, phone, purpose }: CodeRequest): Promise<boolean> {
  if (purpose === 'register' || purpose === 'phone') return true
  const user = await db
    .selectFrom('user')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('phoneHash', '=', vault.hash(tenantId, phone))
    .where('isDeleted', '=', 0)
    .executeTakeFirst()
  return user !== undefined
}

/** A code as a person gives it back. */
export interface GivenCode {
  tenantId: string
  phone: string
  purpose: CodePurpose
  id: string
  code: string
}

/**
 * Takes a code: right, in time, for this phone and purpose, and once.
 * @throws 20007 for anything else; after five wrong tries it is gone
 */
export async function spendCode(app: FastifyInstance, given: GivenCode): Promise<void> {
  const row = await app.db
    .updateTable('sms_code')
    .set({ tries: sql<number>`tries + 1` })
    .where('id', '=', given.id)
    .where('tenantId', '=', given.tenantId)
    .where('purpose', '=', given.purpose)
    .where('phoneHash', '=', app.vault.hash(given.tenantId, given.phone))
    .where('tries', '<', mostTries)
    .where('until', '>', app.now())
    .returning('codeHash')
    .executeTakeFirst()
  const hash = hashOf(given.id, given.code.trim())
  if (!row || !timingSafeEqual(Buffer.from(row.codeHash), Buffer.from(hash))) throw refuse(20007)
  const { numDeletedRows } = await app.db.deleteFrom('sms_code').where('id', '=', given.id).executeTakeFirst()
  if (numDeletedRows === 0n) throw refuse(20007)
}
