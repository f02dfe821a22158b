import { mkdir, statfs } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { commaList } from '#engine'
import { exportEvents } from '#resources/workbook/events'
import { TaskStatus } from '#schemas/dictionaries'
import { emit } from '../../../crud/emit.ts'
import { beginExport, enterExportIn, failExport, noteRows } from '../../../crud/export-register.ts'
import { scoped } from '../../../crud/scope.ts'
import { enterFile } from '../../../crud/stored-file.ts'
import { admitted } from '../../../crud/view.ts'
import type { Caller } from '../../../platform/access/server/caller.ts'
import type { Trx } from '../../../platform/database/database.ts'
import { type AcrossTrx, liveAcross, raw } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs, programOf } from '../../../platform/http/server/live.ts'
import { Refusal, refuse, refuseSaying } from '../../../platform/http/server/refusal.ts'
import { wireDay } from '../../../platform/http/server/wire.ts'
import { FinalFailure, type Kind, LostLease, type Piece } from '../../../platform/queue/piece.ts'
import { wholeArchive } from '../../exams/server/archive.ts'
import { type ArchiveState, buildArchive, dropArchive, dropParts } from './build.ts'
import { type ArchiveOf, estimate } from './contents.ts'
import { archiveLayout } from './tables.ts'

/** What is asked for. */
interface ArchiveOrder {
  examId: string
  sort: 'full' | 'masked'
  reason: string
  /** The second person, by name, of a full one. */
  confirmedBy?: string
}

declare module '../../../platform/queue/piece.ts' {
  interface WorkKinds {
    /** The whole archive of an exam. The key is the id of its task in the register of exports. */
    'exam.archive': ArchiveOrder
  }
}

const permission = 'examination_archive'
/** Days for which an archive stays on the server. */
const daysKept = 7
/** Room that is left for everybody else, in bytes. */
const roomLeft = 1024 ** 3

/** Who asked, with the ids of roles and offices in lists. */
interface Asker {
  userId: string
  roleIds: string
  deptIds: string
}

interface Note extends Asker, Record<string, unknown> {
  archive?: ArchiveState
  /** How far a program from before there were volumes has come: its parts stand in another order, and it begins anew without them. */
  state: Pick<ArchiveState, 'segments'>
}

const nothing: Note['state'] = { segments: [] }

const noteOf = ({ memo }: Piece<'exam.archive'>): Note => memo as Note

function archiveOf(app: FastifyInstance, person: Person, order: ArchiveOrder): ArchiveOf {
  const { examId, sort, reason, confirmedBy = '' } = order
  const db = liveAs(app, person)
  const caller: Caller = { db, vault: app.vault, person, now: app.now(), ip: '', meter: app.meter }
  return { app, caller, examId, isMasked: sort === 'masked', reason, confirmedBy }
}

/** @throws archives.noRoom when the disk of the installation's own files has not enough left */
async function checkRoom(of: ArchiveOf): Promise<void> {
  const { app, caller } = of
  const { bytes } = await estimate(of)
  const { ossCode } = await app.storage.place(caller.person.tenantId, 'zip')
  if (ossCode !== 'local' || app.storage.arrivals) return
  // Nothing may have been stored yet.
  await mkdir(app.config.dataDir, { recursive: true })
  const { bavail, bsize } = await statfs(app.config.dataDir)
  // A volume is made of its parts: for a while both are there.
  const wanted = bytes + Math.min(bytes, app.config.archiveVolume) + roomLeft
  if (bavail * bsize >= wanted) return
  const inMB = (n: number) => Math.ceil(n / 1024 ** 2)
  throw refuse('archives.noRoom', { n: inMB(wanted), m: inMB(bavail * bsize) })
}

/** Looks whether an archive has room. @throws archives.noRoom */
export const checkRoomFor = (app: FastifyInstance, person: Person, order: ArchiveOrder): Promise<void> =>
  checkRoom(archiveOf(app, person, order))

/** Enters an archive that waits for nobody, and has it begun. @returns the id of its task @throws as enterExport */
export async function beginArchive(app: FastifyInstance, person: Person, order: ArchiveOrder): Promise<string> {
  const taskId = await app.db.transaction().execute(trx => enterArchive(trx, app, person, order))
  app.queue.nudge()
  return taskId
}

/** Enters the whole archive of an exam as work for the background. @returns the id of its task @throws as enterExport */
export async function enterArchive(
  trx: Trx,
  app: FastifyInstance,
  person: Person,
  order: ArchiveOrder,
): Promise<string> {
  const { examId, sort, reason } = order
  const { examName } = await trx
    .selectFrom('examination')
    .select('examName')
    .where('id', '=', examId)
    .executeTakeFirstOrThrow()
  const entry = {
    bizType: wholeArchive,
    title: `${sort === 'full' ? '完整归档包' : '脱敏归档包'} ${examName}`.slice(0, 100),
    params: { examId, sort },
    sensitive: sort === 'full',
    reason,
  }
  const { userId, roleIds, deptIds, tenantId } = person
  const memo: Note = { userId, roleIds: roleIds.join(), deptIds: deptIds.join(), state: nothing }
  return enterExportIn(trx, app, person, entry, { examId, sort }, async (within, taskId) => {
    await app.queue.enter(within, { kind: 'exam.archive', key: taskId, tenantId, payload: order, memo })
  })
}

