import { afterAll, beforeAll, expect, test } from 'vitest'
import { Reconciliation } from '#schemas/payment/reconciliation'
import { Contact } from '#schemas/system/contact'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { signIn } from '../../../../tests/helper/person.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import { mailHash } from '../../../platform/accounts/server/contacts.ts'
import { digestDue } from './digest.ts'

let t: TestApp
beforeAll(async () => {
  // A Friday.
  t = await testApp({ now: '2026-12-04 08:59:00' })
})
afterAll(() => t?.close())

test('staff who take e-mails are told of their work once on the morning of a work day, nobody else', async () => {
  await insert(t.app, Reconciliation, { reconStatus: 2 })
  const staff = async (role: string, permissions: string[], address: object | null) => {
    const { userId } = await signIn(t, { role, permissions })
    const email = `${role}@example.org`
    await t.db.updateTable('user').set({ email }).where('id', '=', userId).execute()
    const addressHash = mailHash(t.app, '000000', email)
    if (address)
      await insert(t.app, Contact, { userId, channel: 'mail', isOff: 0, addressHash, problem: null, ...address })
    return userId
  }
  const told = await staff('digest_told', ['reconciliation'], {})
  await staff('digest_idle', ['news'], {})
  await staff('digest_off', ['reconciliation'], { isOff: 1 })
  await staff('digest_unconfirmed', ['reconciliation'], { addressHash: 'x' })
  await staff('digest_none', ['reconciliation'], null)
  const events = async () =>
    (await t.db.selectFrom('event').select(['subjectId', 'facts']).where('code', '=', 'user.digest').execute()).map(
      ({ subjectId, facts }) => [subjectId, facts],
    )
  const at = async (time: string) => {
    t.setNow(time)
    await Promise.all([digestDue(t.app), digestDue(t.app)])
    return (await events()).length
  }
  expect(await at('2026-12-04 08:59:00')).toBe(0)
  expect(await at('2026-12-04 09:00:00')).toBe(1)
  expect(await at('2026-12-04 09:30:00')).toBe(1)
  expect(await events()).toEqual([[told, { num: 1, kinds: 1, late: 0 }]])
  expect(await at('2026-12-05 09:00:00')).toBe(1)
  expect(await at('2026-12-07 11:00:00')).toBe(1)
  expect(await at('2026-12-07 09:10:00')).toBe(2)
})
