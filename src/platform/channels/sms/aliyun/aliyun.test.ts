import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { MsgStatus } from '#schemas/dictionaries'
import { Message } from '#schemas/notifications/message'
import { Sms } from '#schemas/resource/sms'
import { type TestApp, testApp } from '../../../../../tests/helper/app.ts'
import { stayLoggedIn } from '../../../../../tests/helper/login.ts'
import { as, morning } from '../../../../../tests/helper/pay-exam.ts'
import { type Caller, signIn } from '../../../../../tests/helper/person.ts'
import { insert, samplePhone } from '../../../../../tests/helper/sample.ts'
import { give, sendOut } from '../../../../../tests/helper/send-bench.ts'
import { type SmsProviderServer, smsProvider } from '../../../../../tests/helper/sms-providers.ts'
import { resend } from '../../../../modules/messages/server/queue.ts'
import { signedHeaders } from './signature.ts'

let aliyun: SmsProviderServer
let t: TestApp
let staff: Caller
let smsId: string
const config = {
  demo: false,
  get smsHosts() {
    return { aliyun: aliyun.host }
  },
}
beforeAll(async () => {
  aliyun = await smsProvider('aliyun', () => t.app.now())
  t = await testApp({ now: morning, config })
  staff = await signIn(t, { role: 'administrator' })
})
afterAll(async () => {
  await t?.close()
  await aliyun?.close()
})
beforeEach(async () => {
  t.setNow(morning)
  await stayLoggedIn(t)
  await t.pool.query(
    'TRUNCATE sms, sms_sent, sms_day, sms_circuit, throttle, sendledger, send, sendmessage, work_item, log_usual CASCADE',
  )
  aliyun.clear()
  const row = await insert(t.app, Sms, {
    category: 3,
    smsCode: 'notice',
    priority: 1,
    templateId: 'SMS_1',
    signName: '聚贤',
    smsStatus: 1,
    templateContent: '验证码{code}',
    accessKey: '',
    secretKey: '',
  })
  smsId = row.id
  await useKeys(aliyun.account)
  await give(t, 50)
})

const useKeys = ({ accessKey, secretKey }: { accessKey: string; secretKey: string }) =>
  t.db
    .updateTable('sms')
    .set({ accessKey: t.app.vault.seal(accessKey), secretKey: t.app.vault.seal(secretKey) })
    .where('id', '=', smsId)
    .execute()

const later = (seconds: number) => t.setNow(new Date(t.app.now().getTime() + seconds * 1000))
const send = async (...phones: string[]) => {
  const values = { code: 'notice', phones: phones.join(','), params: JSON.stringify({ code: '1 & 2/三' }) }
  const answer = await as(t, staff).post('/api/blade-resource/sms/endpoint/send-message', values)
  expect(answer).toMatchObject({ data: { accepted: phones.length } })
  await sendOut(t)
}
const states = async () => {
  const rows = await t.db.selectFrom('sendmessage').select(['msgStatus', 'errMsg']).orderBy('id').execute()
  return rows.map(row => [row.msgStatus, row.errMsg])
}
const sending = () => t.db.selectFrom('send').selectAll().executeTakeFirstOrThrow()
const [waiting, underway, sent, failed, cancelled] = [0, 1, 2, 3, MsgStatus.cancelled]

test('a call is signed as the example of the provider’s description', () => {
  const headers = signedHeaders(
    { accessKey: 'YourAccessKeyId', secretKey: 'YourAccessKeySecret' },
    {
      host: 'ecs.cn-shanghai.aliyuncs.com',
      action: 'RunInstances',
      version: '2014-05-26',
      params: { RegionId: 'cn-shanghai', ImageId: 'win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd' },
      time: new Date('2023-10-26T10:22:32Z'),
      nonce: '3156853299f313e23d1673dc12e1703d',
    },
  )
  expect(headers.authorization).toMatch(/Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0$/)
})

