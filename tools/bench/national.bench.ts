import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AccountStatus, IdType, UserType } from '#schemas/dictionaries'
import { sealedColumns } from '../../src/demo/accounts.ts'
import { seedNational } from '../../src/demo/national.ts'
import { nationalPerson } from '../../src/demo/national-rows.ts'
import { tokenHash } from '../../src/platform/auth/rules/session.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { roleIds } from '../../src/platform/tenants/server/seed/roles.ts'
import { buildApp } from '../../src/server/app.ts'
import { cpuOf } from './cpu.ts'
import { type Running, startProduct } from './servers.ts'
import { walPlace, walShare, walSince } from './wal.ts'

/** Sign-ups of the one exam, large and small. NATIONAL_ROWS says how many the large one has. */
const large = Number(process.env.NATIONAL_ROWS ?? 200_000)
const small = Math.min(20_000, large / 10)
/** Submits of one round, how many at once, and rounds that each installation has in turn with the other. */
const [each, atOnce, rounds] = [400, 16, 5]

/** Submits a second that two processors have to do at any size. NATIONAL_RATE asks for another number of a machine that does more. */
const leastRate = Number(process.env.NATIONAL_RATE ?? 50)

/** The part of the log of the database that the journal of calls may have in a submit. */
const mostOfJournal = 0.1

/** What a phone says it is: the journal keeps it. */
const userAgent =
  'Mozilla/5.0 (Linux; Android 14; V2304A) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36 MicroMessenger/8.0.50'

const lines: string[] = []

/** An installation with one exam, and servers on it. */
interface Installation {
  app: FastifyInstance
  servers: Running[]
  exam: { id: string; consentVersion: string | null }
  positions: { code: string; eduReq: string | null; majorReq: string | null }[]
}

let folder: string
const installations: Installation[] = []
/** Ends what was begun, the newest first, also where an installation was not finished. */
const endings: (() => Promise<unknown>)[] = []
let people = 60_000_000

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'juxian-bench-'))
  // User nobody, who runs PostgreSQL when root runs this, must get in.
  await chmod(folder, 0o755)
})
afterAll(async () => {
  for (const end of endings.toReversed()) await end()
  await rm(folder, { recursive: true, force: true })
  console.log(`\n${lines.join('\n')}\n`)
})

async function install(name: string, candidates: number): Promise<Installation> {
  const dataDir = path.join(folder, name)
  const config = readConfig({ DATA_DIR: dataDir, DEMO: 'false', ADMIN_PASSWORD: randomBytes(9).toString('hex') })
  const app = await buildApp({ ...config, jobs: false, logTo: () => {} })
  endings.push(() => app.close())
  const begun = performance.now()
  await seedNational(app, { candidates })
  const minutes = (performance.now() - begun) / 60_000
  const { rows } = await app.pool.query(`SELECT pg_size_pretty(pg_database_size(current_database())) AS size`)
  lines.push(`${candidates.toLocaleString()} sign-ups made in ${minutes.toFixed(1)} minutes, ${rows[0].size}`)
  // Only the exam has a limit, so that everybody meets it, and nobody reaches it before the last test.
  await app.pool.query('UPDATE examitems SET "maxSignup" = NULL')
  await app.pool.query('UPDATE examination SET "maxSignup" = $1', [candidates + (rounds + 1) * each])
  const servers: Running[] = []
  for (const _ of [1, 2]) {
    const server = await startProduct(dataDir)
    endings.push(() => server.stop())
    servers.push(server)
  }
  const exam = await app.db.selectFrom('examination').select(['id', 'consentVersion']).executeTakeFirstOrThrow()
  const positions = await app.db.selectFrom('examitems').select(['code', 'eduReq', 'majorReq']).execute()
  return { app, servers, exam, positions }
}

/** People with a session who have not signed up. @returns headers of each */
async function newPeople({ app }: Installation, count: number): Promise<Record<string, string>[]> {
  const now = new Date()
  const persons = Array.from({ length: count }, () => nationalPerson(people++))
  const users = await app.db
    .insertInto('user')
    .values(
      persons.map(({ district: _, ...one }, n) => ({
        ...sealedColumns(app.vault, '000000', one),
        tenantId: '000000',
        account: `neu${people - n}`,
        name: one.name,
        realName: one.name,
        userType: UserType.candidate,
        idType: IdType.residentCard,
        sex: one.sex,
        birthday: one.birthday,
        roleId: roleIds.candidate as string,
        accountStatus: AccountStatus.active,
        createTime: now,
        updateTime: now,
      })),
    )
    .returning('id')
    .execute()
  const tokens = users.map(() => randomBytes(24).toString('base64url'))
  await app.pool.query(
    `WITH one AS (INSERT INTO session ("userId", "tenantId", "clientId", "createTime", "lastSeen")
       SELECT id, '000000', 'saber', now(), now() FROM unnest($1::bigint[]) id RETURNING id, "userId")
     INSERT INTO session_token (hash, "sessionId", kind, until)
       SELECT t.hash, one.id, 1, now() + interval '1 day' FROM one
       JOIN unnest($1::bigint[], $2::text[]) t (id, hash) ON t.id = one."userId"`,
    [users.map(one => one.id), tokens.map(tokenHash)],
  )
  return tokens.map(token => ({ 'blade-auth': `bearer ${token}`, 'content-type': 'application/json' }))
}

