import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { TaskStatus } from '#schemas/dictionaries'
import { Examinelog } from '#schemas/sign-up/examinelog'
import { archiveTables } from '../../src/modules/archives/server/tables.ts'
import { hashPassword } from '../../src/platform/vault/password.ts'
import { type TestApp, testApp } from '../helper/app.ts'
import { type Fleet, startFleet } from '../helper/fleet.ts'
import { encrypt, password } from '../helper/login.ts'
import { type Caller, signIn } from '../helper/person.ts'
import { insert } from '../helper/sample.ts'
import { makeCrowd } from '../helper/seat-bench.ts'

// The whole archive of an exam whose logs are far longer than what a server may hold. Its servers are killed when more than half of it is
// done: what was finished stays, and the archive is as sound as one that was made in one go.

const run = promisify(execFile)
const people = Number(process.env.ARCHIVE_PEOPLE ?? 300)
/** Reviews of each person, and characters of the form that each keeps. */
const [acts, form] = [Math.ceil(100_000 / people), 2500]
/** Bytes by which a server that makes an archive may grow. */
const most = 300 * 1024 ** 2

let t: TestApp
let fleet: Fleet
let admin: Caller
const folders: string[] = []
beforeAll(async () => {
  t = await testApp()
  admin = await signIn(t, { role: 'admin' })
  await t.db
    .updateTable('user')
    .set({ password: await hashPassword(password) })
    .where('id', '=', admin.userId)
    .execute()
})
afterAll(async () => {
  await fleet?.stop()
  await t?.close()
  for (const folder of folders) await rm(folder, { recursive: true })
})

/** A closed exam with many people, each with many reviews. */
async function closedExam(): Promise<string> {
  const { examId } = await makeCrowd(t, people)
  await t.pool.query(
    `UPDATE examination SET "examStatus" = 2, "closeTime" = now(), "publicityEnd" = now() WHERE id = $1`,
    [examId],
  )
  const { id } = await t.db
    .selectFrom('signup')
    .select('id')
    .where('examId', '=', examId)
    .limit(1)
    .executeTakeFirstOrThrow()
  const act = await insert(t.app, Examinelog, { signupId: id, stage: 1, result: 1 } as never)
  // Each act follows the one before, as the program of the archive compares them.
  await t.pool.query(`UPDATE examinelog SET hash = md5("signupId"::text || 0) WHERE id = $1`, [act.id])
  for (let from = 1; from <= acts; from += 100)
    await t.pool.query(
      `INSERT INTO examinelog SELECT p.* FROM examinelog l, signup s, generate_series($4::int, least($5::int, $4::int + 99)) i,
         jsonb_populate_record(l, jsonb_build_object('id', next_id(), 'signupId', s.id, 'hash', md5(s.id::text || i), 'prevHash', md5(s.id::text || (i - 1)),
           'snapshot', jsonb_build_object('code', 'A01', 'content', jsonb_build_object('note', repeat(md5(s.id::text || i), $3::int / 32))))) p
       WHERE l.id = $1 AND s."examId" = $2`,
      [act.id, examId, form, from, acts],
    )
  return examId
}

const task = (id: string) => t.db.selectFrom('exporttask').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** What a process takes of the machine's memory, or the most it has since that was asked to be forgotten. */
async function memory(pid: number, what: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${what}:\\s+(\\d+)`).exec(status)?.[1]) * 1024
}

test('an archive is made with little memory, goes on after a kill, and verifies', async () => {
  const examId = await closedExam()
  fleet = await startFleet(t)
  await fleet.lose(1)
  const pid = fleet.pid(0) as number
  await sleep(3000)
  const before = await memory(pid, 'VmRSS')
  await writeFile(`/proc/${pid}/clear_refs`, '5')
  const asked = await t.app.inject({
    method: 'POST',
    url: '/api/blade-exam/examination/archiveWhole',
    headers: admin.headers,
    payload: { id: examId, sort: 'full', reason: '归档', password: encrypt(t, password) },
  })
  const { waits } = asked.json<{ data: { waits: string } }>().data
  const confirmed = await t.app.inject({
    method: 'POST',
    url: `/api/blade-exam/examarchive/confirm?id=${waits}`,
    headers: (await signIn(t, { role: 'admin' })).headers,
  })
  expect(confirmed.json()).toMatchObject({ code: 200 })
  const { id: taskId } = await t.db
    .selectFrom('exporttask')
    .select('id')
    .where('bizType', '=', 'examArchive')
    .executeTakeFirstOrThrow()
  // The logs are done, and part of the people.
  const units = archiveTables.length + Math.ceil(people / 25) + 4
  await vi.waitFor(
    async () =>
      expect(Number((await task(taskId)).rowNum)).toBeGreaterThan(Math.max(units * 0.6, archiveTables.length)),
    { timeout: 600_000, interval: 50 },
  )
  const grown = (await memory(pid, 'VmHWM')) - before
  await fleet.lose(0)
  const reached = Number((await task(taskId)).rowNum)
  expect((await task(taskId)).taskStatus).toBe(TaskStatus.running)
  await fleet.kill(1)
  const seen: number[] = []
  await vi.waitFor(
    async () => {
      const { taskStatus, rowNum } = await task(taskId)
      if (rowNum) seen.push(Number(rowNum))
      expect(taskStatus).toBe(TaskStatus.done)
    },
    { timeout: 900_000, interval: 100 },
  )
  // Nothing that was finished is made again.
  expect(Math.min(...seen)).toBeGreaterThanOrEqual(reached)

  const { fileId } = await task(taskId)
  const { name } = await t.db.selectFrom('attach').select('name').where('id', '=', fileId).executeTakeFirstOrThrow()
  const folder = await mkdtemp(path.join(tmpdir(), 'archive-'))
  folders.push(folder)
  const zip = path.join(folder, 'archive.zip')
  await writeFile(zip, t.app.storage.open(name))
  const unpacked = path.join(folder, 'unpacked')
  await run('unzip', ['-q', zip, '-d', unpacked], { maxBuffer: 1 << 26 })
  console.log(`killed after ${reached} of ${units} parts; grown by ${Math.round(grown / 1024 ** 2)} MB`)
  const { stdout } = await run(process.execPath, ['verify.mjs'], { cwd: unpacked })
  expect(stdout).toContain('OK')
  const { size } = await stat(path.join(unpacked, 'logs/examinelog.jsonl'))
  expect(size).toBeGreaterThan(people * acts * form)
  expect((await readdir(path.join(unpacked, 'pdf'))).length).toBe(people)
  expect(grown).toBeLessThan(most)
  expect(fleet.faults).toEqual([])
})
