import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { sm2 } from 'sm-crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Resource } from '#engine'
import { resources } from '#resources'
import { JobInstanceStatus } from '#schemas/dictionaries'
import { Attach } from '#schemas/resource/attach'
import { seedDemo } from '../../src/demo/index.ts'
import { type TestApp, testApp } from '../helper/app.ts'
import { type Fleet, startFleet } from '../helper/fleet.ts'
import { withGauge } from '../helper/gauge.ts'
import { bearer, password, webClient } from '../helper/login.ts'
import { type Caller, signIn } from '../helper/person.ts'
import { insert } from '../helper/sample.ts'
import { schoolForm, schoolSheet, schools } from '../helper/school-sheet.ts'
import { applicant, formOf, makeExam, type Saved } from '../helper/sign-bench.ts'
import { hoursFromNow } from './watch.ts'

// Staff and candidates work at two servers with the demonstration's data for some minutes. What grows, stays open or fails
// without anybody noticing is looked for afterwards. `SOAK_MINUTES` says how long.

const minutes = Number(process.env.SOAK_MINUTES ?? 10)
/** Milliseconds: between two calls of one person, and between two looks at the servers. */
const [pause, look] = [120, Math.min(15_000, minutes * 4000)]
/** Share of the time in which caches fill and code is compiled. */
const warmUp = 0.35
/** Bytes by which a server may grow from the first to the last third of the time after that. */
const growth = 10 * 1024 ** 2

let t: TestApp
let fleet: Fleet
let began: number
/** What the demonstration's own story has entered as errors. */
let seeded: ReadonlySet<string>

/** Errors that programs and pages have entered. */
const journal = async () => {
  const { rows } = await t.pool.query<{ id: string; what: string; detail: string }>(
    `SELECT id::text, "requestUri" || ' ' || message AS what, "stackTrace" AS detail FROM log_error
     UNION ALL SELECT id::text, "logId", "logData" FROM log_usual WHERE "logLevel" = 'error'`,
  )
  return rows
}

beforeAll(async () => {
  t = await testApp()
  await seedDemo(t.app, { candidates: 60 })
  seeded = new Set((await journal()).map(one => one.id))
  began = performance.now()
  fleet = await startFleet(t, {
    DATA_DIR: t.app.config.dataDir,
    ...withGauge,
  })
})
afterAll(async () => {
  if (fleet?.faults.length) console.error(fleet.faults, fleet.output().slice(-4000))
  await fleet?.stop()
  await t?.close()
})

/** How a server is. */
interface State {
  heapUsed: number
  external: number
  rss: number
  mean: number
  p99: number
  max: number
}

const isOn = () => performance.now() - began < minutes * 60_000
const counts = new Map<string, number>()
/** Answers that nobody should get, by call. */
const odd: string[] = []

/** Calls a route and notes what came; 200 and what `also` names are as they should be. */
async function call<T = Record<string, unknown>>(
  { headers }: Pick<Caller, 'headers'>,
  where: string,
  body?: object,
  also: readonly number[] = [],
) {
  const answer = await fleet.ask<T>(where, { headers, ...(body && { body, key: randomUUID() }) })
  const name = where.split('?')[0]!
  counts.set(name, (counts.get(name) ?? 0) + 1)
  if (answer.lost || ![200, ...also].includes(answer.code)) odd.push(`${name}: ${answer.code} ${answer.msg}`)
  await sleep(randomInt(pause * 2))
  return answer
}

/** Reads a file that a call sends. */
async function file({ headers }: Pick<Caller, 'headers'>, where: string): Promise<void> {
  const answer = await fetch(`${fleet.urls[randomInt(2)]}/api${where}`, { headers })
  await answer.arrayBuffer()
  const name = where.split('?')[0]!
  counts.set(name, (counts.get(name) ?? 0) + 1)
  if (answer.status !== 200) odd.push(`${name}: ${answer.status}`)
  await sleep(randomInt(pause * 2))
}

/** Signs in with a password, as people do. */
async function login(account: string): Promise<Pick<Caller, 'headers'>> {
  const { data } = await fleet.insist<{ publicKey: string }>('/blade-auth/oauth/public-key')
  const text = sm2.doEncrypt(password, data.publicKey, 0)
  const query = new URLSearchParams({ grant_type: 'password', username: account, password: text })
  const answer = await fleet.ask(`/blade-auth/oauth/token?${query}`, {
    method: 'POST',
    headers: { authorization: webClient },
  })
  const { access_token: token } = answer as unknown as { access_token?: string }
  if (!token) throw new Error(`${account} could not sign in: ${JSON.stringify(answer)}`)
  return { headers: bearer(token) }
}