/** Whoever asked, with the rights of now. @throws 403 where they no longer allow it */
export async function takerOf(
  app: FastifyInstance,
  { userId, roleIds, deptIds }: Asker,
  examId: string,
): Promise<Person> {
  const person = await app.personNow({ userId, roleIds: commaList(roleIds), deptIds: commaList(deptIds) })
  const taker = person && admitted(person, [permission])
  const exam =
    taker && (await scoped(app, taker, 'examination').select('id').where('id', '=', examId).executeTakeFirst())
  if (!taker || !exam) throw refuseSaying('request.forbidden', '没有归档权限')
  return taker
}

/** A volume by its name; an archive of one has none. */
const named = (name: string, i: number, of: number): string =>
  of === 1 ? name : name.replace(/(\.zip)?$/, `_第${i + 1}卷共${of}卷$1`)

/** What becomes of a task when its archive is whole. */
interface Whole {
  taskId: string
  name: string
  person: Person
  made: ArchiveState
}

/**
 * Ends the task of an archive with its first volume; each further one gets a task of its own.
 * @returns the task; undefined where it does not run any more
 */
async function enterVolumes(app: FastifyInstance, trx: Trx, { taskId, name, person, made }: Whole) {
  const { volumes, segments } = made
  const { tenantId, userId } = person
  const now = app.now()
  const end = { taskStatus: TaskStatus.done, keepUntil: new Date(now.getTime() + daysKept * 86_400_000), endTime: now }
  const task = await trx
    .updateTable('exporttask')
    .set({ ...end, rowNum: segments.length })
    .where('id', '=', taskId)
    .where('taskStatus', '=', TaskStatus.running)
    .returningAll()
    .executeTakeFirst()
  if (!task) return undefined
  const { bizType, sensitive, reason, inBackground, createUser, createDept, createTime } = task
  const copied = { bizType, sensitive, reason, inBackground, createUser, createDept, createTime }
  const params = JSON.stringify(task.params)
  const entered = { ...copied, ...end, tenantId, params, updateTime: now }
  const ids = [taskId]
  for (let i = 1; i < volumes.length; i++) {
    const { id } = await trx.insertInto('exporttask').values(entered).returning('id').executeTakeFirstOrThrow()
    ids.push(id)
  }
  for (const [i, stored] of volumes.entries()) {
    const ownerId = ids[i] ?? taskId
    const title = named((task.title ?? '').slice(0, volumes.length === 1 ? 100 : 85), i, volumes.length)
    const file = { tenantId, userId, ownerType: 'task', ownerId, name: named(name, i, volumes.length) } as const
    const fileId = await enterFile(trx, { ...file, contentType: 'application/zip' }, stored, now)
    await trx.updateTable('exporttask').set({ title, fileId }).where('id', '=', ownerId).execute()
  }
  return task
}

async function carryOut(app: FastifyInstance, piece: Piece<'exam.archive'>): Promise<string> {
  const taskId = piece.key ?? ''
  const { state: older, archive, ...who } = noteOf(piece)
  const fresh = { segments: [], volumes: [], most: app.config.archiveVolume, layout: archiveLayout }
  const state = archive?.layout === archiveLayout ? archive : fresh
  await dropParts({ app }, older)
  if (archive && state === fresh) await dropArchive({ app }, archive)
  const isOpen = await liveAcross(app, app)
    .transaction()
    .execute(async trx => {
      await piece.hold(trx)
      return beginExport(app, raw(trx), taskId)
    })
  if (!isOpen) {
    await dropArchive({ app }, state)
    return 'over'
  }
  const person = await takerOf(app, noteOf(piece), piece.payload.examId)
  const of = archiveOf(app, person, piece.payload)
  const { examName } = await of.caller.db
    .selectFrom('examination')
    .select('examName')
    .where('id', '=', of.examId)
    .executeTakeFirstOrThrow()
  const name = `${examName}_${of.isMasked ? '脱敏归档' : '完整归档'}_${wireDay(of.caller.now)}.zip`
  let reached = state
  const made = await checkRoom(of)
    .then(() =>
      buildArchive(of, name, state, {
        signal: piece.signal,
        async keep(next) {
          reached = next
          await piece.note({ ...who, state: nothing, archive: next })
          await noteRows(app, taskId, next.segments.length)
        },
        say: (done, total) => piece.progress(done, total),
      }),
    )
    .catch(async error => {
      if (error instanceof Refusal || error instanceof FinalFailure || (piece.isLast && !piece.signal.aborted))
        await dropArchive({ app }, reached)
      throw error
    })
  // From here on volumes stay, whatever fails: rows may name them.
  await liveAcross(app, app)
    .transaction()
    .execute(async trx => {
      await piece.end(trx)
      const done = await enterVolumes(app, raw(trx), { taskId, name, person, made })
      if (!done) throw new LostLease()
      await emit(programOf(trx, { tenantId: person.tenantId }, app.now()), exportEvents.ended, [done])
    })
  return name
}

/** Whole archives as work of the queue. */
export const archiveWork = (app: FastifyInstance): Kind<'exam.archive'> => ({
  kind: 'exam.archive',
  lane: 'export',
  mostTries: 10,
  perform: piece => carryOut(app, piece),
  isFinal: error => error instanceof Refusal,
  async left(trx: AcrossTrx, item, { how, error }) {
    if (how !== 'failed') return
    const isSaid = error instanceof Refusal || error instanceof FinalFailure
    const reason = isSaid ? error.message : '多次中断，请稍后重试'
    const failed = await failExport(app, raw(trx), item.key ?? '', reason)
    if (failed) await emit(programOf(trx, failed, app.now()), exportEvents.failed, [failed])
  },
})
