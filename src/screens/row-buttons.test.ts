import { beforeEach, expect, test } from 'vitest'
import type { Resource } from '#engine'
import { resources } from '#resources'
import { examination } from '#resources/exams/examination'
import { examitems } from '#resources/exams/examitems'
import { send } from '#resources/messages/send'
import { sendpay } from '#resources/messages/sendpay'
import { notice } from '#resources/notices/notice'
import { exampay } from '#resources/payment/exampay'
import { invoices, payrecord } from '#resources/payment/payrecord'
import { payrefund } from '#resources/payment/payrefund'
import { reconciliation } from '#resources/payment/reconciliation'
import { attach } from '#resources/resource/attach'
import { result } from '#resources/results/result'
import { signup } from '#resources/sign-up/signup'
import { tenant } from '#resources/system/tenant'
import { user } from '#resources/system/user'
import { examinationticket } from '#resources/tickets/examinationticket'
import { AccountStatus } from '#schemas/dictionaries'
import { session } from '../platform/http/browser/session.ts'
import { arranged } from './ActionButtons.tsx'
import { bulkButtons } from './bulk-buttons.ts'
import { rowButtons } from './row-buttons.ts'

beforeEach(() => session.open({ access_token: 'x', refresh_token: 'y', user_id: '7' } as never))

/** The buttons at a row for somebody who may do everything. */
const buttonsAt = (resource: Resource, row: Record<string, unknown>) => {
  const around = { props: { resource } as never, may: () => true, actions: {} as never, reload: () => undefined }
  const nothing = () => undefined
  return rowButtons({ id: '1', ...row } as never, { ...around, open: nothing, remove: nothing })
}
const labels = (resource: Resource, row: Record<string, unknown>): string[] =>
  buttonsAt(resource, row).map(one => one.label)
const as = (resource: unknown) => resource as Resource

test.each([
  ['批准', as(payrefund), { refundStatus: 0 }, 'applyUser'],
  ['线下已退', as(payrefund), { refundStatus: 4 }, 'applyUser'],
  ['确认到账', as(sendpay), { sendPayStatus: 1 }, 'createUser'],
  ['驳回', as(sendpay), { sendPayStatus: 1 }, 'createUser'],
  ['彻底删除', as(tenant), { tenantStatus: 2 }, 'recycleUser'],
])('%s is for a second person', (label, resource, row, first) => {
  expect(labels(resource, { ...row, [first]: '8' })).toContain(label)
  expect(labels(resource, { ...row, [first]: '' })).toContain(label)
  expect(labels(resource, { ...row, [first]: '7' })).not.toContain(label)
})

test.each([
  ['a sending', as(send), { sendStatus: 0 }, { sendStatus: 4 }],
  ['the notice of a sending', as(notice), { sendId: '', noticeStatus: 0 }, { sendId: '5', noticeStatus: 1 }],
  ['a purchase', as(sendpay), { sendPayStatus: 0 }, { sendPayStatus: 2 }],
  ['a result', as(result), { resultStatus: 0 }, { resultStatus: 1 }],
])('%s is edited only while its state allows it', (_name, resource, open, done) => {
  expect(labels(resource, open)).toContain('编辑')
  expect(labels(resource, done)).not.toContain('编辑')
})

test.each([
  ['a notice', as(notice), { noticeStatus: 0 }, { noticeStatus: 1 }],
  ['a purchase', as(sendpay), { sendPayStatus: 3 }, { sendPayStatus: 0 }],
  ['a fee', as(exampay), { payStatus: 0 }, { payStatus: 1 }],
  ['an exam', as(examination), { examStatus: 0 }, { examStatus: 1 }],
  ['a result', as(result), { resultStatus: 2 }, { resultStatus: 1 }],
  ['a ticket', as(examinationticket), { ticketStatus: 0 }, { ticketStatus: 1 }],
  ['a day of reconciliation', as(reconciliation), { reconStatus: 0 }, { reconStatus: 2 }],
  ['an uploaded file', as(attach), { ownerId: '' }, { ownerId: '5' }],
])('%s is removed only while its state allows it', (_name, resource, open, done) => {
  expect(labels(resource, open)).toContain('删除')
  expect(labels(resource, done)).not.toContain('删除')
})

test.each([
  ['角色配置', as(user), {}, null],
  ['密码重置', as(user), {}, null],
  ['解锁', as(user), { lockUntil: '2027-01-01 10:00:00' }, { lockUntil: '' }],
  ['通过注册', as(user), { accountStatus: AccountStatus.pending }, { accountStatus: AccountStatus.active }],
  ['列入核减名单', as(signup), { signStatus: 1, examine: 1, reduceState: 0 }, { signStatus: 1, examine: 0 }],
  ['移出核减名单', as(signup), { reduceState: 1 }, { reduceState: 0 }],
  ['催缴', as(payrecord), { payState: 0 }, { payState: 1 }],
  ['启用', as(examitems), { enable: 0 }, { enable: 1 }],
])('%s of selected rows stands in the menu of each row that it is for', (label, resource, row, other) => {
  const { rest } = arranged(buttonsAt(resource, row), resource.main)
  expect(rest.map(one => one.label)).toContain(label)
  if (other) expect(labels(resource, other)).not.toContain(label)
})

test('what a row has by itself stands there once, and what is for several rows only does not', () => {
  expect(labels(as(payrefund), { refundStatus: 0 }).filter(label => label === '批准')).toHaveLength(1)
  // One refund that is decided is not approved again by way of the selected ones.
  expect(labels(as(payrefund), { refundStatus: 3 })).not.toContain('批准')
  expect(labels(as(user), {})).not.toContain('加角色')
  expect(labels(as(invoices), { payState: 1, invoiceStatus: 1 })).not.toContain('导出待开票')
})

test('a row starts an action of selected rows for itself alone, and only who may sees it', () => {
  const started: unknown[] = []
  const row = { id: '1' }
  const buttonsFor = (...granted: string[]) =>
    rowButtons(
      row as never,
      {
        props: { resource: as(user) },
        may: (what: string) => granted.includes(what),
        actions: { start: (action: { name: string }, rows: unknown) => started.push([action.name, rows]) },
      } as never,
    )
  expect(buttonsFor('view').map(({ key }) => key)).toEqual(['view'])
  buttonsFor('resetPassword')[0]?.run()
  expect(started).toEqual([['resetPassword', [row]]])
})

const removable = resources.filter(({ can, main }) => can.includes('remove') && main !== 'all')

test.each(removable.map(one => [one.name, one] as const))('deleting stands last in the menus of %s', (_, resource) => {
  const { shown, rest } = arranged(buttonsAt(resource, resource.removable?.when ?? {}), resource.main)
  expect(shown.map(({ key }) => key)).not.toContain('remove')
  expect(rest.at(-1)).toMatchObject({ key: 'remove', danger: true })
  let warned = 0
  const removed: (readonly string[])[] = []
  const bulk = bulkButtons({
    resource,
    may: () => true,
    actions: {} as never,
    chosen: [],
    remove: (ids: readonly string[]) => removed.push(ids),
    warn: () => warned++,
  } as never)
  expect(bulk.at(-1)).toMatchObject({ key: 'remove', danger: true })
  for (const one of bulk) one.run()
  // With nothing chosen each of them asks for rows; deleting does so by itself.
  expect([warned, removed]).toEqual([bulk.length - 1, [[]]])
})
