import type { FastifyInstance } from 'fastify'
import { phoneProblem } from '#engine'
import { LedgerType, SendStatus } from '#schemas/dictionaries'
import { type SmsRow, usableTemplates } from '../../../platform/auth/server/sms/template.ts'
import { missingParams } from '../../../platform/channels/sms/sms-text.ts'
import type { Live } from '../../../platform/database/live.ts'
import { countUp } from '../../../platform/database/throttle.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { enterSend } from './enter-send.ts'
import { moveBalance } from './ledger.ts'
import { addReceivers, receiverOf } from './receivers.ts'
import { lockSend, openSend } from './rows.ts'

/** Phones of one call at most. */
const most = 100

type Values = Record<string, unknown>

function readParams(given: unknown): Record<string, string> {
  try {
    const value: unknown = typeof given === 'string' ? JSON.parse(given || '{}') : (given ?? {})
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('no object')
    return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)]))
  } catch {
    throw refuse('input.invalid', { 说明: '模板参数应为JSON对象' })
  }
}

async function templateOf(db: Live, values: Values): Promise<SmsRow> {
  const code = String(values.code ?? '').trim()
  const [template] = code ? await usableTemplates(db, code) : []
  if (!template) throw refuse('input.invalid', { 说明: '短信模板不存在或未启用' })
  return template
}

/**
 * Sends one text to a few phones, charged to the balance: a sending of its own that goes out by the queue.
 * @throws input.invalid, messages.balanceTooLow, messages.noReceivers, messages.parametersMissing, input.tooOften
 */
export async function sendDirect(app: FastifyInstance, person: Person, values: Values) {
  const { tenantId } = person
  const db = liveAs(app, person)
  const template = await templateOf(db, values)
  const params = readParams(values.params)
  const missing = missingParams(template.templateContent, params)
  if (missing.length > 0) throw refuse('messages.parametersMissing', { 参数: missing.join('、') })
  const phones = [
    ...new Set(
      String(values.phones ?? '')
        .split(/[,，\s]+/)
        .filter(Boolean),
    ),
  ]
  if (phones.length > most) throw refuse('workbook.tooManyRows', { n: most })
  const now = app.now()
  const failed: { phone: string; msg: string }[] = []
  const good: string[] = []
  for (const phone of phones) {
    const msg = phoneProblem(phone) ?? (await tooOften(app, tenantId, phone, now))
    if (msg) failed.push({ phone, msg })
    else good.push(phone)
  }
  if (good.length === 0) throw refuse('messages.noReceivers', {}, failed)
  await db.transaction().execute(async trx => {
    const opening = { title: `单发：${template.smsCode}`, sendStatus: SendStatus.sending, sendTime: now }
    const id = await openSend(trx, template, now, opening)
    const receivers = good.map(phone => receiverOf(app, tenantId, phone, null, params))
    await addReceivers(trx, await lockSend(trx, id), template, receivers)
    const { segNum } = await lockSend(trx, id)
    const used = { tenantId, changeType: LedgerType.use, refType: 'send', refId: id } as const
    await moveBalance(trx, { ...used, num: -(segNum ?? 0) })
    await enterSend(app, trx, { sendId: id, tenantId, runAt: now })
  })
  return { accepted: good.length, failed }
}

/** The same limits as for codes: one per minute and ten per day to a phone. */
async function tooOften(app: FastifyInstance, tenantId: string, phone: string, now: Date): Promise<string | null> {
  const number = app.vault.hash(tenantId, phone)
  if ((await countUp(app, `sms:minute:${number}`, 60, now)) > 1) return '发送过于频繁，请稍后再试'
  return (await countUp(app, `sms:day:${number}`, 86_400, now)) > 10 ? '该号码今日短信已达上限' : null
}
