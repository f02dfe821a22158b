import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DeliveryState, HoldStatus, RefundStatus } from '#schemas/dictionaries'
import { Datahold } from '#schemas/exams/datahold'
import { Send } from '#schemas/messages/send'
import { Sendmessage } from '#schemas/messages/sendmessage'
import { Delivery } from '#schemas/notifications/delivery'
import { Formeraddress } from '#schemas/notifications/formeraddress'
import { Payrecord } from '#schemas/payment/payrecord'
import { Payrefund } from '#schemas/payment/payrefund'
import { Signup } from '#schemas/sign-up/signup'
import { Signuplog } from '#schemas/sign-up/signuplog'
import { Datarequest } from '#schemas/system/datarequest'
import { shanghai, type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { makeDraft } from '../../../../tests/helper/exam-bench.ts'
import { makeUser } from '../../../../tests/helper/login.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import { tellDue } from '../../notifications/server/tell.ts'
import { countExpired, expireAccounts, letExpire } from './expiry.ts'

const now = '2027-03-05 18:00:00'
const nothing = { drafts: 0, requests: 0, texts: 0, addresses: 0, asked: 0, accounts: 0 }

let t: TestApp
beforeAll(async () => {
  t = await testApp({ now })
})
afterAll(() => t.close())
beforeEach(() => t.setNow(now))

const rowsOf = async (table: string, ids: readonly string[]) =>
  (await t.pool.query(`SELECT * FROM "${table}" WHERE id = ANY($1) ORDER BY id`, [ids])).rows

/** Runs the work and holds that it did what was counted, and that nothing is left. */
async function expired() {
  const due = await countExpired(t.app)
  expect(await letExpire(t.app)).toEqual(due)
  const again = await countExpired(t.app)
  expect(again).toEqual(nothing)
  expect(await letExpire(t.app)).toEqual(nothing)
  return due
}

test('forms that nobody handed in go three months after the end of the sign-up, with what belongs to them', async () => {
  const draft = async (signEndTime: Date, more: object = {}) => {
    const { exam } = await makeDraft(t, { exam: { examStatus: 1, signEndTime } })
    const userId = await makeUser(t, { role: 'candidate', lastLoginTime: t.app.now() } as never)
    const state = { signStatus: 0, submitTime: null, photo: null, ...more } as never
    const { id } = await insert(t.app, Signup, { examId: exam.id, userId, ...(state as object) } as never)
    const log = await insert(t.app, Signuplog, { signupId: id, diff: [] } as never)
    return { id, log: log.id, examId: exam.id }
  }
  const over = await draft(shanghai('2026-12-05 17:00:00'))
  const kept = [
    await draft(shanghai('2026-12-05 19:00:00')),
    await draft(shanghai('2026-12-05 17:00:00'), { submitTime: shanghai('2026-12-04 17:00:00') }),
    await draft(shanghai('2026-12-05 17:00:00'), { signStatus: 1, submitTime: shanghai('2026-12-04 17:00:00') }),
  ]
  const held = await draft(shanghai('2026-12-05 17:00:00'))
  const hold = await insert(t.app, Datahold, { examId: held.examId, holdStatus: HoldStatus.held })
  expect(await expired()).toEqual({ ...nothing, drafts: 1 })
  expect(await rowsOf('signup', [held.id])).toHaveLength(1)
  await t.db.updateTable('datahold').set({ holdStatus: HoldStatus.released }).where('id', '=', hold.id).execute()
  expect(await expired()).toEqual({ ...nothing, drafts: 1 })
  expect(await rowsOf('signup', [held.id])).toEqual([])
  expect([await rowsOf('signup', [over.id]), await rowsOf('signuplog', [over.log])]).toEqual([[], []])
  const rest = kept.map(one => one.id)
  expect((await rowsOf('signup', rest)).map(row => String(row.id)).toSorted()).toEqual(rest.toSorted())
  expect(
    await rowsOf(
      'signuplog',
      kept.map(one => one.log),
    ),
  ).toHaveLength(3)
  expect(await t.app.audit.verify('000000')).toMatchObject({ broken: null })
})

test('requests about personal data are kept for three years with who made them, and without after that', async () => {
  const request = async (time: string) => {
    const userId = await makeUser(t, { role: 'candidate', lastLoginTime: t.app.now() } as never)
    const row = await insert(t.app, Datarequest, { userId, name: '欧阳甲', requestStatus: 2 } as never)
    const updateTime = shanghai(time)
    await t.db.updateTable('datarequest').set({ updateTime }).where('id', '=', row.id).execute()
    return row
  }
  const [old, young] = [await request('2024-03-01 09:00:00'), await request('2024-03-09 09:00:00')]
  expect(await expired()).toEqual({ ...nothing, requests: 1 })
  const [first, last] = [await rowsOf('datarequest', [old.id]), await rowsOf('datarequest', [young.id])]
  expect([first[0]?.name, last[0]?.name]).toEqual(['已清除', '欧阳甲'])
})

test('text messages without an exam lose after two years whom they were for and what they said; those of an exam go with it', async () => {
  const { exam } = await makeDraft(t)
  const message = async (examId: string | null, time: string) => {
    const send = await insert(t.app, Send, { examId } as never)
    const row = await insert(t.app, Sendmessage, { sendId: send.id, name: '欧阳丙', content: '请携带证件' } as never)
    await t.db
      .updateTable('sendmessage')
      .set({ createTime: shanghai(time) })
      .where('id', '=', row.id)
      .execute()
    return row.id
  }
  const old = await message(null, '2025-03-05 17:00:00')
  const kept = [await message(null, '2025-03-05 19:00:00'), await message(exam.id, '2025-03-05 17:00:00')]
  expect(await expired()).toEqual({ ...nothing, texts: 1 })
  expect(await rowsOf('sendmessage', [old])).toMatchObject([
    { name: null, params: null, content: '已清除', phoneHash: null, phoneMask: '已清除' },
  ])
  const rest = await rowsOf('sendmessage', kept)
  expect(rest.map(row => [row.name, row.content])).toEqual([
    ['欧阳丙', '请携带证件'],
    ['欧阳丙', '请携带证件'],
  ])
  expect(rest.every(row => row.phoneHash !== null)).toBe(true)
})

test('the address that a message went to is blanked after six months, which is no failure of today', async () => {
  const userId = await makeUser(t, { role: 'candidate', lastLoginTime: t.app.now() } as never)
  const delivery = async (messageId: string, time: string) => {
    const sendTime = shanghai(time)
    const more = { userId, messageId, sendTime, examId: null, deliveryState: DeliveryState.failed }
    const row = await insert(t.app, Delivery, more as never)
    await t.db.updateTable('delivery').set({ createTime: sendTime }).where('id', '=', row.id).execute()
    return row.id
  }
  const [old, young] = [await delivery('91', '2026-09-05 17:00:00'), await delivery('92', '2026-09-05 19:00:00')]
  const before = await rowsOf('delivery', [old, young])
  expect(await expired()).toEqual({ ...nothing, addresses: 1 })
  const [first, last] = await rowsOf('delivery', [old, young])
  expect(first).toMatchObject({ addressHash: null, addressMask: '已清除', sendTime: shanghai('2026-09-05 17:00:00') })
  expect(t.app.vault.open(first.address)).toBe('已清除')
  expect(last).toEqual(before[1])
})

test('an address of before that a change was told at goes after six months, too', async () => {
  const userId = await makeUser(t, { role: 'candidate', lastLoginTime: t.app.now() } as never)
  const former = async (channel: string, time: string) => {
    const row = await insert(t.app, Formeraddress, { userId, eventId: '1', channel } as never)
    await t.db
      .updateTable('formeraddress')
      .set({ createTime: shanghai(time) })
      .where('id', '=', row.id)
      .execute()
    return row.id
  }
  const [old, young] = [await former('sms', '2026-09-05 17:00:00'), await former('mail', '2026-09-05 19:00:00')]
  const before = await rowsOf('formeraddress', [old, young])
  expect(await expired()).toEqual({ ...nothing, addresses: 1 })
  const [first, last] = await rowsOf('formeraddress', [old, young])
  expect(first).toMatchObject({ addressHash: null, addressMask: '已清除' })
  expect(last).toEqual(before[1])
})

test('what goes by itself is counted for each tenant by itself', async () => {
  const { exam } = await makeDraft(t, { exam: { examStatus: 1, signEndTime: shanghai('2026-12-05 17:00:00') } })
  const userId = await makeUser(t, { role: 'candidate', lastLoginTime: t.app.now() } as never)
  const state = { signStatus: 0, submitTime: null, photo: null }
  await insert(t.app, Signup, { examId: exam.id, userId, ...state } as never)
  expect(await countExpired(t.app, exam.tenantId)).toEqual({ ...nothing, drafts: 1 })
  expect(await countExpired(t.app, '900001')).toEqual(nothing)
  expect(await expired()).toEqual({ ...nothing, drafts: 1 })
})

describe('the account of a candidate without a sign-up', () => {
  const away = (lastLoginTime: string) =>
    makeUser(t, { role: 'candidate', lastLoginTime: shanghai(lastLoginTime) } as never)
  const nameOf = async (id: string) => (await rowsOf('user', [id]))[0]?.realName

  test('goes three years after it was last used, thirty days after its owner was told', async () => {
    const gone = await away('2024-04-01 09:00:00')
    const back = await away('2024-04-01 09:00:00')
    const used = await away('2024-04-09 09:00:00')
    const busy = await away('2024-04-01 09:00:00')
    const { exam } = await makeDraft(t, { exam: { examStatus: 1 } })
    await insert(t.app, Signup, { examId: exam.id, userId: busy, signStatus: 1, name: '在报名' } as never)
    const staff = await makeUser(t, { role: 'reviewer', lastLoginTime: shanghai('2020-01-01 09:00:00') } as never)

    expect(await expired()).toEqual({ ...nothing, asked: 2 })
    await tellDue(t.app)
    const told = await t.db.selectFrom('message').select('userId').where('code', '=', 'user.expiring').execute()
    expect(told.map(one => one.userId).toSorted()).toEqual([gone, back].toSorted())

    // Who signs in meanwhile keeps the account, and is asked anew after years.
    t.setNow('2027-04-04 17:00:00')
    await t.db.updateTable('user').set({ lastLoginTime: t.app.now() }).where('id', '=', back).execute()
    expect((await countExpired(t.app)).accounts).toBe(0)
    t.setNow('2027-04-04 18:00:00')
    expect(await expired()).toMatchObject({ accounts: 1, asked: 1 })
    expect(await nameOf(gone)).toBe('已清除')
    for (const id of [back, used, busy, staff]) expect(await nameOf(id)).not.toBe('已清除')
    expect(await rowsOf('user', [gone])).toMatchObject([{ accountStatus: 2, password: null, idCardHash: null }])
    expect(await t.app.audit.verify('000000')).toMatchObject({ broken: null })
  })

  test('that something stands against stays, and keeps no other from going', async () => {
    const stuck = [await away('2024-04-01 09:00:00'), await away('2024-04-01 09:00:00')]
    const other = await makeUser(t, { role: 'candidate', lastLoginTime: t.app.now() } as never)
    for (const userId of stuck) {
      const { exam } = await makeDraft(t)
      const entered = { examId: exam.id, userId: other, signStatus: 1 }
      const { id: signupId } = await insert(t.app, Signup, entered as never)
      const { id } = await insert(t.app, Payrecord, { userId, signupId, examId: exam.id } as never)
      await insert(t.app, Payrefund, { payRecordId: id, refundStatus: RefundStatus.processing } as never)
    }
    const free = await away('2024-04-01 09:00:00')
    await letExpire(t.app)
    t.setNow('2027-04-05 18:00:00')
    expect(await countExpired(t.app)).toMatchObject({ accounts: 3 })
    // As many as are read at once stand before the one that can go.
    expect(await expireAccounts(t.app, undefined, 2)).toBe(1)
    expect(await nameOf(free)).toBe('已清除')
    for (const id of stuck) expect(await nameOf(id)).not.toBe('已清除')
    expect(await expireAccounts(t.app, undefined, 2)).toBe(0)
    await t.db.updateTable('payrefund').set({ refundStatus: RefundStatus.succeeded }).execute()
    expect(await expireAccounts(t.app, undefined, 2)).toBe(2)
  })
})
