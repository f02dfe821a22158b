import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { inBackground } from '../database/request-transaction.ts'

/** Milliseconds between two looks: while there was something to do, and while there is nothing. */
const look = { busy: 200, idle: 1000 }
/** Milliseconds after a look that failed. */
const failed = 5000

/** Work that every process looks for all the time; what may not be done twice is locked in the database. */
export interface Loop {
  /** What it is called in logs. */
  readonly name: string
  /** Does what is due. @returns how much that was */
  turn(signal: AbortSignal): Promise<number>
}

/** Looks for work while the server runs, where it does work in the background at all; ends it when the server does. */
export function keepLooking(app: FastifyInstance, { name, turn }: Loop): void {
  const ending = new AbortController()
  const { signal } = ending
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      let wait = look.idle
      try {
        if ((await inBackground(() => turn(signal))) > 0) wait = look.busy
      } catch (err) {
        wait = failed
        app.log.error({ err, work: name }, 'work in the background failed')
      }
      await sleep(wait, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }
  let running: Promise<void> | undefined
  app.addHook('onReady', async () => {
    if (app.config.jobs) running = run()
  })
  app.addHook('preClose', async () => {
    ending.abort()
    if (running) await app.finish(name, running)
  })
}