/** Hands in for people, so many at once. @returns the codes of the answers, seconds, and milliseconds of a processor that the servers used for one */
async function submits(one: Installation, headers: readonly Record<string, string>[]) {
  const codes: number[] = []
  let next = 0
  const pids = one.servers.map(({ pid }) => pid)
  const before = await cpuOf(pids)
  const begun = performance.now()
  const worker = async () => {
    for (let n = next++; n < headers.length; n = next++) {
      const { code, eduReq, majorReq } = one.positions[n % one.positions.length]!
      const content = { education: eduReq ?? '30', degree: '3', major: (majorReq ?? '').split('、')[0] || '管理' }
      const answer = await fetch(`${one.servers[n % one.servers.length]!.url}/api/blade-signup/signup/submit`, {
        method: 'POST',
        headers: { ...headers[n], 'user-agent': userAgent, 'idempotency-key': `national-${n}` },
        body: JSON.stringify({
          examId: one.exam.id,
          code,
          content,
          consentVersion: one.exam.consentVersion,
          files: [],
        }),
      })
      codes.push(((await answer.json()) as { code: number }).code)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  const seconds = (performance.now() - begun) / 1000
  return { codes, seconds, cpu: ((await cpuOf(pids)) - before) / headers.length }
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

test('places of a national exam', { timeout: 7_200_000 }, async () => {
  installations.push(await install('small', small), await install('large', large))
  const times: [number[], number[]] = [[], []]
  const used: [number[], number[]] = [[], []]
  for (const one of installations) await submits(one, await newPeople(one, 100))
  for (let round = 0; round < rounds; round++)
    for (const [at, one] of installations.entries()) {
      const { codes, seconds, cpu } = await submits(one, await newPeople(one, each))
      expect(codes.filter(code => code !== 200)).toEqual([])
      times[at]!.push(seconds)
      used[at]!.push(cpu)
    }
  const [few, many] = times.map(median) as [number, number]
  lines.push(
    `Submits over HTTP, two servers, ${atOnce} at once (load ${os.loadavg()[0]?.toFixed(1)} over ${os.availableParallelism()} processors)`,
    `${(each / few).toFixed(0)} a second with ${small.toLocaleString()} sign-ups, ${(each / many).toFixed(0)} with ${large.toLocaleString()}; ratio of the time ${(many / few).toFixed(2)}`,
    `processor time of Node for one: ${used
      .map(median)
      .map(ms => ms.toFixed(1))
      .join(' and ')} ms`,
  )
  const [little, big] = installations as [Installation, Installation]
  const someone = await newPeople(little, each)
  const from = await walPlace(little.app.pool)
  await submits(little, someone)
  // The journal is written every second.
  await new Promise(resolve => setTimeout(resolve, 2500))
  const written = await walSince(little.app.pool, from)
  const ofJournal = walShare(written, 'log_')
  lines.push(
    `log of the database for a submit: ${(written.reduce((all, { bytes }) => all + bytes, 0) / each / 1024).toFixed(1)} KiB, of these ${written
      .slice(0, 6)
      .map(({ table, bytes }) => `${table} ${(bytes / each / 1024).toFixed(1)}`)
      .join(', ')}; the journal is ${(100 * ofJournal).toFixed(0)} %`,
  )
  const free = 50
  await big.app.pool.query(
    `UPDATE examination SET "maxSignup" = (SELECT taken + $1 FROM place_count WHERE "examId" = $2 AND code = '') WHERE id = $2`,
    [free, big.exam.id],
  )
  const { codes } = await submits(big, await newPeople(big, each))
  const given = codes.filter(code => code === 200).length
  lines.push(`${each} people for the last ${free} places: ${given} got one, ${given - free} too many`)
  expect(given).toBe(free)
  expect(codes.filter(code => code === 22005)).toHaveLength(each - free)
  expect(ofJournal).toBeLessThan(mostOfJournal)
  expect(many / few).toBeLessThanOrEqual(1.2)
  expect(each / many).toBeGreaterThanOrEqual(leastRate)
})
