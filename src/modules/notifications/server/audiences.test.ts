import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AudienceName } from '#engine'
import { ExamRole } from '#schemas/dictionaries'
import { Examination } from '#schemas/exams/examination'
import { Examuser } from '#schemas/exams/examuser'
import { Payrecord } from '#schemas/payment/payrecord'
import { Payrefund } from '#schemas/payment/payrefund'
import { shanghai, type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { signIn } from '../../../../tests/helper/person.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import { program } from '../../../../tests/helper/send-bench.ts'
import { nextPeople } from './audiences.ts'

const now = shanghai('2026-12-01 09:00:00')
let t: TestApp
beforeAll(async () => {
  t = await testApp({ now: '2026-12-01 09:00:00' })
})
afterAll(() => t?.close())

/** Staff with a right, with appointments. */
async function staff(permission: string, appointments: readonly Partial<Examuser>[]) {
  const { userId } = await signIn(t, { role: `clerk-${permission}`, permissions: [permission] })
  for (const one of appointments)
    await insert(t.app, Examuser, { userId, enable: 1, startTime: null, endTime: null, ...one })
  return userId
}

test('staff are told of rows that they meet, by appointments that hold', async () => {
  const [exam, other] = [await insert(t.app, Examination), await insert(t.app, Examination)]
  const record = await insert(t.app, Payrecord, { examId: exam.id })
  const refund = await insert(t.app, Payrefund, { payRecordId: record.id })
  const [here, elsewhere] = [exam.id, other.id].map(examId => ({ examId, examRole: ExamRole.finance }))
  const ended = { ...here, endTime: shanghai('2026-11-30 18:00:00') }
  const early = { ...here, startTime: shanghai('2026-12-02 09:00:00') }
  const admin = (await signIn(t, { role: 'admin' })).userId
  const people: Record<string, string> = {
    admin,
    refunds: await staff('payrefund_approve', [here!]),
    refundsElsewhere: await staff('payrefund_approve', [elsewhere!]),
    refundsEnded: await staff('payrefund_approve', [ended]),
    refundsEarly: await staff('payrefund_approve', [early]),
    refundsNowhere: await staff('payrefund_approve', []),
    invoices: await staff('payrecord_invoice', [here!]),
    invoicesElsewhere: await staff('payrecord_invoice', [elsewhere!]),
    officer: await staff('datarequest_handle', []),
    manager: await staff('examination', [{ examId: exam.id, examRole: ExamRole.manager }]),
    managerEnded: await staff('examination', [{ ...ended, examRole: ExamRole.manager }]),
  }
  const told = async (to: AudienceName, code: string, subjectId: string, examId: string | null) => {
    const occasion = { code, subjectId, examId, createUser: null, createTime: now, facts: {} }
    const found = await program(t)
      .transaction()
      .execute(trx => nextPeople(t.app, trx, [to], occasion as never, null, 500))
    return Object.keys(people).filter(name => found.includes(people[name] ?? ''))
  }
  expect(await told('finance', 'payrefund.asked', refund.id, null)).toEqual(['admin', 'refunds'])
  expect(await told('finance.invoices', 'payrecord.invoiceAsked', record.id, exam.id)).toEqual(['admin', 'invoices'])
  expect(await told('exam.managers', 'objection.filed', '1', exam.id)).toEqual(['manager'])
  expect(await told('data.officers', 'datarequest.asked', '1', null)).toEqual(['admin', 'officer'])
  expect(await told('exam.staff', 'examination.closed', exam.id, null)).toEqual(['refunds', 'invoices', 'manager'])
  // The books of a day belong to no exam.
  expect(await told('finance', 'reconciliation.differs', '1', null)).toEqual([
    'admin',
    'refunds',
    'refundsElsewhere',
    'refundsEnded',
    'refundsEarly',
    'refundsNowhere',
  ])
})
