import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { TaskStatus } from '#schemas/dictionaries'
import type { Place } from '../platform/channels/storage/stores.ts'
import { readNumberParam } from '../platform/database/param.ts'
import type { Person } from '../platform/http/server/access.ts'
import { isRefusal, Refusal, refuseSaying } from '../platform/http/server/refusal.ts'
import type { Counted, Entry, ExportKind, MadeFile } from './export-kind.ts'
import { afterFailure, claim, isHopeless, type Job, lease, notePlace, renew, type Stop } from './export-lease.ts'
import { enterExport, failExport } from './export-register.ts'
import { endingOf, enterFile, type Stored, storeStream } from './stored-file.ts'
import { admitted } from './view.ts'

/** Exports that are made in the background, by any process of the installation. */
export interface Exports {
  /** Makes a kind of export known; every process must know all of them. */
  add(kind: ExportKind): void
  /** Enters an export that is to be made. @returns its id @throws as {@link enterExport} */
  ask<Order extends object>(person: Person, kind: ExportKind<Order>, order: Order, entry: Entry): Promise<string>
  /** Makes one export after another until nobody waits. @returns how many it has begun */
  work(): Promise<number>
}

declare module 'fastify' {
  interface FastifyInstance {
    exports: Exports
  }
}

/** Milliseconds between two looks into the queue. */
const look = 2000
/** Parts of a lease after which it is renewed. */
const renewalsPerLease = 20

class Stopped extends Error {
  constructor(readonly why: Stop) {
    super(why)
  }
}

/** Until when the tenant keeps a file. */
async function keepUntil({ db, now }: FastifyInstance, tenantId: string): Promise<Date> {
  const days = await readNumberParam(db, tenantId, 'export.days')
  return new Date(now().getTime() + days * 86_400_000)
}

/** The taker with the rights of now. @throws 403 where they no longer allow the export */
async function takerOf(app: FastifyInstance, job: Job, { permission, url }: { permission: string; url: string }) {
  const [roleIds = [], deptIds = []] = [job.roleIds, job.deptIds].map(list => list.split(',').filter(Boolean))
  const person = await app.personNow({ userId: job.userId, roleIds, deptIds })
  const taker = person && admitted(person, [permission])
  if (!taker || taker.closedPaths?.has(url)) throw refuseSaying('request.forbidden', '没有导出权限')
  return { app, person: taker }
}

/** Hands the file over: the register, the file and the queue change together, or not at all when somebody was faster. */
async function handOver(
  app: FastifyInstance,
  job: Job,
  person: Person,
  file: MadeFile,
  stored: Stored,
  rowNum: number,
) {
  const now = app.now()
  const keep = await keepUntil(app, person.tenantId)
  await app.db.transaction().execute(async trx => {
    const mine = trx.deleteFrom('export_job').where('taskId', '=', job.taskId).where('leaseBy', '=', job.leaseBy)
    if ((await mine.executeTakeFirst()).numDeletedRows === 0n) throw new Stopped('lost')
    const { tenantId, userId } = person
    const { name, contentType } = file
    const kept = { tenantId, userId, ownerType: 'task', ownerId: job.taskId, name, contentType } as const
    const fileId = await enterFile(trx, kept, stored, now)
    const done = await trx
      .updateTable('exporttask')
      .set({ taskStatus: TaskStatus.done, rowNum, fileId, keepUntil: keep, endTime: now, updateTime: now })
      .where('id', '=', job.taskId)
      .where('taskStatus', '=', TaskStatus.running)
      .executeTakeFirst()
    if (done.numUpdatedRows === 0n) throw new Stopped('cancelled')
  })
}