describe('a message', () => {
  test('goes out once, under our number, by the template and signature of the settings', async () => {
    await send(samplePhone(1))
    const { rows } = await t.pool.query('SELECT id::text, "bizNo" FROM sendmessage')
    expect(aliyun.taken).toEqual([
      {
        id: `${rows[0].id}-0`,
        bizNo: 'B0',
        phone: samplePhone(1),
        template: 'SMS_1',
        signName: '聚贤',
        params: { code: '1 & 2/三' },
      },
    ])
    expect([rows[0].bizNo, await states()]).toEqual(['B0', [[sent, null]]])
    const kept = await t.db.selectFrom('sms_sent').selectAll().executeTakeFirstOrThrow()
    expect(JSON.stringify(kept)).not.toContain(samplePhone(1))
  })

  test.each([
    ['a wrong secret', { secretKey: 'other' }, 'secretKey不正确'],
    ['a wrong key', { accessKey: 'other' }, 'accessKey不正确'],
  ])('with %s waits, says why, and goes when the settings are mended', async (_, keys, words) => {
    await useKeys({ ...aliyun.account, ...keys })
    await send(samplePhone(1))
    expect([await states(), aliyun.taken]).toEqual([[[waiting, words]], []])
    const { rows } = await t.pool.query('SELECT "pauseReason" FROM sms')
    expect(rows).toEqual([{ pauseReason: words }])
    await useKeys(aliyun.account)
    later(301)
    await stayLoggedIn(t)
    await sendOut(t)
    expect(await states()).toEqual([[waiting, `短信通道已暂停：${words}`]])
    expect(await as(t, staff).post(`/api/blade-resource/sms/resume?id=${smsId}`)).toMatchObject({ code: 200 })
    later(301)
    await sendOut(t)
    expect([await states(), aliyun.taken.length]).toEqual([[[sent, null]], 1])
  })

  test('waits a day for settings that are mended, then it has failed', async () => {
    aliyun.always('poor')
    await send(samplePhone(1))
    later(86_400)
    await sendOut(t)
    later(301)
    await sendOut(t)
    expect(await states()).toEqual([[failed, '短信通道已暂停：服务商账户余额不足']])
  })

  test('that is refused has failed', async () => {
    aliyun.will('refuse')
    await send(samplePhone(1))
    expect(await states()).toEqual([[failed, '手机号码不正确']])
  })

  test('that was taken without an answer is asked about, not sent again', async () => {
    aliyun.will('cut')
    await send(samplePhone(1))
    expect(await states()).toEqual([[underway, null]])
    later(61)
    await sendOut(t)
    expect([await states(), aliyun.taken.length]).toEqual([[[sent, null]], 1])
  })

  test('that was never heard of goes again once that is certain, and is asked about now and then', async () => {
    aliyun.will('deaf')
    await send(samplePhone(1))
    for (const seconds of [61, 60, 60, 60]) {
      later(seconds)
      await sendOut(t)
    }
    expect([await states(), aliyun.taken.length, aliyun.state.questions]).toEqual([[[underway, null]], 0, 1])
    later(360)
    await sendOut(t)
    expect([await states(), aliyun.state.questions]).toEqual([[[sent, null]], 2])
  })

  test('goes later when there are too many at a time: after 1, 5 and 30 minutes, then it has failed', async () => {
    aliyun.will('throttle')
    await send(samplePhone(1))
    expect(await states()).toEqual([[waiting, '短信服务商拒绝：Throttling.User']])
    later(59)
    await sendOut(t)
    expect(aliyun.taken).toEqual([])
    later(1)
    await sendOut(t)
    expect([await states(), aliyun.taken.length]).toEqual([[[sent, null]], 1])
    later(60)
    aliyun.always('throttle')
    await send(samplePhone(2))
    for (const seconds of [60, 300]) {
      later(seconds)
      await sendOut(t)
    }
    expect((await states())[1]?.[0]).toBe(waiting)
    later(1800)
    await sendOut(t)
    expect((await states())[1]).toEqual([failed, '短信服务商拒绝：Throttling.User'])
  })

  test('of one number goes out once, whoever sends it and how often', async () => {
    const second = await testApp({ url: t.url, now: morning, config })
    const message = {
      id: 'x-0',
      tenantId: '000000',
      smsCode: 'notice',
      phone: samplePhone(1),
      params: {},
    }
    const tries = [t, second, t, second].map(({ app }) => app.sms.send(message).catch(() => null))
    const bizNos = (await Promise.all(tries)).filter(one => one !== null)
    expect([new Set(bizNos.map(one => one.bizNo)).size, aliyun.taken.length]).toEqual([1, 1])
    await expect(second.app.sms.send(message)).resolves.toEqual({ bizNo: 'B0' })
    await second.close()
  })
})

test('a receipt that says otherwise makes a failure of it, which may be sent again', async () => {
  await send(samplePhone(1), samplePhone(2))
  expect(await sending()).toMatchObject({ sendStatus: 4, successNum: 2 })
  for (const { id } of aliyun.taken) aliyun.end(id, null)
  const lost = aliyun.taken.find(one => one.phone === samplePhone(2))?.id ?? ''
  aliyun.end(lost, 'MOBILE_NOT_ON_SERVICE')
  expect([await t.app.sms.pull(), await t.app.sms.pull()]).toEqual([2, 0])
  expect((await states()).toSorted()).toEqual([
    [sent, null],
    [failed, '未送达：MOBILE_NOT_ON_SERVICE'],
  ])
  expect(await sending()).toMatchObject({ sendStatus: 5, successNum: 1, failNum: 1 })
  const [one = ''] = lost.split('-')
  expect(await resend(t.app, { tenantId: '000000', userId: staff.userId }, [one], '未接通')).toBe(1)
  expect((await states()).map(([state]) => state)).toContain(waiting)
})

