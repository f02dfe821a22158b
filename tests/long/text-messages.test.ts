import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { MsgStatus, SendStatus, SmsVendor, WorkState } from '#schemas/dictionaries'
import { type TestApp, testApp } from '../helper/app.ts'
import { type Fleet, type Load, startFleet, underKills } from '../helper/fleet.ts'
import { type Caller, signIn } from '../helper/person.ts'
import { samplePhone } from '../helper/sample.ts'
import { addTo, give, makeDraft } from '../helper/send-bench.ts'
import { type SmsProviderServer, smsProvider } from '../helper/sms-providers.ts'

// Servers are killed while messages go out by a provider outside, which takes its time and loses some of its answers. What counts is
// the provider's own book: every message stands in it once.

const [receivers, most, kills] = [12, 40, 10]

let provider: SmsProviderServer
let t: TestApp
let fleet: Fleet
let staff: Caller

beforeAll(async () => {
  provider = await smsProvider('yunpian')
  let answers = 0
  provider.beforeAnswer(async () => {
    // Two of a hundred that come next are taken and not answered, and one is cut before.
    if (++answers % 50 === 0) provider.will('cut')
    if (answers % 100 === 1) provider.will('deaf')
    await sleep(300)
  })
  t = await testApp()
  fleet = await startFleet(t, { SMS_HOSTS: `yunpian=${provider.host}` })
  staff = await signIn(t, { role: 'admin' })
})
afterAll(async () => {
  await fleet?.stop()
  await t?.close()
  await provider?.close()
})

/** An account at the provider, in use. @returns the id of its row */
async function account(): Promise<string> {
  const { headers } = staff
  const values = {
    category: SmsVendor.yunpian,
    smsCode: 'notice',
    priority: 1,
    templateId: '1',
    templateContent: '{name}您好，{examName}请尽快缴费。',
    signName: '聚贤',
    accessKey: provider.account.accessKey,
  }
  expect(await fleet.insist('/blade-resource/sms/submit', { headers, body: values })).toMatchObject({ code: 200 })
  const { id } = await t.db.selectFrom('sms').select('id').where('smsCode', '=', 'notice').executeTakeFirstOrThrow()
  expect(await fleet.insist(`/blade-resource/sms/enable?id=${id}`, { headers, body: {} })).toMatchObject({ code: 200 })
  return id
}

/** Messages under way. */
async function underWay(): Promise<string[]> {
  const rows = t.db.selectFrom('sendmessage').select('id').where('msgStatus', '=', MsgStatus.sending).orderBy('id')
  return (await rows.execute()).map(row => row.id)
}

/**
 * Lets the time pass after which messages in doubt are asked about, and after which a provider is certain that it never had one: once
 * nobody is at any of them.
 */
async function letTimePass(): Promise<void> {
  const before = await underWay()
  await sleep(4000)
  if ((await underWay()).join() !== before.join()) return
  await t.pool.query(
    `UPDATE sms_sent SET time = time - interval '11 minutes', asked = NULL WHERE "bizNo" IS NULL AND NOT told`,
  )
  await t.pool.query(`UPDATE sendmessage SET "sendTime" = "sendTime" - interval '1 minute' WHERE "msgStatus" = $1`, [
    MsgStatus.sending,
  ])
  await t.pool.query(`UPDATE sendmessage SET "goAt" = now() WHERE "msgStatus" = $1`, [MsgStatus.queued])
  await t.pool.query(`UPDATE work_item SET "runAt" = now() WHERE kind = 'sms.send' AND state = $1`, [WorkState.waiting])
}

test('messages stand in the book of the provider once each, and none is lost', async () => {
  const templateId = await account()
  await give(t, receivers * most)
  const sends: string[] = []
  const { headers } = staff
  const sender = async (load: Load) => {
    while (load.goesOn()) {
      if (sends.length < most) {
        const id = await makeDraft(t, staff, templateId)
        sends.push(id)
        for (let n = 0; n < receivers; n++)
          expect(await addTo(t, staff, id, samplePhone(sends.length * 100 + n + 1))).toMatchObject({ code: 200 })
        for (const act of ['useBalance', 'sendMessage'])
          expect(
            await fleet.insist(`/blade-send/send/${act}?id=${id}`, { headers, body: { confirm: '1' } }),
          ).toMatchObject({ code: 200 })
      }
      load.done()
      await sleep(100)
    }
  }
  await underKills(fleet, kills, [sender, sender], { pause: [1000, 5500] })
  await vi.waitFor(
    async () => {
      await letTimePass()
      const rows = await t.db.selectFrom('send').select(['sendStatus', 'successNum']).execute()
      expect(rows).toEqual(sends.map(() => ({ sendStatus: SendStatus.done, successNum: receivers })))
    },
    { timeout: 240_000, interval: 5000 },
  )
  const messages = await t.db.selectFrom('sendmessage').select(['id', 'msgStatus']).execute()
  expect(messages.filter(one => one.msgStatus !== MsgStatus.sent)).toEqual([])
  const booked = provider.taken.map(one => one.id).toSorted()
  expect(booked.filter((id, at) => booked[at - 1] === id)).toEqual([])
  expect(booked).toEqual(messages.map(one => `${one.id}-0`).toSorted())
  expect(fleet.faults).toEqual([])
  console.log(`${booked.length} messages of ${sends.length} sendings, ${provider.state.questions} questions`)
})
