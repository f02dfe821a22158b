import { chmod, chown, mkdtemp, rm, statfs } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished, type TestOptions, test } from 'vitest'
import { type Command, findCommand, packages } from './commands.ts'
import { nobody } from './program.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** What a trial has measured, by names for the table at the end. */
    figures?: Record<string, string | number>
    /** Why a trial was not made. */
    skipped?: string
  }
}

/** One trial while it is made. */
export interface Trial {
  /** A folder of its own, of the user whom programs run as; it goes with the trial. */
  readonly folder: string
  /** What is undone when the trial is over, however it ends; the last is undone first. */
  after(undo: () => unknown): void
  /** Notes something measured for the table at the end. */
  figure(name: string, value: string | number): void
}

/** What a trial needs. */
export interface Needs {
  /** Programs besides the project. Where one is missing the trial is skipped. */
  needs: readonly Command[]
  /** Whether it takes root, as for mounting. */
  root?: boolean
  /** Gigabytes of the disk for temporary files that it fills. */
  disk?: number
  /** Minutes after which it has failed. */
  minutes?: number
}

/** Why a trial cannot be made here; undefined when it can. */
async function missing({ needs, root, disk = 0 }: Needs): Promise<string | undefined> {
  const command = needs.find(one => findCommand(one) === undefined)
  if (command) return `skipped: ${path.basename(command)} is missing (Debian: ${packages[command]})`
  if (root && process.getuid?.() !== 0) return 'skipped: it takes root'
  const { bavail, bsize } = await statfs(os.tmpdir())
  return bavail * bsize < disk * 1e9 ? `skipped: it fills ${disk} GB of ${os.tmpdir()}` : undefined
}

/**
 * A trial of the built server with programs of others: a test that is skipped, and counted so, where one of them is missing.
 * @param name what must hold
 * @param work the trial; what it starts it gives to `after`
 */
export function trial(name: string, given: Needs, work: (run: Trial) => Promise<void>): void {
  const options: TestOptions = { timeout: (given.minutes ?? 5) * 60_000 }
  test(name, options, async ({ task, skip }) => {
    const reason = await missing(given)
    if (reason) {
      task.meta.skipped = reason
      skip(reason)
    }
    const folder = await mkdtemp(path.join(os.tmpdir(), 'juxian-operate-'))
    await chmod(folder, 0o755)
    if (nobody) await chown(folder, nobody.uid, nobody.gid)
    const undone: (() => unknown)[] = [
      () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }),
    ]
    let isOver = false
    onTestFinished(async () => {
      isOver = true
      const faults: unknown[] = []
      for (const undo of undone.toReversed())
        await Promise.resolve()
          .then(undo)
          .catch(error => faults.push(error))
      if (faults.length > 0) throw new AggregateError(faults, 'The trial left something behind.')
    })
    const figures: Record<string, string | number> = {}
    task.meta.figures = figures
    await work({
      folder,
      after(undo) {
        // Its time was over while this was being started.
        if (isOver) void Promise.resolve().then(undo)
        else undone.push(undo)
      },
      figure(what, value) {
        figures[what] = value
      },
    })
  })
}
