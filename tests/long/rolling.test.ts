import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { DeliveryState, EnableStatus, MailSecurity, MsgStatus, SmsVendor } from '#schemas/dictionaries'
import { Mail } from '#schemas/resource/mail'
import { Sms } from '#schemas/resource/sms'
import { mailHash } from '../../src/platform/accounts/server/contacts.ts'
import { type TestApp, testApp } from '../helper/app.ts'
import { buildCopy, type Copy, copyProgram } from '../helper/copy.ts'
import { makeUser, stayLoggedIn } from '../helper/login.ts'
import { type MailServer, mailLogin, mailServer } from '../helper/mail-server.ts'
import { type Caller, signIn } from '../helper/person.ts'
import { buildServer, type Launched, launchServer, type ServerProcess, startServer } from '../helper/process.ts'
import { insert, samplePhone } from '../helper/sample.ts'
import { give } from '../helper/send-bench.ts'
import { type SmsProviderServer, smsProvider } from '../helper/sms-providers.ts'
import { soon } from '../helper/soon.ts'
import { structureOf } from '../helper/structure.ts'

// Two servers are replaced by those of a newer version one by one, while people write and read without a pause. The newer version
// has a field more, two indexes more, one of them unique, a table more, and a numbered file. Meanwhile old and new ones tell people of
// events, in the inbox, by text message and by e-mail.

const root = path.resolve(import.meta.dirname, '../..')

let t: TestApp
let copy: Copy
let staff: Caller
let candidates: readonly string[]
let provider: SmsProviderServer
let post: MailServer
const running: Launched[] = []

/** A newer version of the program, built. */
async function newerVersion(): Promise<Copy> {
  const made = await copyProgram(
    {
      'src/platform/database/migrations/999-rolling.sql': `CREATE TABLE rolling (n int);\nINSERT INTO rolling VALUES (1);\n`,
    },
    {},
  )
  const change = async (file: string, from: string, to: string) => {
    const place = path.join(made.folder, file)
    const text = await readFile(place, 'utf8')
    expect(text).toContain(from)
    await writeFile(place, text.replace(from, to))
  }
  await change(
    'schemas/system/param.ts',
    `remark: optional(text('备注')),`,
    `remark: optional(text('备注', { maxLength: 300 })),\n    unit: optional(text('单位')),`,
  )
  await change(
    'schemas/system/param.ts',
    '{ history: true }',
    `{ history: true, indexes: [['paramName', 'paramKey']], uniques: [{ fields: ['paramName', 'paramKey'] }] }`,
  )
  buildCopy(made)
  return made
}

/** What people are told of: by text message and by e-mail, at any hour. */
const told = 'user.passwordReset'
/** People who are told, each once: a number has one text message in a minute. */
const toTell = 2000

/** Puts a provider of text messages and a mail server to use. */
async function openChannels(): Promise<void> {
  await give(t, 1_000_000)
  for (const [key, value] of [
    ['sms.dailyFen', '100000000'],
    ['mail.hosts', `127.0.0.1:${post.port}`],
  ] as const)
    await t.db.updateTable('param').set({ paramValue: value }).where('paramKey', '=', key).execute()
  await insert(t.app, Sms, {
    category: SmsVendor.yunpian,
    smsCode: told,
    priority: 1,
    templateId: '1',
    templateContent: '您的密码已重置',
    signName: '聚贤',
    accessKey: t.app.vault.seal(provider.account.accessKey),
    secretKey: null,
    smsStatus: EnableStatus.enabled,
  })
  await insert(t.app, Mail, {
    fromAddress: 'office@example.org',
    fromName: '鼓楼卫健',
    host: '127.0.0.1',
    port: post.port,
    mailSecurity: MailSecurity.none,
    mailAccount: mailLogin.user,
    mailPassword: t.app.vault.seal(mailLogin.pass),
    mailStatus: EnableStatus.enabled,
  })
}

/** A candidate with a phone and a confirmed e-mail address. @returns the id */
async function reachable(n: number): Promise<string> {
  const email = `who${n}@example.com`
  const userId = await makeUser(t, { role: 'candidate', phone: samplePhone(900 + n), email })
  await t.db
    .insertInto('contact')
    .values({ userId, channel: 'mail', isOff: 0, addressHash: mailHash(t.app, '000000', email) })
    .execute()
  return userId
}

beforeAll(async () => {
  buildServer()
  copy = await newerVersion()
  t = await testApp()
  staff = await signIn(t, { role: 'administrator' })
  provider = await smsProvider('yunpian')
  provider.beforeAnswer(() => sleep(200))
  post = await mailServer()
  await openChannels()
  candidates = await Promise.all(Array.from({ length: toTell }, (_, n) => reachable(n)))
  await stayLoggedIn(t)
  await t.pool.query(`UPDATE "user" SET password = NULL`)
})
afterAll(async () => {
  for (const one of running) await one.stop()
  await t?.close()
  await copy?.remove()
  await provider?.close()
  await post?.close()
})

const env = () => ({ DATABASE_URL: t.url, CAPTCHA_MODE: 'false', SMS_HOSTS: `yunpian=${provider.host}` })
async function start(program?: string): Promise<ServerProcess> {
  const one = await startServer(env(), root, program)
  running.push(one)
  return one
}

