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

trial(
  'the disk of the database is full, and has space again: calls are refused with 503, health says why, nothing is lost',
  { needs: ['postgres', 'mount'], root: true, minutes: 10 },
  async run => {
    const disk = await mount(run)
    const database = await startPostgres(run, { data: path.join(disk, 'postgres') })
    const env = { DATABASE_URL: database.url }
    const { urls, headers } = await startServers(run, 1, env)
    const load = steadyLoad({ urls, headers })
    await eventually(() => expect(load.saved.length).toBeGreaterThan(50), 60_000)
    const free = await fill(disk)
    const health = async () => {
      const answer = await fetch(`${urls[0]}/api/public/health`)
      return { status: answer.status, text: await answer.text() }
    }
    // What PostgreSQL has in hand, its log above all, is used up first.
    const full = await eventually(async () => {
      const is = await health()
      expect(is.status).toBe(503)
      return is.text
    }, 120_000)
    const before = load.saved.length
    await sleep(5000)
    const during = load.saved.length - before
    const isRunning = database.isRunning()
    await free()
    const since = performance.now()
    // As whoever runs the database does: systemd, Patroni.
    if (!database.isRunning()) await database.start()
    await eventually(() => expect(load.saved.length).toBeGreaterThan(before + during + 10), 60_000)
    const back = performance.now() - since
    await eventually(async () => expect((await health()).status).toBe(200), 90_000)
    const outcome = await load.end()
    const lost = await lostOf(load, database.query)
    run.figure('health says', full)
    run.figure('PostgreSQL meanwhile', isRunning ? 'runs' : 'has ended by itself')
    run.figure('statuses', JSON.stringify(outcome.statuses))
    run.figure('saved in 5 s without space', during)
    run.figure('ten saved again, ms after there was space', Math.round(back))
    run.figure('health again, ms', Math.round(performance.now() - since))
    run.figure('saved, of these lost', `${load.saved.length}, ${lost.length}`)
    expect(outcome.faults).toEqual([])
    expect(lost).toEqual([])
    await expectWhole(run, env)
  },
)