/** Comes, looks at one screen and leaves. */
async function visitor(): Promise<void> {
  for (const accounts = ['caiwu', 'kaowu', 'kaosheng']; isOn(); accounts.push(accounts.shift()!)) {
    const who = await login(accounts[0]!)
    await call(who, '/blade-auth/oauth/user-info')
    await call(who, '/blade-system/menu/routes')
    await call(who, '/blade-auth/oauth/logout')
    await sleep(1500)
  }
}

/** Goes through every list, and opens its first row, which somebody may have removed meanwhile. */
async function reader(role: string): Promise<void> {
  const who = await signIn(t, { role })
  while (isOn())
    for (const { path: at } of resources as readonly Resource[]) {
      if (!isOn()) return
      const { data } = await call<{ records?: { id: string }[] }>(
        who,
        `${at}/page?current=1&size=20`,
        undefined,
        [403, 404],
      )
      const id = data?.records?.[0]?.id
      if (id) await call(who, `${at}/detail?id=${id}`, undefined, [403, 404, 29001])
    }
}

/** Makes rows, changes, exports and removes them, and brings workbooks. */
async function clerk(): Promise<void> {
  const who = await signIn(t, { role: 'administrator' })
  const sheet = await schoolSheet(t, who)
  while (isOn()) {
    const code = `S${randomUUID().slice(0, 8)}x`
    const at = '/blade-system/param'
    await call(who, `${at}/submit`, { paramName: code, paramKey: code, paramValue: '1' })
    const { data } = await call<{ records: { id: string; version: number }[] }>(who, `${at}/page?paramKey=${code}`)
    const [row] = data?.records ?? []
    await call(who, `${at}/submit`, { id: row?.id, version: row?.version, paramValue: '2' })
    await call(who, `${at}/remove?ids=${row?.id}`, {})
    const lines = Array.from({ length: 40 }, (_, n) => sheet.school(`${code}${n}`))
    await call(who, `${schools}/import`, schoolForm(await sheet.fill(lines), 1))
    await file(who, `${schools}/export?schoolCode_likeright=${code}`)
    const made = await t.pool.query<{ ids: string }>(
      `SELECT string_agg(id::text, ',') AS ids FROM school WHERE "schoolCode" LIKE $1`,
      [`${code}%`],
    )
    await call(who, `${schools}/remove?ids=${made.rows[0]?.ids}`, {})
    await sleep(1000)
  }
}

/** Looks for exams, uploads a photo, signs up, changes it, gives it up. */
async function candidate(examId: string): Promise<void> {
  const who = await applicant(t)
  const base = '/blade-signup/signup'
  const picture = await sharp({ create: { width: 358, height: 441, channels: 3, background: '#7fb2e5' } })
    .jpeg()
    .toBuffer()
  while (isOn()) {
    // Lists may be read so often in a minute.
    if (randomInt(4) === 0) {
      for (const where of [
        '/public/exams',
        '/public/notices',
        '/public/site',
        `${base}/examList`,
        `${base}/myExamList`,
      ])
        await call(who, where)
      await call(who, `${base}/getExamInfoOrSignUpInfo?examId=${examId}`)
    }
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(picture)]), '证件照.jpg')
    // A day has room for so many pictures of one person.
    if (randomInt(10) === 0) await call(who, '/blade-resource/attach/upload?owner=photo', form)
    const made = await call<Saved>(who, `${base}/submit`, formOf(who, examId))
    const { id, version } = made.data ?? {}
    await call(
      who,
      `${base}/submit`,
      formOf(who, examId, { id, version, content: { education: '20', major: '护理学' } }),
    )
    await call(who, `${base}/detail?id=${id}`)
    await call(who, `${base}/giveUp`, { id })
  }
}

/** Calls that documents are drawn for: their first time they are made, then they are kept. */
async function printer(): Promise<void> {
  const who = await signIn(t, { role: 'administrator' })
  const { rows } = await t.pool.query<{ id: string }>(`SELECT DISTINCT "examId"::text AS id FROM result`)
  while (isOn()) {
    for (const { id } of rows) await file(who, `/blade-exam/examination/printFinalList?examId=${id}`)
    await sleep(4000)
  }
}