test('one server after the other is replaced under load: no call fails and nothing of the newer version is lost', async () => {
  const live = [await start(), await start()]
  const saved: string[] = []
  const faults: string[] = []
  let isOn = true
  const ask = async (on: ServerProcess, where: string, body?: object) => {
    const headers = { ...staff.headers, 'content-type': 'application/json' }
    const options = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
    const answer = await fetch(`${on.url}/api/blade-system/param/${where}`, options)
    const text = await answer.text()
    if (answer.status !== 200) faults.push(`${answer.status} ${where} ${text.slice(0, 300)}`)
    return answer.status
  }
  /** Calls of each server that are under way: a proxy gives no more to one that is to end, and waits for these. */
  const open = new Map<ServerProcess, number>()
  const with_ = async (work: (on: ServerProcess) => Promise<void>, n: number) => {
    const on = live[n % live.length]!
    open.set(on, (open.get(on) ?? 0) + 1)
    await work(on).finally(() => open.set(on, open.get(on)! - 1))
  }
  const people = Array.from({ length: 4 }, async (_, who) => {
    for (let n = 0; isOn; n++)
      await with_(async on => {
        const key = `rolling.${who}.${n}`
        if ((await ask(on, 'submit', { paramName: key, paramKey: key, paramValue: '1' })) === 200) saved.push(key)
        await ask(on, `page?paramKey=${key}`)
      }, n)
  })
  const events: string[] = []
  const happening = (async () => {
    for (let next = 0; isOn && next < toTell; next += 3) {
      const { rows } = await t.pool.query<{ id: string }>(
        `INSERT INTO event (code, "subjectId", facts) SELECT $1, who, '{}' FROM unnest($2::bigint[]) who RETURNING id`,
        [told, candidates.slice(next, next + 3)],
      )
      events.push(...rows.map(({ id }) => id))
      await sleep(100)
    }
  })()
  const goesOn = async () => {
    const before = saved.length
    await soon(() => expect(saved.length).toBeGreaterThan(before + 40))
  }
  const replace = async (place: number) => {
    const old = live[place]!
    live[place] = await start(path.join(copy.folder, 'dist/server/server.js'))
    await soon(() => expect(open.get(old)).toBe(0))
    expect(await old.stop()).toBe(0)
  }
  await goesOn()
  await replace(0)
  await goesOn()
  const newer = await structureOf(t.url)
  // One of the old version that begins anew by then changes nothing.
  const late = launchServer(env())
  expect([await late.ended, late.output()]).toEqual([1, expect.stringContaining('older than the database')])
  expect(await structureOf(t.url)).toEqual(newer)
  await goesOn()
  await replace(1)
  await goesOn()
  isOn = false
  await Promise.all([...people, happening])
  const underWay = async () => {
    const { rows } = await t.pool.query<{ n: number }>(
      `SELECT (SELECT count(*) FROM event WHERE "toldTime" IS NULL)::int + (SELECT count(*) FROM sendmessage WHERE "msgStatus" <> $1)::int
         + (SELECT count(*) FROM delivery WHERE "deliveryState" <> $2)::int AS n`,
      [MsgStatus.sent, DeliveryState.taken],
    )
    return rows[0]?.n
  }
  await vi.waitFor(async () => expect(await underWay()).toBe(0), { timeout: 300_000, interval: 500 })
  const messages = await t.db.selectFrom('message').select(['id', 'eventId']).where('code', '=', told).execute()
  expect(messages.map(one => one.eventId).toSorted()).toEqual(events.toSorted())
  const texts = await t.db.selectFrom('sendmessage').select(['id', 'messageId']).execute()
  expect(texts.map(one => one.messageId).toSorted()).toEqual(messages.map(one => one.id).toSorted())
  expect(provider.taken.map(one => one.id).toSorted()).toEqual(texts.map(one => `${one.id}-0`).toSorted())
  const mails = await t.db.selectFrom('delivery').select('messageId').execute()
  expect(mails.map(one => one.messageId).toSorted()).toEqual(messages.map(one => one.id).toSorted())
  const numbers = post.book.map(one => one.id)
  expect([numbers.length, new Set(numbers).size]).toEqual([messages.length, messages.length])
  expect(events.length).toBeGreaterThan(100)
  expect(faults).toEqual([])
  const { rows } = await t.pool.query<{ key: string }>(
    `SELECT "paramKey" AS key FROM param WHERE "paramKey" LIKE 'rolling.%'`,
  )
  expect(rows.map(({ key }) => key).toSorted()).toEqual(saved.toSorted())
  const structure = await structureOf(t.url)
  expect(structure).toEqual(newer)
  const made = structure.filter(line => /param_.*paramName_paramKey|param\.unit |rolling/.test(line))
  expect(made.map(line => line.split(' ').slice(0, 3).join(' '))).toEqual([
    'column param.unit character',
    'column rolling.n integer',
    'index "i_param_paramName_paramKey" true',
    'index "u_param_tenantId_paramName_paramKey" true',
    'table rolling r',
  ])
})
