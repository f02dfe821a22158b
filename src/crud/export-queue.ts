import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { exportEvents } from '#resources/workbook/events'
import { TaskStatus } from '#schemas/dictionaries'
import type { Place } from '../platform/channels/storage/stores.ts'
import { raw } from '../platform/database/live.ts'
import { readNumberParam } from '../platform/database/param.ts'
import type { Person } from '../platform/http/server/access.ts'
import { programOf } from '../platform/http/server/live.ts'
import { isRefusal, Refusal, refuseSaying } from '../platform/http/server/refusal.ts'
import { FinalFailure, type Kind, LostLease, type Piece } from '../platform/queue/piece.ts'
import { emit } from './emit.ts'
import type { Counted, Entry, ExportKind, MadeFile } from './export-kind.ts'
import { beginExport, enterExport, failExport, noteRows, reopenExport } from './export-register.ts'
import { endingOf, enterFile, type Stored, storeStream } from './stored-file.ts'
import { admitted } from './view.ts'

declare module '../platform/queue/piece.ts' {
  interface WorkKinds {
    /** An export in the background: its order. The key is the id of its task. */
    export: object
  }
}

/** Exports that are made in the background, by any process of the installation. */
export interface Exports {
  /** Makes a kind of export known; every process must know all of them. */
  add(kind: ExportKind): void
  /** Enters an export that is to be made. @returns its id @throws as {@link enterExport} */
  ask<Order extends object>(person: Person, kind: ExportKind<Order>, order: Order, entry: Entry): Promise<string>
}

declare module 'fastify' {
  interface FastifyInstance {
    exports: Exports
  }
}

/** How often an export is begun at most: one that ends its process each time must not end them all. */
const mostTries = 3
/** Milliseconds between two notes of how far an export is. */
const noteEvery = 3000
/** What is said of an export that has ended its process each time, and of one that nobody can make. */
const interrupted = '多次中断，请缩小范围后重试'

/** What is noted with an export: what it is and who asked for it, as the person was when asking, and where its bytes are being put. */
interface Note {
  kind: string
  userId: string
  /** Comma-joined. */
  roleIds: string
  deptIds: string
  place?: string
}

type Work = Piece<'export'>

const noteOf = ({ memo }: Work): Note => memo as unknown as Note
const taskOf = ({ key }: Pick<Work, 'key'>): string => key ?? ''

/** Until when a file is kept. */
async function keepUntil({ db, now }: FastifyInstance, tenantId: string, kind: ExportKind): Promise<Date> {
  const hours = kind.hours ?? (await readNumberParam(db, tenantId, 'export.days')) * 24
  return new Date(now().getTime() + hours * 3_600_000)
}

/** The taker with the rights of now. @throws 403 where they no longer allow the export */
async function takerOf(app: FastifyInstance, note: Note, { permission, url }: { permission: string; url: string }) {
  const [roleIds = [], deptIds = []] = [note.roleIds, note.deptIds].map(list => list.split(',').filter(Boolean))
  const person = await app.personNow({ userId: note.userId, roleIds, deptIds })
  const taker = person && admitted(person, [permission])
  if (!taker || taker.closedPaths?.has(url)) throw refuseSaying('request.forbidden', '没有导出权限')
  return { app, person: taker }
}

/** Hands the file over: the register, the file and the queue change together, or not at all when somebody was faster. */
async function handOver(
  app: FastifyInstance,
  { piece, kind }: { piece: Work; kind: ExportKind },
  person: Person,
  file: MadeFile,
  stored: Stored,
  rowNum: number,
) {
  const now = app.now()
  const keep = await keepUntil(app, person.tenantId, kind)
  const taskId = taskOf(piece)
  await app.db.transaction().execute(async trx => {
    await piece.end(trx)
    const { tenantId, userId } = person
    const { name, contentType } = file
    const kept = { tenantId, userId, ownerType: 'task', ownerId: taskId, name, contentType } as const
    const fileId = await enterFile(trx, kept, stored, now)
    const done = await trx
      .updateTable('exporttask')
      .set({ taskStatus: TaskStatus.done, rowNum, fileId, keepUntil: keep, endTime: now, updateTime: now })
      .where('id', '=', taskId)
      .where('taskStatus', '=', TaskStatus.running)
      .returning(['id', 'title', 'keepUntil'])
      .executeTakeFirst()
    if (!done) throw new LostLease()
    await emit(programOf(trx, { tenantId }, now), kind.isOwnData ? exportEvents.copied : exportEvents.ended, [done])
  })
}