/** Connections of the servers, but not those that each keeps to hear of changes. */
const connections = async () => {
  const { rows } = await t.pool.query<{ pid: number; state: string; seconds: number; query: string }>(
    `SELECT pid, state, extract(epoch FROM clock_timestamp() - state_change)::float AS seconds, left(query, 100) AS query
     FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'juxian' AND pid <> pg_backend_pid()
       AND query NOT LIKE 'LISTEN %'`,
  )
  return rows
}

/** Rows that must go by themselves: how they are made, whether they are still there, and the job that takes them. */
const outdated: readonly { job: string | null; make: () => Promise<unknown>; left: string }[] = [
  {
    job: null,
    make: () => t.pool.query(`INSERT INTO captcha (key, answer, until) VALUES ('soak', 'x', now() - interval '1 day')`),
    left: `SELECT 1 FROM captcha WHERE key = 'soak'`,
  },
  {
    job: null,
    make: () => t.pool.query(`INSERT INTO used_nonce (nonce, until) VALUES ('soak', now() - interval '1 day')`),
    left: `SELECT 1 FROM used_nonce WHERE nonce = 'soak'`,
  },
  {
    job: null,
    make: () => t.pool.query(`INSERT INTO throttle (key, count, until) VALUES ('soak', 1, now() - interval '1 day')`),
    left: `SELECT 1 FROM throttle WHERE key = 'soak'`,
  },
  {
    job: null,
    make: () =>
      t.pool.query(`INSERT INTO idempotency ("userId", path, key, "bodyHash", response, "lockedAt", "expireTime")
        VALUES (1, 'soak', 'soak', '', NULL, now() - interval '2 days', now() - interval '1 day')`),
    left: `SELECT 1 FROM idempotency WHERE path = 'soak'`,
  },
  {
    job: null,
    make: () =>
      t.pool.query(`WITH s AS (INSERT INTO session ("userId", "tenantId", "clientId", "createTime", "lastSeen")
        VALUES (1, '000000', 'soak', now() - interval '99 days', now() - interval '91 days') RETURNING id)
        INSERT INTO session_token (hash, "sessionId", kind, until) SELECT 'soak', id, 1, now() - interval '90 days' FROM s`),
    left: `SELECT 1 FROM session WHERE "clientId" = 'soak' UNION ALL SELECT 1 FROM session_token WHERE hash = 'soak'`,
  },
  {
    job: 'pay-purge',
    make: () =>
      t.pool.query(`INSERT INTO pay_nonce (nonce, "expireTime") VALUES ('soak', now() - interval '1 day');
        INSERT INTO pay_notify ("orderNo", "transactionId", amount, "notifyId", raw, outcome, time)
        VALUES ('soak', '', 1, '', '', 'unknown', now() - interval '181 days')`),
    left: `SELECT 1 FROM pay_nonce WHERE nonce = 'soak' UNION ALL SELECT 1 FROM pay_notify WHERE "orderNo" = 'soak'`,
  },
  {
    job: 'upload-days',
    make: () => t.pool.query(`INSERT INTO upload_day (who, day, bytes) VALUES ('soak', current_date - 3, 1)`),
    left: `SELECT 1 FROM upload_day WHERE who = 'soak'`,
  },
  {
    job: 'attach-purge',
    make: () =>
      insert(t.app, Attach, {
        originalName: 'soak',
        ownerId: null,
        ownerType: 'photo',
        createTime: hoursFromNow(-8 * 24),
        name: '',
      }),
    left: `SELECT 1 FROM attach WHERE "originalName" = 'soak' AND "isDeleted" = 0`,
  },
  {
    job: 'drawings-tidy',
    make: () =>
      t.pool.query(`INSERT INTO kept_drawing (key, digest, bytes, "isWhole", "madeTime", "usedTime")
        VALUES ('soak', 'soak', 1, true, now() - interval '400 days', now() - interval '400 days')`),
    left: `SELECT 1 FROM kept_drawing WHERE key = 'soak'`,
  },
  {
    job: 'job-runs',
    make: () =>
      t.pool.query(
        `INSERT INTO job_instance ("jobInfoId", "tenantId", state, tries, "planTime", "endTime")
         SELECT id, '000000', ${JobInstanceStatus.succeeded}, 987, now() - interval '31 days', now() - interval '31 days' FROM job_info LIMIT 1`,
      ),
    left: `SELECT 1 FROM job_instance WHERE tries = 987`,
  },
]

