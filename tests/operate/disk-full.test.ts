import { execFileSync } from 'node:child_process'
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { findCommand } from '../helper/commands.ts'
import { startPostgres } from '../helper/outside-postgres.ts'
import { nobody, runProgram } from '../helper/program.ts'
import { startServers } from '../helper/servers.ts'
import { eventually } from '../helper/soon.ts'
import { lostOf, steadyLoad } from '../helper/steady-load.ts'
import { type Trial, trial } from '../helper/trial.ts'
import { expectWhole } from '../helper/whole.ts'

const megabyte = 1024 ** 2

/** Milliseconds after space was made in which a database that ran meanwhile saves again. */
const mostAfter = 2000

/** A disk of its own, from memory. @returns where it is mounted */
async function mount(run: Trial): Promise<string> {
  const disk = path.join(run.folder, 'disk')
  await mkdir(disk)
  const options = `size=400m,mode=755,uid=${nobody?.uid},gid=${nobody?.gid}`
  await runProgram(findCommand('mount')!, ['-t', 'tmpfs', '-o', options, 'juxian-operate', disk], { asRoot: true })
  run.after(() => execFileSync('umount', ['--lazy', disk]))
  return disk
}

/** Fills a disk up to the last byte. @returns what makes space again */
async function fill(disk: string): Promise<() => Promise<void>> {
  const names: string[] = []
  for (let size = 16 * megabyte; size >= 4096; size = Math.floor(size / 4))
    for (;;) {
      const { bavail, bsize } = await statfs(disk)
      if (bavail * bsize < size) break
      const name = path.join(disk, `filler-${names.length}`)
      names.push(name)
      await writeFile(name, Buffer.alloc(size))
    }
  return async () => {
    for (const name of names) await rm(name)
  }
}

/** Fills the disk of a database under load, and makes space again. */
async function fillUnder(run: Trial, isWalElsewhere: boolean): Promise<void> {
  const disk = await mount(run)
  const wal = isWalElsewhere ? { wal: path.join(run.folder, 'wal') } : {}
  const database = await startPostgres(run, { data: path.join(disk, 'postgres'), ...wal })
  const env = { DATABASE_URL: database.url }
  const { urls, headers } = await startServers(run, 1, env)
  const load = steadyLoad({ urls, headers })
  await eventually(() => expect(load.saved.length).toBeGreaterThan(50), 60_000)
  const health = async () => {
    const answer = await fetch(`${urls[0]}/api/public/health`)
    return { status: answer.status, text: await answer.text() }
  }
  const free = await fill(disk)
  // What PostgreSQL has in hand, such as room in its tables and its log, is used up first.
  const says = await eventually(async () => {
    const { status, text } = await health()
    expect(status).toBe(503)
    return text
  }, 120_000)
  const before = load.saved.length
  await sleep(5000)
  const during = load.saved.length - before
  const outcomes = [await load.end()]
  const isRunning = database.isRunning()
  // Nobody calls, so that no refusal tells: the database itself is asked.
  await sleep(8000)
  const later = await health()
  const since = performance.now()
  await free()
  // As whoever runs the database does when it has ended: systemd, Patroni.
  if (!isRunning) await database.start()
  const again = steadyLoad({ urls, headers, name: 'again' })
  await eventually(() => expect(again.saved.length).toBeGreaterThan(0), 60_000)
  const savedAfter = Math.round(performance.now() - since)
  run.figure('saved again, ms after space was made', savedAfter)
  await eventually(() => expect(again.saved.length).toBeGreaterThan(10), 60_000)
  run.figure('ten saved again, ms after space was made', Math.round(performance.now() - since))
  await eventually(async () => expect((await health()).status).toBe(200), 30_000)
  run.figure('health again, ms', Math.round(performance.now() - since))
  outcomes.push(await again.end())
  const saved = [...load.saved, ...again.saved]
  const lost = await lostOf({ saved }, database.query)
  run.figure('health said', says)
  run.figure('PostgreSQL without space', isRunning ? 'ran' : 'ended by itself')
  run.figure('saved in 5 s without space', during)
  run.figure('statuses', JSON.stringify(outcomes.map(({ statuses }) => statuses)))
  run.figure('saved, of these lost', `${saved.length}, ${lost.length}`)
  expect(outcomes.flatMap(({ faults }) => faults)).toEqual([])
  expect(lost).toEqual([])
  expect(later.status).toBe(503)
  // One that has ended by itself is started first, and recovers.
  if (isRunning) expect(savedAfter).toBeLessThan(mostAfter)
  if (isWalElsewhere) {
    expect(isRunning).toBe(true)
    for (const text of [says, later.text]) expect(text).toContain('full')
  }
  await expectWhole(run, env)
}

const needs = { needs: ['postgres', 'mount'], root: true, minutes: 10 } as const

trial(
  'the disk of the tables is full, and has space again: calls are refused with 503, health says why, nothing is lost',
  needs,
  run => fillUnder(run, true),
)

trial('the same with the log of the database on that disk, which may end PostgreSQL', needs, run =>
  fillUnder(run, false),
)
