import type { Given } from '#engine'
import { PayChannelNo, SendpayStatus, SendStatus, SendType } from '#schemas/dictionaries'
import type { Send } from '#schemas/messages/send'
import type { Sendmessage } from '#schemas/messages/sendmessage'
import type { Sendpay } from '#schemas/messages/sendpay'
import type { Hooks } from '../../../crud/rules.ts'
import { tieFile } from '../../../crud/stored-file.ts'
import { usableTemplate } from '../../../platform/auth/server/sms/template.ts'
import { paramsOf } from '../../../platform/channels/sms/sms-text.ts'
import type { Live } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { newPayNumber } from '../../payment/rules/pay-order.ts'

import { packageOnShelf } from './buy.ts'
import { cancelSend } from './order.ts'
import { wordsFor } from './receivers.ts'
import { lockDraft, recountSend, templateOf } from './rows.ts'

/**
 * The text of a sending: that of its template, and of a notice alone the words written for it, which need no template.
 * @throws input.invalid naming the field that lacks
 */
async function textOf(db: Live, whole: Partial<Send>, given: Given<typeof Send>) {
  const isFree = whole.sendType === SendType.inbox
  const own = (given.content ?? '').trim()
  if (isFree && (own || !whole.templateId)) {
    const content = own || (whole.content ?? '').trim()
    if (!content) throw refuse('input.invalid', { 说明: '请输入内容' }, [{ field: 'content', msg: '请输入内容' }])
    return { templateId: null, content }
  }
  if (!whole.templateId)
    throw refuse('input.invalid', { 说明: '请选择模板' }, [{ field: 'templateId', msg: '请选择模板' }])
  const template = await usableTemplate(db, whole.templateId)
  return { templateId: template.id, content: template.templateContent }
}

/** A sending is made and changed as a draft; a text message's text is the template's. */
export const sendingHooks: Hooks<typeof Send> = {
  async beforeSubmit({ db, now, set }, given, before) {
    if (before && before.sendStatus !== SendStatus.draft) throw refuse('messages.alreadySent')
    const whole = { ...before, ...given }
    const isFree = whole.sendType === SendType.inbox
    const text = await textOf(db, whole, given)
    const isOther =
      before !== null &&
      (before.templateId !== text.templateId ||
        (text.templateId === null && before.content !== text.content) ||
        (before.sendType === SendType.inbox) !== isFree)
    if (isOther && (before.num ?? 0) > 0)
      throw refuse('input.invalid', { 说明: '已有接收人，请先清空名单再更换模板或发送方式' })
    if (!isFree && whole.packageId) await packageOnShelf(db, whole.packageId)
    if (given.planTime && given.planTime <= now)
      throw refuse('input.invalid', { 说明: '定时发送时间必须晚于现在' }, [
        { field: 'planTime', msg: '请选择以后的时间' },
      ])
    set(text)
    if (!before) set({ sendNo: newPayNumber('FS', now), num: 0, segNum: 0 })
    if (isFree) set({ packageId: null })
  },
  async beforeRemove({ db, person }, rows) {
    for (const row of rows) if (row.sendStatus !== SendStatus.cancelled) await cancelSend(db, row.id, person)
  },
}

/** Receivers are added and changed while their sending is a draft. */
export const messageHooks: Hooks<typeof Sendmessage> = {
  async beforeSubmit({ db, set }, given, before) {
    const { sendId = '', params: values } = { ...before, ...given }
    if (before && before.sendId !== sendId) throw refuse('input.invalid', { 说明: '不能移到其他发送订单' })
    const order = await lockDraft(db, sendId)
    const template = await templateOf(db, order)
    const known = (values ?? {}) as Record<string, unknown>
    const names = paramsOf(template.templateContent)
    const params = Object.fromEntries(names.map(name => [name, String(known[name] ?? '')]))
    set({ params, ...wordsFor(order, template, params) })
  },
  async afterSubmit({ db }, row) {
    await recountSend(db, row.sendId)
  },
  async beforeRemove({ db }, rows) {
    for (const sendId of new Set(rows.map(row => row.sendId))) {
      await lockDraft(db, sendId)
      const gone = rows.filter(row => row.sendId === sendId)
      const segments = gone.reduce((sum, row) => sum + row.segments, 0)
      await db
        .updateTable('send')
        .set(eb => ({ num: eb('num', '-', gone.length), segNum: eb('segNum', '-', segments) }))
        .where('id', '=', sendId)
        .execute()
    }
  },
}

/** A purchase takes number and price from its package; a transfer waits for somebody else to confirm it. */
export const purchaseHooks: Hooks<typeof Sendpay> = {
  async beforeSubmit({ db, now, set }, given, before) {
    if (before && before.sendPayStatus !== SendpayStatus.unpaid) throw refuse('messages.alreadyConfirmed')
    const whole = { ...before, ...given }
    const bought = await packageOnShelf(db, whole.packageId ?? '')
    if (whole.sendId) await lockDraft(db, whole.sendId)
    const isTransfer = whole.channel === PayChannelNo.offline && whole.voucher
    if (whole.channel === PayChannelNo.offline && !isTransfer)
      throw refuse('input.invalid', { 说明: '请上传转账凭证' }, [{ field: 'voucher', msg: '请上传转账凭证' }])
    if (!before) set({ payNo: newPayNumber('DX', now) })
    set({
      packageName: bought.packageName,
      num: bought.num,
      amount: bought.price,
      sendPayStatus: isTransfer ? SendpayStatus.unconfirmed : SendpayStatus.unpaid,
    })
  },
  async afterSubmit({ db, person: { tenantId } }, row) {
    if (row.voucher) await tieFile(db, row.voucher, { tenantId, id: row.id })
  },
}
