import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { LedgerType, MsgStatus, SendStatus, WorkState } from '#schemas/dictionaries'
import { balanceOf } from '../../src/modules/messages/server/ledger.ts'
import { type TestApp, testApp } from '../helper/app.ts'
import { type Fleet, type Load, startFleet, underKills } from '../helper/fleet.ts'
import { type Caller, signIn } from '../helper/person.ts'
import { samplePhone } from '../helper/sample.ts'
import { addTo, give, makeDraft, makeTemplate, program } from '../helper/send-bench.ts'

// Staff let sendings go out while servers are killed. The channel takes its time, so that many are killed between the mark on
// a message and the answer of the channel. A message is handed to the channel once: what a dead server left is asked about.

const [receivers, most, kills] = [12, 48, 12]
const given = receivers * most

let t: TestApp
let fleet: Fleet
let staff: Caller

beforeAll(async () => {
  t = await testApp()
  // Every time the channel is handed a message, also one that it has already, in which case it keeps the first.
  await t.pool.query(`
    CREATE TABLE sms_attempt (id text, time timestamptz NOT NULL DEFAULT clock_timestamp());
    CREATE FUNCTION note_attempt() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO sms_attempt VALUES (NEW.id); PERFORM pg_sleep(0.3); RETURN NEW; END $$;
    CREATE TRIGGER note_attempt BEFORE INSERT ON sms_outbox FOR EACH ROW EXECUTE FUNCTION note_attempt()`)
  fleet = await startFleet(t)
  staff = await signIn(t, { role: 'admin' })
})
afterAll(async () => {
  await fleet?.stop()
  await t?.close()
})

const base = '/blade-send/send'

test('messages are handed to the channel once each, and none is lost', async () => {
  const templateId = (await makeTemplate(t)).id
  await give(t, given)
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
          expect(await fleet.insist(`${base}/${act}?id=${id}`, { headers, body: { confirm: '1' } })).toMatchObject({
            code: 200,
          })
      } else expect(await fleet.insist(`${base}/page`, { headers, method: 'GET' })).toMatchObject({ code: 200 })
      load.done()
      await sleep(100)
    }
  }
  await underKills(fleet, kills, [sender, sender], { pause: [1000, 5500] })

  const open = async (states: readonly number[]) => {
    const rows = t.db
      .selectFrom('sendmessage')
      .select('id')
      .where('msgStatus', 'in', states as never)
      .orderBy('id')
    return (await rows.execute()).map(row => row.id)
  }
  // Those that nobody is at any more: the minute after which they are asked about is taken as over.
  await vi.waitFor(
    async () => {
      expect(await open([MsgStatus.queued])).toEqual([])
      const before = await open([MsgStatus.sending])
      await sleep(3000)
      expect(await open([MsgStatus.sending])).toEqual(before)
      if (before.length > 0) {
        const minute = `"sendTime" = "sendTime" - interval '1 minute'`
        await t.pool.query(`UPDATE sendmessage SET ${minute} WHERE id = ANY($1) AND "msgStatus" = $2`, [
          before,
          MsgStatus.sending,
        ])
        await t.pool.query(`UPDATE work_item SET "runAt" = now() WHERE kind = 'sms.send' AND state = $1`, [
          WorkState.waiting,
        ])
      }
      expect(before).toEqual([])
    },
    { timeout: 180_000, interval: 2000 },
  )
  await vi.waitFor(
    async () => {
      const rows = await t.db.selectFrom('send').select(['id', 'sendStatus', 'successNum']).execute()
      expect(rows).toHaveLength(sends.length)
      for (const row of rows) expect(row).toMatchObject({ sendStatus: SendStatus.done, successNum: receivers })
    },
    { timeout: 60_000, interval: 1000 },
  )
  const { rows: handed } = await t.pool.query<{ message: string; n: number }>(
    `SELECT split_part(id, '-', 1) AS message, count(*)::int AS n FROM sms_attempt GROUP BY 1`,
  )
  expect(handed.filter(one => one.n !== 1)).toEqual([])
  const messages = await t.db.selectFrom('sendmessage').select(['id', 'msgStatus']).execute()
  expect(messages.filter(one => one.msgStatus !== MsgStatus.sent)).toEqual([])
  expect(messages.map(one => one.id).toSorted()).toEqual(handed.map(one => one.message).toSorted())
  const used = await t.db
    .selectFrom('sendledger')
    .select(['refId', 'num'])
    .where('changeType', '=', LedgerType.use)
    .execute()
  expect(used.map(one => one.refId).toSorted()).toEqual(sends.toSorted())
  expect(used.every(one => one.num === -receivers)).toBe(true)
  expect(await balanceOf(program(t))).toBe(given - messages.length)
  expect(fleet.faults).toEqual([])
  console.log(`${messages.length} messages of ${sends.length} sendings`)
})