const limit = (fen: number) =>
  t.db
    .updateTable('param')
    .set({ paramValue: String(fen) })
    .where('paramKey', '=', 'sms.dailyFen')
    .execute()
const troubles = async () => {
  const told = t.db.selectFrom('event').select('facts').where('code', '=', 'sms.trouble').orderBy('id')
  return (await told.execute()).map(one => (one.facts as { trouble: string }).trouble)
}
/** Telling goes on beside what is held. */
const allTold = (those: readonly string[]) => vi.waitFor(async () => expect(await troubles()).toEqual(those))

test('the money of a day has an end: the rest is held for the next morning, and somebody is told once', async () => {
  await t.pool.query('TRUNCATE event CASCADE')
  await limit(10)
  await send(...[1, 2, 3, 4].map(samplePhone))
  expect((await states()).map(([state]) => state).toSorted()).toEqual([waiting, waiting, sent, sent])
  expect(aliyun.taken).toHaveLength(2)
  await allTold(['spent'])
  await vi.waitFor(async () => {
    await t.app.journal.flush()
    const notes = await t.db.selectFrom('log_usual').select('logLevel').where('logId', '=', 'sms.dailyFen').execute()
    expect(notes).toEqual([{ logLevel: 'error' }])
  })
  later(86_400)
  await sendOut(t)
  expect(aliyun.taken).toHaveLength(4)
  expect((await states()).map(([state]) => state)).toEqual([sent, sent, sent, sent])
  await stayLoggedIn(t)
  await send(samplePhone(5))
  expect(aliyun.taken).toHaveLength(4)
  await allTold(['spent', 'spent'])
})

test('what reminders may use is an alarm of its own; held messages that come too late are called off', async () => {
  await t.pool.query('TRUNCATE event CASCADE')
  await limit(10)
  const one = (n: number, isSpare: boolean) =>
    t.app.sms.send({
      id: `alarm-${n}`,
      tenantId: '000000',
      smsCode: 'notice',
      phone: samplePhone(n),
      params: {},
      isSpare,
    })
  await one(1, true)
  await expect(one(2, true)).rejects.toThrow('提醒')
  await allTold(['spareSpent'])
  await one(3, false)
  await expect(one(4, false)).rejects.toMatchObject({ fault: 'later' })
  await allTold(['spareSpent', 'spent'])
  await send(samplePhone(5), samplePhone(6))
  expect((await states()).map(([state]) => state)).toEqual([waiting, waiting])
  const until = new Date(t.app.now().getTime() + 3_600_000)
  const { id } = await insert(t.app, Message, { until, doneTime: null } as never)
  const late = t.db.updateTable('sendmessage').set({ messageId: id })
  await late.where('phoneHash', '=', t.app.vault.hash('000000', samplePhone(5))).execute()
  later(86_400)
  await sendOut(t)
  expect((await states()).map(([state]) => state).toSorted()).toEqual([sent, cancelled])
})

test('that none of the receipts come is told', async () => {
  await t.pool.query('TRUNCATE event CASCADE')
  await limit(200_000)
  await send(...Array.from({ length: 20 }, (_, n) => samplePhone(n + 1)))
  await t.app.sms.pull()
  expect(await troubles()).toEqual([])
  later(3 * 3600)
  await t.app.sms.pull()
  expect(await troubles()).toEqual(['receipts'])
})

test('messages that are sent at once by several processes do not exceed the money of the day', async () => {
  const second = await testApp({ url: t.url, now: morning, config })
  await t.db.updateTable('param').set({ paramValue: '100' }).where('paramKey', '=', 'sms.dailyFen').execute()
  // Every message is being written down while the others are.
  await t.pool.query(`CREATE FUNCTION dwell() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.05); RETURN NEW; END';
    CREATE TRIGGER dwell BEFORE INSERT ON sms_sent FOR EACH ROW EXECUTE FUNCTION dwell()`)
  const message = (n: number) => ({
    id: `at-once-${n}`,
    tenantId: '000000',
    smsCode: 'notice',
    phone: samplePhone(n + 1),
    params: {},
  })
  const tries = Array.from({ length: 80 }, (_, n) => (n % 2 ? t : second).app.sms.send(message(n)))
  const sentNow = (await Promise.allSettled(tries)).filter(one => one.status === 'fulfilled')
  expect([sentNow.length, aliyun.taken.length]).toEqual([20, 20])
  // What surely did not go out costs nothing.
  aliyun.will('refuse')
  await t.db.updateTable('param').set({ paramValue: '105' }).where('paramKey', '=', 'sms.dailyFen').execute()
  await expect(t.app.sms.send(message(100))).rejects.toThrow()
  await t.app.sms.send(message(101))
  await expect(t.app.sms.send(message(102))).rejects.toThrow('今日短信费用已达上限')
  expect(await t.db.selectFrom('sms_day').select('segments').execute()).toEqual([{ segments: 21 }])
  await second.close()
})