/** Makes the file of one export and hands it over. Its signal ends it in the middle. */
async function make(app: FastifyInstance, kind: ExportKind, piece: Work, count: { rows: number }): Promise<void> {
  const { payload: order, signal } = piece
  const taker = await takerOf(app, noteOf(piece), kind.access(order))
  const totalNum = await kind.count(taker, order)
  piece.progress(0, totalNum)
  await app.db.updateTable('exporttask').set({ totalNum }).where('id', '=', taskOf(piece)).execute()
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
  await piece.note({ ...noteOf(piece), place: place.key })
  const end = () => file.bytes.destroy(signal.reason as Error)
  signal.addEventListener('abort', end, { once: true })
  try {
    signal.throwIfAborted()
    const stored = await storeStream(app.storage, place, file.bytes)
    await handOver(app, { piece, kind }, taker.person, file, stored, count.rows)
  } catch (error) {
    file.bytes.destroy()
    // After any other failure the hand-over may have succeeded without an answer: whoever takes the export over throws the
    // bytes away.
    if (error instanceof LostLease || signal.aborted) await throwAway(app, place)
    throw error
  } finally {
    signal.removeEventListener('abort', end)
  }
}

async function throwAway(app: FastifyInstance, { key }: Pick<Place, 'key'>): Promise<void> {
  await app.storage.remove(key).catch(error => app.log.warn({ err: error, key }, 'bytes of an export stay'))
}

/** Makes one export, and notes how far it is beside. */
async function carryOut(app: FastifyInstance, kinds: ReadonlyMap<string, ExportKind>, piece: Work): Promise<string> {
  const { place, kind: name } = noteOf(piece)
  if (place) await throwAway(app, { key: place })
  const isOpen = await app.db.transaction().execute(async trx => {
    await piece.hold(trx)
    return beginExport(app, trx, taskOf(piece))
  })
  if (!isOpen) return 'over'
  const kind = kinds.get(name)
  if (!kind) throw new FinalFailure(interrupted)
  const count = { rows: 0 }
  const timer = setInterval(() => {
    piece.progress(count.rows)
    // The next note says it, too.
    if (!piece.signal.aborted) noteRows(app, taskOf(piece), count.rows).catch(() => undefined)
  }, noteEvery)
  try {
    await make(app, kind, piece, count)
    return `${count.rows}`
  } finally {
    clearInterval(timer)
  }
}

/** Exports as work of the queue. */
const exportWork = (app: FastifyInstance, kinds: ReadonlyMap<string, ExportKind>): Kind<'export'> => ({
  kind: 'export',
  lane: 'export',
  mostTries,
  perform: piece => carryOut(app, kinds, piece),
  // A refusal will be one again, unless the storage cannot be used at the moment; anything else may pass.
  isFinal: error => error instanceof Refusal && !isRefusal(error, 'file.storageUnavailable'),
  async left(trx, item, { how, error }) {
    if (how !== 'failed') return
    const isSaid = error instanceof Refusal || error instanceof FinalFailure
    const reason = isSaid ? error.message : error ? '系统错误，请稍后重试' : interrupted
    const failed = await failExport(app, raw(trx), taskOf(item), reason)
    if (failed && !kinds.get(failed.bizType)?.isOwnData)
      await emit(programOf(trx, failed, app.now()), exportEvents.failed, [failed])
  },
  retried: (trx, item) => reopenExport(app, raw(trx), taskOf(item)),
})

/** Decorates the app with exports that are made in the background, as work of the queue. */
export default fp(
  async app => {
    const kinds = new Map<string, ExportKind>()
    app.queue.add(exportWork(app, kinds))
    app.decorate('exports', {
      add: kind => kinds.set(kind.name, kind),
      async ask(person, kind, order, entry) {
        const { userId, roleIds, deptIds, tenantId } = person
        const memo = { kind: kind.name, userId, roleIds: roleIds.join(), deptIds: deptIds.join() } satisfies Note
        const id = await enterExport(app, person, entry, order, async (trx, taskId) => {
          await app.queue.enter(trx, { kind: 'export', key: taskId, tenantId, payload: order, memo })
        })
        app.queue.nudge()
        return id
      },
    } satisfies Exports)
  },
  { name: 'exports', dependencies: ['auth', 'storage', 'queue'] },
)