/** Makes the file of one export and hands it over. @param stop ends it in the middle, with a {@link Stopped} */
async function make(app: FastifyInstance, kind: ExportKind, job: Job, count: { rows: number }, stop: AbortSignal) {
  const order = JSON.parse(app.vault.open(job.wish)) as object
  const taker = await takerOf(app, job, kind.access(order))
  const totalNum = await kind.count(taker, order)
  await app.db.updateTable('exporttask').set({ totalNum }).where('id', '=', job.taskId).execute()
  const counted: Counted = async function* <T>(rows: AsyncIterable<T>) {
    for await (const row of rows) {
      yield row
      count.rows++
    }
  }
  const file = await kind.make(taker, order, counted)
  // Whoever reads it gets the error; one before anybody reads must not end the process.
  file.bytes.on('error', () => {})
  const place = await app.storage.place(taker.person.tenantId, endingOf(file.name))
  await notePlace(app, job, place.key)
  const end = () => file.bytes.destroy(stop.reason as Error)
  stop.addEventListener('abort', end, { once: true })
  try {
    stop.throwIfAborted()
    const stored = await storeStream(app.storage, place, file.bytes)
    await handOver(app, job, taker.person, file, stored, count.rows)
  } catch (error) {
    file.bytes.destroy()
    // After any other failure the hand-over may have succeeded without an answer: whoever takes the export over throws the
    // bytes away.
    if (error instanceof Stopped) await throwAway(app, place)
    throw error
  } finally {
    stop.removeEventListener('abort', end)
  }
}

async function throwAway(app: FastifyInstance, { key }: Pick<Place, 'key'>): Promise<void> {
  await app.storage.remove(key).catch(error => app.log.warn({ err: error, key }, 'bytes of an export stay'))
}

/** What an error means for the export: a refusal will be one again, anything else may pass. */
function failureOf(app: FastifyInstance, error: unknown) {
  if (error instanceof Stopped) return error.why
  // file.storageUnavailable: the storage cannot be used at the moment.
  if (error instanceof Refusal) return { reason: error.message, isFinal: !isRefusal(error, 'file.storageUnavailable') }
  app.log.error({ err: error }, 'export failed')
  return { reason: '系统错误，请稍后重试', isFinal: false }
}

/** Makes one export with a heartbeat beside it. */
async function carryOut(app: FastifyInstance, kind: ExportKind | undefined, job: Job, closing: AbortSignal) {
  if (job.key) await throwAway(app, { key: job.key })
  if (!kind || isHopeless(job)) return failExport(app, job.taskId, '多次中断，请缩小范围后重试')
  const own = new AbortController()
  const count = { rows: 0 }
  const beat = setInterval(async () => {
    // A heartbeat may fail, the next one renews the lease: it lasts for several.
    const why = await renew(app, job, count.rows).catch(() => null)
    if (why) own.abort(new Stopped(why))
  }, lease / renewalsPerLease)
  const stop = AbortSignal.any([own.signal, closing])
  try {
    await make(app, kind, job, count, stop)
  } catch (error) {
    await afterFailure(app, job, failureOf(app, stop.aborted ? stop.reason : error))
  } finally {
    clearInterval(beat)
  }
}

/** Decorates the app with the queue of exports. With `jobs: false` in the configuration nothing is made by the clock. */
export default fp(
  async app => {
    const kinds = new Map<string, ExportKind>()
    const closing = new AbortController()
    let running: Promise<number> | undefined
    const workOff = async (): Promise<number> => {
      for (let begun = 0; ; begun++) {
        const job = closing.signal.aborted ? undefined : await claim(app, randomUUID())
        if (!job) return begun
        await carryOut(app, kinds.get(job.kind), job, closing.signal)
      }
    }
    const work = (): Promise<number> => {
      running ??= workOff().finally(() => {
        running = undefined
      })
      return running
    }
    const workByClock = () => void work().catch(error => app.log.error({ err: error }, 'queue of exports'))
    app.decorate('exports', {
      add: kind => kinds.set(kind.name, kind),
      async ask(person, kind, order, entry) {
        const { userId, roleIds, deptIds } = person
        const wish = app.vault.seal(JSON.stringify(order))
        const asker = { userId, roleIds: roleIds.join(), deptIds: deptIds.join() }
        const id = await enterExport(app, person, entry, order, async (trx, taskId) => {
          await trx
            .insertInto('export_job')
            .values({ taskId, kind: kind.name, wish, ...asker, tries: 0 })
            .execute()
        })
        if (app.config.jobs) workByClock()
        return id
      },
      work,
    } satisfies Exports)
    let timer: NodeJS.Timeout | undefined
    app.addHook('onReady', async () => {
      if (app.config.jobs) timer = setInterval(workByClock, look)
    })
    app.addHook('preClose', async () => {
      clearInterval(timer)
      closing.abort(new Stopped('closing'))
      await running?.catch(() => {})
    })
  },
  { name: 'exports', dependencies: ['auth', 'storage', 'jobs'] },
)
