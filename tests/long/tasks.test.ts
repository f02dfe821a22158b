import { createHash, randomInt, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { TaskStatus } from '#schemas/dictionaries'
import { type TestApp, testApp } from '../helper/app.ts'
import { type Fleet, type Load, startFleet, underKills } from '../helper/fleet.ts'
import { type Caller, signIn } from '../helper/person.ts'
import { cellsOf, schoolForm, schoolSheet, schools } from '../helper/school-sheet.ts'

// Staff export a long list in the background and import workbooks while servers are killed, and leases of exports run out early,
// also those of servers that are still at work. Each export ends once, what is offered is whole, each workbook is taken in once
// or not at all.

const [exporters, importers, listed, imported, kills] = [4, 2, 2500, 150, 24]

let t: TestApp
let fleet: Fleet
let sheet: Awaited<ReturnType<typeof schoolSheet>>

beforeAll(async () => {
  t = await testApp()
  await t.pool.query(
    `INSERT INTO school ("schoolName", "schoolCode", "schoolType") SELECT 'n' || i, 'N' || i, 1 FROM generate_series(1, ${listed}) i`,
  )
  // Which states a task was moved to, by whichever server.
  await t.pool.query(`
    CREATE TABLE task_move (id bigint, state int);
    CREATE FUNCTION note_move() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW."taskStatus" <> OLD."taskStatus" THEN INSERT INTO task_move VALUES (NEW.id, NEW."taskStatus"); END IF; RETURN NEW; END $$;
    CREATE TRIGGER note_move AFTER UPDATE ON exporttask FOR EACH ROW EXECUTE FUNCTION note_move()`)
  fleet = await startFleet(t)
  sheet = await schoolSheet(t, await signIn(t, { role: 'administrator' }))
})
afterAll(async () => {
  await fleet?.stop()
  await t?.close()
})

const ended: readonly number[] = [TaskStatus.done, TaskStatus.failed, TaskStatus.cancelled]
const tasksOf = ({ userId }: Caller) =>
  t.db.selectFrom('exporttask').selectAll().where('createUser', '=', userId).where('inBackground', '=', 1).execute()

/** The server is asked for bytes. */
async function download(id: string, { headers }: Caller): Promise<Buffer> {
  for (;;) {
    try {
      const answer = await fetch(`${fleet.urls[randomInt(2)]}/api/blade-exam/exporttask/download?id=${id}`, { headers })
      const bytes = Buffer.from(await answer.arrayBuffer())
      if (answer.ok) return bytes
      expect(answer.status).toBe(503)
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      await sleep(50)
    }
  }
}

let offered = 0

/** Asks for an export after another; what is offered is looked at. */
async function exporter(load: Load): Promise<void> {
  const who = await signIn(t, { role: 'administrator' })
  const seen = new Set<string>()
  while (load.goesOn()) {
    await fleet.ask(`${schools}/export?schoolCode_likeright=N&ascs=schoolCode`, who)
    load.done()
    while (load.goesOn() && (await tasksOf(who)).some(one => !ended.includes(one.taskStatus))) await sleep(100)
    for (const { id, taskStatus } of await tasksOf(who)) {
      if (taskStatus !== TaskStatus.done || seen.has(id)) continue
      expect(await cellsOf(await download(id, who))).toHaveLength(listed + 1)
      seen.add(id)
      offered++
    }
  }
}

const books: { code: string; isAnswered: boolean }[] = []

/** Sends a workbook after another until each is answered. */
async function importer(load: Load): Promise<void> {
  const { headers } = await signIn(t, { role: 'administrator' })
  while (load.goesOn()) {
    const book = { code: `I${randomUUID().slice(0, 8)}x`, isAnswered: false }
    books.push(book)
    const file = await sheet.fill(Array.from({ length: imported }, (_, n) => sheet.school(`${book.code}${n}`)))
    const answer = await fleet.insist(`${schools}/import`, { headers, body: schoolForm(file, 1) })
    expect(answer).toMatchObject({ code: 200, data: { success: imported } })
    book.isAnswered = true
    load.done()
  }
}

/** Leases run out meanwhile: of dead servers, and of living ones, so that two are at one export. */
async function endLeases(load: Load): Promise<void> {
  while (load.goesOn()) {
    await t.pool.query(
      `UPDATE work_item SET "leaseUntil" = clock_timestamp() - interval '1 second' WHERE state = 3 AND random() < 0.3`,
    )
    await sleep(randomInt(200, 1000))
  }
}

test('exports end once and are whole; workbooks are taken in once', async () => {
  const repeat = <T>(n: number, one: T) => Array.from({ length: n }, () => one)
  const loads = [...repeat(exporters, exporter), ...repeat(importers, importer), endLeases]
  await underKills(fleet, kills, loads, { pause: [300, 1500] })
  await t.pool.query(`UPDATE work_item SET "leaseUntil" = clock_timestamp() WHERE state = 3`)
  await vi.waitFor(
    async () => {
      const open = t.db
        .selectFrom('exporttask')
        .select(['id', 'taskStatus'])
        .where('taskStatus', 'not in', ended as never)
      expect(await open.execute()).toEqual([])
    },
    { timeout: 180_000, interval: 1000 },
  )
  const tasks = await t.db.selectFrom('exporttask').selectAll().where('inBackground', '=', 1).execute()
  const files = await t.db.selectFrom('attach').selectAll().where('ownerType', '=', 'task').execute()
  const moves = (await t.pool.query<{ id: string; state: number }>('SELECT id::text, state FROM task_move')).rows
  const bytesOf = (name: string) => readFile(path.join(fleet.folder, 'files', name))
  for (const task of tasks) {
    const ends = moves.filter(one => one.id === task.id && ended.includes(one.state))
    expect(ends.map(one => one.state)).toEqual([task.taskStatus])
    const own = files.filter(one => one.ownerId === task.id)
    if (task.taskStatus === TaskStatus.done) {
      expect([task.rowNum, task.totalNum, own.map(one => one.id)]).toEqual([listed, listed, [task.fileId]])
      expect((await bytesOf(own[0]!.name)).length).toBe(own[0]!.attachSize)
    } else expect([task.failReason, task.fileId, own]).toEqual(['多次中断，请缩小范围后重试', null, []])
  }
  expect(offered).toBeGreaterThan(0)
  expect(tasks.filter(one => one.taskStatus === TaskStatus.done).length).toBeGreaterThanOrEqual(offered)

  const { rows: counts } = await t.pool.query<{ code: string; n: number }>(
    `SELECT substr("schoolCode", 1, 10) AS code, count(*)::int AS n FROM school WHERE "schoolCode" LIKE 'I%' GROUP BY 1`,
  )
  expect(books.every(one => one.isAnswered)).toBe(true)
  expect(counts.map(one => `${one.code} ${one.n}`).toSorted()).toEqual(
    books.map(one => `${one.code} ${imported}`).toSorted(),
  )
  const imports = await t.db
    .selectFrom('importtask as k')
    .innerJoin('attach as f', 'f.id', 'k.fileId')
    .select(['k.taskStatus', 'k.okNum', 'f.name', 'f.sha256'])
    .execute()
  expect(imports).toHaveLength(books.length)
  for (const one of imports) {
    expect(one).toMatchObject({ taskStatus: TaskStatus.done, okNum: imported })
    expect(
      createHash('sha256')
        .update(await bytesOf(one.name))
        .digest('hex'),
    ).toBe(one.sha256)
  }
  const stored = await readdir(path.join(fleet.folder, 'files'), { recursive: true, withFileTypes: true })
  const bytes = stored.filter(entry => entry.isFile()).length
  expect(fleet.faults).toEqual([])
  console.log(
    `${tasks.length} exports, ${offered} looked at, ${books.length} imports; ${bytes} files for ${files.length} rows`,
  )
})