describe('a hundred messages a day', () => {
  /** Of four hundred that are asked for thirty must be told: a few of the first, and the last ones. */
  const isMust = (n: number) => n < 5 || n >= 375
  const queueOf = (length: number) => Array.from({ length }, (_, n) => n)

  test('are never exceeded by four hundred that twenty ask for at once; reminders leave a fifth of them', async () => {
    await t.pool.query('TRUNCATE event CASCADE')
    const second = await testApp({ url: t.url, now: morning, config })
    await limit(500)
    const send = (n: number) =>
      (n % 2 ? t : second).app.sms.send({
        id: `hundred-${n}`,
        tenantId: '000000',
        smsCode: 'notice',
        phone: samplePhone(n + 1),
        params: {},
        isSpare: !isMust(n),
      })
    const queue = queueOf(400)
    const sent = new Set<number>()
    const refused: unknown[] = []
    const ask = async () => {
      for (let n = queue.shift(); n !== undefined; n = queue.shift()) {
        const asked = n
        await send(asked).then(
          () => sent.add(asked),
          error => refused.push(error),
        )
      }
    }
    await Promise.all(Array.from({ length: 20 }, ask))
    expect([sent.size, aliyun.taken.length]).toEqual([100, 100])
    expect([...sent].filter(n => !isMust(n)).length).toBeLessThanOrEqual(80)
    expect(await t.db.selectFrom('sms_day').select('segments').execute()).toEqual([{ segments: 100 }])
    for (const error of refused) expect(error).toMatchObject({ fault: 'later' })
    expect(refused).toHaveLength(300)
    await allTold(['spareSpent', 'spent'])
    await second.close()
  })

  test('would be exceeded by a sum over what was sent, which does not see what others write', async () => {
    const clients = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const client = new pg.Client({ connectionString: t.url })
        await client.connect()
        return client
      }),
    )
    await t.pool.query('CREATE TABLE summed (n int); INSERT INTO summed SELECT generate_series(1, 90)')
    for (const client of clients) await client.query('BEGIN')
    for (const client of clients)
      await client.query('INSERT INTO summed SELECT 1 WHERE (SELECT count(*) FROM summed) + 1 <= 100')
    for (const client of clients) await client.query('COMMIT')
    const { rows } = await t.pool.query('SELECT count(*)::int AS n FROM summed')
    expect(rows).toEqual([{ n: 110 }])
    await t.pool.query('DROP TABLE summed')
    await Promise.all(clients.map(client => client.end()))
  })
})

test('reminders leave a fifth of the money of a day to what must be told, and go out the next day', async () => {
  const second = await testApp({ url: t.url, now: morning, config })
  await t.db.updateTable('param').set({ paramValue: '100' }).where('paramKey', '=', 'sms.dailyFen').execute()
  const message = (id: string, n: number, isSpare: boolean) => ({
    id,
    tenantId: '000000',
    smsCode: 'notice',
    phone: samplePhone(n + 1),
    params: {},
    isSpare,
  })
  const at = (n: number) => (n % 2 ? t : second).app.sms
  const spare = Array.from({ length: 60 }, (_, n) => at(n).send(message(`spare-${n}`, n, true)))
  const reminded = await Promise.allSettled(spare)
  expect(reminded.filter(one => one.status === 'fulfilled')).toHaveLength(16)
  const refused = reminded.flatMap(one => (one.status === 'rejected' ? [one.reason] : []))
  const tomorrow = new Date('2026-12-02T08:00:00+08:00')
  for (const error of refused) expect(error).toMatchObject({ fault: 'later', until: tomorrow })
  const must = Array.from({ length: 30 }, (_, n) => at(n).send(message(`must-${n}`, n, false)))
  expect((await Promise.allSettled(must)).filter(one => one.status === 'fulfilled')).toHaveLength(4)
  expect(await t.db.selectFrom('sms_day').select('segments').execute()).toEqual([{ segments: 20 }])
  // That they wait is no fault of the account.
  expect(await t.db.selectFrom('sms_circuit').selectAll().execute()).toEqual([])
  later(86_400)
  await t.app.sms.send(message('spare-next', 70, true))
  await second.close()
})
