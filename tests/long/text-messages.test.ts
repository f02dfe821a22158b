import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { MsgStatus, SendStatus, SmsVendor, WorkState } from '#schemas/dictionaries'
import { addReceivers, receiverOf } from '../../src/modules/messages/server/receivers.ts'
import { lockDraft, templateOf } from '../../src/modules/messages/server/rows.ts'
import { type TestApp, testApp } from '../helper/app.ts'
import { buildCopy, copyProgram } from '../helper/copy.ts'
import { type Fleet, type Load, startFleet, underKills } from '../helper/fleet.ts'
import { type Caller, signIn } from '../helper/person.ts'
import { samplePhone } from '../helper/sample.ts'
import { give, makeDraft, program } from '../helper/send-bench.ts'
import { type SmsProviderServer, smsProvider } from '../helper/sms-providers.ts'

// Three servers are killed while messages go out by a provider outside, which takes its time and loses some of its answers. What counts
// is the provider's own book: every message stands in it once. With a program that writes a message down only once it is out, some
// stand in it twice.

let provider: SmsProviderServer
let t: TestApp
let fleet: Fleet
let staff: Caller

/** Three servers of the program and a provider that they send by, without anything that was sent before. */
async function begin(program?: string): Promise<void> {
  provider = await smsProvider('yunpian')
  let answers = 0
  provider.beforeAnswer(async () => {
    // Two of a hundred that come next are taken and not answered, and one is cut before.
    if (++answers % 50 === 0) provider.will('cut')
    if (answers % 100 === 1) provider.will('deaf')
    await sleep(200)
  })
  t = await testApp()
  const options = { servers: 3, ...(program && { program }) }
  fleet = await startFleet(t, { SMS_HOSTS: `yunpian=${provider.host}` }, options)
  staff = await signIn(t, { role: 'admin' })
}
afterEach(async () => {
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

/** A draft to so many people. @returns its id */
async function draftTo(people: number, templateId: string, from: number): Promise<string> {
  const id = await makeDraft(t, staff, templateId)
  const params = { name: '张三', examName: '笔试' }
  const receivers = Array.from({ length: people }, (_, n) =>
    receiverOf(t.app, '000000', samplePhone(from + n), '张三', params),
  )
  await program(t)
    .transaction()
    .execute(async trx => {
      const draft = await lockDraft(trx, id)
      expect(await addReceivers(trx, draft, await templateOf(trx, draft), receivers)).toMatchObject({ added: people })
    })
  return id
}

/** Lets a sending go out. */
async function start(id: string): Promise<void> {
  const question = { headers: staff.headers, body: { confirm: '1' } }
  for (const act of ['useBalance', 'sendMessage'])
    expect(await fleet.insist(`/blade-send/send/${act}?id=${id}`, question)).toMatchObject({ code: 200 })
}

/** How many messages have not gone out. */
async function left(): Promise<number> {
  const rows = t.db.selectFrom('sendmessage').select(eb => eb.fn.countAll<string>().as('n'))
  const { n } = await rows.where('msgStatus', 'in', [MsgStatus.sending, MsgStatus.queued]).executeTakeFirstOrThrow()
  return Number(n)
}

/**
 * Sends while servers are killed, until everything is out.
 * @param sendings how many, of so many people each
 * @returns our numbers in the book of the provider
 */
async function sendUnderKills(sendings: number, people: number, kills: number): Promise<string[]> {
  const templateId = await account()
  await give(t, sendings * people)
  const drafts: string[] = []
  for (let n = 0; n < sendings; n++) drafts.push(await draftTo(people, templateId, n * people + 1))
  const waiting = [...drafts]
  const sender = async (load: Load) => {
    while (load.goesOn()) {
      // Some are always under way, so that no kill meets servers with nothing to do.
      if (waiting.length > 0 && (await left()) < 2 * people) await start(waiting.pop()!)
      load.done()
      await sleep(100)
    }
  }
  await underKills(fleet, kills, [sender], { pause: [500, 4000] })
  for (const id of waiting) await start(id)
  await vi.waitFor(
    async () => {
      await letTimePass()
      const rows = await t.db.selectFrom('send').select(['sendStatus', 'successNum']).execute()
      expect(rows).toEqual(drafts.map(() => ({ sendStatus: SendStatus.done, successNum: people })))
    },
    { timeout: 900_000, interval: 2000 },
  )
  expect(fleet.faults).toEqual([])
  return provider.taken.map(one => one.id).toSorted()
}

const doubles = (booked: readonly string[]) => booked.filter((id, at) => booked[at - 1] === id)

test('messages stand in the book of the provider once each, and none is lost', { timeout: 2_400_000 }, async () => {
  await begin()
  const booked = await sendUnderKills(20, 300, 40)
  const messages = await t.db.selectFrom('sendmessage').select(['id', 'msgStatus']).execute()
  expect(messages.filter(one => one.msgStatus !== MsgStatus.sent)).toEqual([])
  expect(doubles(booked)).toEqual([])
  expect(booked).toEqual(messages.map(one => `${one.id}-0`).toSorted())
  console.log(`${booked.length} messages, ${provider.state.questions} questions`)
})

test('a program that writes them down only once they are out sends some twice', async () => {
  const copy = await copyProgram({}, {})
  onTestFinished(() => copy.remove())
  const file = path.join(copy.folder, 'src/platform/channels/sms/real-sms.ts')
  const text = await readFile(file, 'utf8')
  const writesDown = /ledger\.begin\((.*)\)\n/
  const [, entry] = writesDown.exec(text) ?? []
  const changed = text
    .replace(writesDown, 'ledger.find(id)\n')
    .replace('await ledger.done(id, bizNo)', `await ledger.begin(${entry})\n    await ledger.done(id, bizNo)`)
  expect(changed).toContain(`begin(${entry})`)
  await writeFile(file, changed)
  buildCopy(copy)
  await begin(path.join(copy.folder, 'dist/server/server.js'))
  expect(doubles(await sendUnderKills(4, 150, 12)).length).toBeGreaterThan(0)
})