/** Runs the jobs of the servers that are due every hour, by hand. */
async function runJobs(): Promise<void> {
  const { headers } = await signIn(t, { role: 'administrator' })
  const names = outdated.flatMap(one => one.job ?? [])
  const own = t.db.selectFrom('job_info').select('id').where('builtin', '=', 1).where('processorInfo', 'in', names)
  const jobs = await own.execute()
  expect(jobs.length).toBe(names.length)
  const { rows: times } = await t.pool.query<{ now: Date }>('SELECT clock_timestamp() AS now')
  for (const { id } of jobs) await fleet.insist(`/blade-job/job-info/run?id=${id}`, { headers, body: {} })
  const ended = t.db
    .selectFrom('job_instance')
    .select('jobInfoId')
    .distinct()
    .where(
      'jobInfoId',
      'in',
      jobs.map(one => one.id),
    )
    .where('state', '=', JobInstanceStatus.succeeded)
    .where('endTime', '>=', times[0]!.now)
  await expect.poll(async () => (await ended.execute()).length, { timeout: 60_000, interval: 500 }).toBe(jobs.length)
}

const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length
const mega = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(1)} MB`

test(`${minutes} minutes of mixed work leave nothing behind`, { timeout: minutes * 60_000 + 300_000 }, async () => {
  const { exam } = await makeExam(t, {
    exam: {
      signStartTime: hoursFromNow(-1),
      signEndTime: hoursFromNow(50),
      modifyEndTime: hoursFromNow(60),
      examineEndTime: hoursFromNow(70),
    },
  })
  for (const one of outdated) await one.make()
  const states: State[][] = [[], []]
  let mostConnections = 0
  const watching = (async () => {
    while (isOn()) {
      await sleep(look)
      for (const at of [0, 1]) states[at]!.push(await fleet.gauge<State>(at, 'state'))
      mostConnections = Math.max(mostConnections, (await connections()).length - t.pool.totalCount)
    }
  })()
  await Promise.all([
    watching,
    visitor(),
    clerk(),
    printer(),
    reader('administrator'),
    reader('exam_admin'),
    reader('finance'),
    reader('auditor'),
    ...Array.from({ length: 8 }, () => candidate(exam.id)),
  ])
  await runJobs()
  // What is swept every ten minutes is swept once more after that.
  const isSwept = minutes >= 10
  if (isSwept) await sleep(Math.max(0, 615_000 - (performance.now() - began)))
  for (const { job, left } of outdated)
    if (job || isSwept) expect([left, (await t.pool.query(left)).rowCount]).toEqual([left, 0])

  const all = [...counts.values()].reduce((sum, one) => sum + one, 0)
  console.log(`${all} calls at ${counts.size} addresses, at most ${mostConnections} connections`)
  expect([...new Set(odd)]).toEqual([])
  expect(fleet.faults).toEqual([])
  for (const [at, some] of states.entries()) {
    const warm = some.slice(Math.ceil(some.length * warmUp))
    const third = Math.max(1, Math.floor(warm.length / 3))
    const used = (part: readonly State[]) => mean(part.map(one => one.heapUsed + one.external))
    const [first, last] = [used(warm.slice(0, third)), used(warm.slice(-third))]
    const late = Math.max(...warm.map(one => one.max))
    const usual = mean(warm.map(one => one.mean))
    console.log(
      `server ${at}: ${mega(first)} → ${mega(last)}, resident ${mega(warm.at(-1)!.rss)}; event loop late by ${usual.toFixed(0)} ms, at most ${late.toFixed(0)} ms`,
    )
    expect(last - first).toBeLessThan(growth)
    // Generous, for slow machines: a turn that lasts for seconds is work that belongs into a thread.
    expect(late).toBeLessThan(5000)
  }
  // Two pools, and a connection of its own for who asks how each server is.
  expect(mostConnections).toBeLessThanOrEqual(2 * 21)
  // A connection that nobody gave back is neither closed nor used.
  await sleep(20_000)
  expect((await connections()).filter(one => one.seconds > 18)).toEqual([])
  expect((await journal()).filter(one => !seeded.has(one.id))).toEqual([])
  await fleet.stop()
  const lines = fleet.output().split('\n')
  expect(lines.filter(line => /unhandled|MaxListeners|Warning:|"level":[56]0/.test(line))).toEqual([])
})
