import { EnableStatus, LedgerType, MsgStatus, OnshelfStatus, SendType, SmsVendor } from '#schemas/dictionaries'
import { Sendpackages } from '#schemas/messages/sendpackages'
import { Sms } from '#schemas/resource/sms'
import { moveBalance } from '../../src/modules/messages/server/ledger.ts'
import { type Live, liveFor } from '../../src/platform/database/live.ts'
import type { TestApp } from './app.ts'
import { as } from './pay-exam.ts'
import type { Caller } from './person.ts'
import { insert } from './sample.ts'

/** Settings of the sandbox with one template, enabled. */
export const makeTemplate = (t: TestApp, more: { smsCode?: string; templateContent?: string } = {}) =>
  insert(t.app, Sms, {
    category: SmsVendor.simulated,
    smsCode: 'notice',
    priority: 1,
    templateId: 'T1',
    signName: '聚贤',
    smsStatus: EnableStatus.enabled,
    templateContent: '{name}您好，{examName}请尽快缴费。',
    ...more,
  })

/** A package on the shelf. */
export const makePackage = (t: TestApp, more: { num?: number; price?: number; validDays?: number | null } = {}) =>
  insert(t.app, Sendpackages, {
    packageName: '100条',
    num: 100,
    price: 800,
    validDays: null,
    packageStatus: OnshelfStatus.onShelf,
    ...more,
  })

const tenantId = '000000'

/** The handle of the tenant for what the program does by itself. */
export const program = (t: TestApp): Live => liveFor(t.app, { tenantId, userId: '0', now: () => t.app.now() })

/** Gives the tenant messages. */
export const give = (t: TestApp, num: number, refId = String(Date.now())) =>
  program(t)
    .transaction()
    .execute(trx => moveBalance(trx, { tenantId, changeType: LedgerType.gift, num, refType: 'sendpay', refId }))

/** Lets all messages go out that are to, by one server or several. @returns how many have gone out or failed by it */
export async function sendOut(t: TestApp, ...others: TestApp[]): Promise<number> {
  const ended = async () => {
    const rows = t.db
      .selectFrom('sendmessage')
      .select(eb => eb.fn.countAll<string>().as('n'))
      .where('msgStatus', 'in', [MsgStatus.sent, MsgStatus.failed])
    return Number((await rows.executeTakeFirstOrThrow()).n)
  }
  const before = await ended()
  await Promise.all([t, ...others].map(one => one.app.queue.workOff()))
  return (await ended()) - before
}

/** A draft of a sending. @returns its id */
export async function makeDraft(t: TestApp, staff: Caller, templateId: string, more: object = {}): Promise<string> {
  const title = `催缴${Math.random()}`
  const made = await as(t, staff).post('/api/blade-send/send/submit', {
    title,
    sendType: SendType.sms,
    templateId,
    ...more,
  })
  if (made.code !== 200) throw new Error(JSON.stringify(made))
  const row = await t.db.selectFrom('send').select('id').where('title', '=', title).executeTakeFirstOrThrow()
  return row.id
}

/** Puts somebody on a draft by hand. */
export const addTo = (t: TestApp, staff: Caller, sendId: string, phone: string, params: object = {}) =>
  as(t, staff).post('/api/blade-sendMessage/sendmessage/submit', {
    sendId,
    name: '张三',
    phone,
    params: { name: '张三', examName: '笔试', ...params },
  })
