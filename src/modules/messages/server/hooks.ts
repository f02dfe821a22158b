import { OnshelfStatus, PayChannelNo, SendpayStatus, SendStatus, SendType } from '#schemas/dictionaries'
import { tieFile } from '../../../crud/kept-file.ts'
import type { Hooks, HooksOf, Values } from '../../../crud/rule-types.ts'
import { usableTemplate } from '../../../platform/auth/server/sms/template.ts'
import { paramsOf } from '../../../platform/channels/sms/sms-text.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { newPayNumber } from '../../payment/rules/pay-order.ts'
import type { Trx } from '../../payment/server/context.ts'
import { packageOnShelf } from './buy.ts'
import { cancelSend } from './order.ts'
import { wordsFor } from './receivers.ts'
import { lockDraft, recountSend, templateOf } from './rows.ts'

const textAt = (values: Values, name: string): string => String(values[name] ?? '')

/**
 * The text of a sending: that of its template, and of a notice alone the words written for it, which need no template.
 * @throws 29005 naming the field that lacks
 */
async function textOf(trx: Trx, tenantId: string, whole: Values, given: Values) {
  const isFree = whole.sendType === SendType.inbox
  const own = textAt(given, 'content').trim()
  if (isFree && (own || !whole.templateId)) {
    const content = own || textAt(whole, 'content').trim()
    if (!content) throw refuse(29005, { 说明: '请输入内容' }, [{ field: 'content', msg: '请输入内容' }])
    return { templateId: null, content }
  }
  if (!whole.templateId) throw refuse(29005, { 说明: '请选择模板' }, [{ field: 'templateId', msg: '请选择模板' }])
  const template = await usableTemplate(trx, tenantId, textAt(whole, 'templateId'))
  return { templateId: template.id, content: template.templateContent }
}

/** A sending is made and changed as a draft; a text message's text is the template's. */
const send: Hooks = {
  async beforeSubmit(ctx, values, before) {
    const { trx, now, person } = ctx
    if (before && before.sendStatus !== SendStatus.draft) throw refuse(27003)
    const whole = { ...before, ...values }
    const isFree = whole.sendType === SendType.inbox
    const text = await textOf(trx, person.tenantId, whole, values)
    const isOther =
      before !== null &&
      (textAt(before, 'templateId') !== (text.templateId ?? '') ||
        (text.templateId === null && before.content !== text.content) ||
        (before.sendType === SendType.inbox) !== isFree)
    if (isOther && Number(before.num ?? 0) > 0)
      throw refuse(29005, { 说明: '已有接收人，请先清空名单再更换模板或发送方式' })
    if (!isFree && whole.packageId) await packageOnShelf(trx, person.tenantId, textAt(whole, 'packageId'))
    if (values.planTime instanceof Date && values.planTime <= now)
      throw refuse(29005, { 说明: '定时发送时间必须晚于现在' }, [{ field: 'planTime', msg: '请选择以后的时间' }])
    const number = before ? {} : { sendNo: newPayNumber('FS', now), num: 0, segNum: 0 }
    const nothing = isFree ? { packageId: null } : {}
    return { ...values, ...number, ...nothing, ...text }
  },
  async beforeRemove({ trx, person, now }, rows) {
    for (const row of rows)
      if (row.sendStatus !== SendStatus.cancelled) await cancelSend(trx, textAt(row, 'id'), person.userId, now)
    const ids = rows.map(row => textAt(row, 'id'))
    await trx.updateTable('sendmessage').set({ isDeleted: 1, updateTime: now }).where('sendId', 'in', ids).execute()
  },
}

/** Receivers are added and changed while their sending is a draft. */
const sendmessage: Hooks = {
  async beforeSubmit({ trx }, values, before) {
    const sendId = textAt({ ...before, ...values }, 'sendId')
    if (before && textAt(before, 'sendId') !== sendId) throw refuse(29005, { 说明: '不能移到其他发送订单' })
    const order = await lockDraft(trx, sendId)
    const template = await templateOf(trx, order)
    const given = ({ ...before, ...values }.params ?? {}) as Record<string, unknown>
    const names = paramsOf(template.templateContent)
    const params = Object.fromEntries(names.map(name => [name, String(given[name] ?? '')]))
    return { ...values, params, ...wordsFor(order, template, params) }
  },
  async afterSubmit({ trx, now }, row) {
    await recountSend(trx, textAt(row, 'sendId'), now)
  },
  async beforeRemove({ trx, now }, rows) {
    for (const sendId of new Set(rows.map(row => textAt(row, 'sendId')))) {
      await lockDraft(trx, sendId)
      const gone = rows.filter(row => textAt(row, 'sendId') === sendId)
      const segments = gone.reduce((sum, row) => sum + Number(row.segments ?? 0), 0)
      await trx
        .updateTable('send')
        .set(eb => ({ num: eb('num', '-', gone.length), segNum: eb('segNum', '-', segments), updateTime: now }))
        .where('id', '=', sendId)
        .execute()
    }
  },
}

/** A purchase takes number and price from its package; a transfer waits for somebody else to confirm it. */
const sendpay: Hooks = {
  async beforeSubmit({ trx, person, now }, values, before) {
    if (before && before.sendPayStatus !== SendpayStatus.unpaid) throw refuse(27007)
    const whole = { ...before, ...values }
    const bought = await packageOnShelf(trx, person.tenantId, textAt(whole, 'packageId'))
    if (whole.sendId) await lockDraft(trx, textAt(whole, 'sendId'))
    const isTransfer = whole.channel === PayChannelNo.offline && whole.voucher
    if (whole.channel === PayChannelNo.offline && !isTransfer)
      throw refuse(29005, { 说明: '请上传转账凭证' }, [{ field: 'voucher', msg: '请上传转账凭证' }])
    return {
      ...values,
      ...(before ? {} : { payNo: newPayNumber('DX', now) }),
      packageName: bought.packageName,
      num: bought.num,
      amount: bought.price,
      sendPayStatus: isTransfer ? SendpayStatus.unconfirmed : SendpayStatus.unpaid,
    }
  },
  async afterSubmit({ trx }, row) {
    const owner = { tenantId: textAt(row, 'tenantId'), id: textAt(row, 'id') }
    if (row.voucher) await tieFile(trx, textAt(row, 'voucher'), owner)
  },
  async beforeRemove(_ctx, rows) {
    const gone: readonly unknown[] = [SendpayStatus.closed, SendpayStatus.rejected]
    if (rows.some(row => !gone.includes(row.sendPayStatus))) throw refuse(27007)
  },
}

/** A package on the shelf is not changed under its buyers. */
const sendpackages: Hooks = {
  async beforeSubmit(_ctx, values, before) {
    if (before?.packageStatus === OnshelfStatus.onShelf) throw refuse(29009)
    return values
  },
}

/** Rules of messages beyond the definitions, by resource. */
export const sendHooks: HooksOf = { send, sendmessage, sendpay, sendpackages }
