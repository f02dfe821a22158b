import type { FastifyInstance, FastifyRequest } from 'fastify'
import { datahold } from '#resources/exams/datahold'
import { datapurge } from '#resources/exams/datapurge'
import { datapurgeline } from '#resources/exams/datapurgeline'
import { datapurgeEvents } from '#resources/exams/events'
import { HoldStatus, PurgeStatus } from '#schemas/dictionaries'
import type { Datapurge } from '#schemas/exams/datapurge'
import { emit } from '../../../../crud/emit.ts'
import { guard, type HandlerOf, on, rules } from '../../../../crud/rules.ts'
import { changeable, scoped } from '../../../../crud/scope.ts'
import { type FileReader, isFound } from '../../../../platform/attachments/server/access.ts'
import { type Live, type LiveTrx, liveAcross, liveFor, raw } from '../../../../platform/database/live.ts'
import { liveAs } from '../../../../platform/http/server/live.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { wantsEnglish } from '../../../../platform/http/server/refusal-english.ts'
import { wireDay } from '../../../../platform/http/server/wire.ts'
import { inEnglish } from '../../../../platform/i18n/english.ts'
import { purgeBlocks } from './blocks.ts'
import { countDue, countStaying, figuresOf, type PurgeCount, purgedExam } from './count.ts'
import { filePart } from './parts.ts'
import { lineWords } from './protocol.ts'
import { dayOf } from './work.ts'

/** Says our own texts in the language of a request; files are written in Chinese. */
const speechOf = (request: FastifyRequest | null): ((text: string) => string) =>
  wantsEnglish(request?.headers['accept-language']) ? inEnglish : text => text

/** Days for which people know before their data go. */
const noticeDays = 30

/** The day on which data can go of which people are told now. */
const dueDateOf = (now: Date): string => wireDay(new Date(now.getTime() + noticeDays * 86_400_000))

const lineOf = (purgeId: string, { part, rowNum, fileKB, oldest }: PurgeCount, sort: number) => ({
  purgeId,
  sort,
  part: part.entity.name,
  fieldNames: part.names.join(',') || null,
  deed: part.deed,
  rowNum,
  fileKB,
  oldest,
  doneNum: 0,
})

/** Counts what is to go on the day of an erasure and keeps it as its lines, in place of those that were there. */
async function count(db: LiveTrx, purge: Pick<Datapurge, 'id' | 'examId' | 'dueDate'>): Promise<number> {
  const trx = raw(db)
  const exam = await purgedExam(trx, purge.examId)
  const due = (await countDue(trx, exam, dayOf(purge))).filter(one => one.rowNum > 0 || one.part === filePart)
  const staying = (await countStaying(trx, exam, dayOf(purge))).filter(one => one.rowNum > 0)
  await trx.deleteFrom('datapurgeline').where('purgeId', '=', purge.id).execute()
  await db
    .insertInto('datapurgeline')
    .values([...due, ...staying].map((one, i) => lineOf(purge.id, one, i)))
    .execute()
  const files = due.find(one => one.part === filePart)
  const rowNum = due.reduce((sum, one) => sum + (one.part === filePart ? 0 : one.rowNum), 0)
  await db
    .updateTable('datapurge')
    .set({ rowNum, fileNum: files?.rowNum ?? 0, fileKB: files?.fileKB ?? 0, dueDate: purge.dueDate })
    .where('id', '=', purge.id)
    .execute()
  return rowNum
}

async function refuseBlocked(db: Live, examId: string, now: Date): Promise<void> {
  const [block] = await purgeBlocks(db, examId, now)
  if (block) throw refuse('privacy.purgeBlocked', { 原因: block })
}

/** Counts anew, as of thirty days from now. */
const recount: HandlerOf<typeof datapurge, 'recount'> = async ({ app, person, id, now }) => {
  await liveAs(app, person)
    .transaction()
    .execute(async trx => {
      const purge = await changeable(app, person, 'datapurge')
        .select(['datapurge.id', 'datapurge.examId', 'datapurge.purgeStatus'])
        .where('datapurge.id', '=', id)
        .executeTakeFirst()
      if (purge?.purgeStatus !== PurgeStatus.draft) throw refuse('row.wrongState')
      await count(trx, { ...purge, dueDate: dueDateOf(now) })
    })
}

/** Lets an erasure go on that had been given up. */
const resume: HandlerOf<typeof datapurge, 'resume'> = async ({ app, person, id }) => {
  const purge = await changeable(app, person, 'datapurge')
    .select('datapurge.purgeStatus')
    .where('datapurge.id', '=', id)
    .executeTakeFirst()
  if (purge?.purgeStatus !== PurgeStatus.running) throw refuse('row.wrongState')
  await liveAs(app, person)
    .transaction()
    .execute(async trx => {
      await app.queue.enter(raw(trx), {
        kind: 'privacy.purge',
        key: id,
        tenantId: person.tenantId,
        payload: { purgeId: id },
      })
    })
  app.queue.nudge()
}

/** Rules of erasures by exam: who may begin one, when, and what follows. */
export const purgeRules = [
  rules(datapurge, {
    handlers: { recount, resume },
    hooks: {
      beforeSubmit: async ({ set, now }) => set({ purgeStatus: PurgeStatus.draft, dueDate: dueDateOf(now) }),
      afterSubmit: async ({ db }, row, before) => {
        if (!before && (await count(db, row)) === 0) throw refuse('privacy.nothingDue')
      },
      derive: async ({ app, person, now, request }, rows) => {
        const say = speechOf(request)
        const open: readonly number[] = [PurgeStatus.draft, PurgeStatus.planned]
        const db = liveAs(app, person)
        return Promise.all(
          rows.map(async row => ({
            blocks: open.includes(Number(row.purgeStatus))
              ? (await purgeBlocks(db, String(row.examId), now)).map(say).join('；')
              : '',
          })),
        )
      },
    },
  }),
  rules(datapurgeline, {
    hooks: {
      derive: async ({ app, person, request }, rows) => {
        const found = await liveAs(app, person)
          .selectFrom('datapurgeline')
          .select(['id', 'part', 'fieldNames', 'deed'])
          .where('id', 'in', ['0', ...rows.map(row => row.id)])
          .execute()
        const words = new Map(found.map(({ id, ...line }) => [id, lineWords(line, speechOf(request))]))
        return rows.map(({ id }) => words.get(id))
      },
    },
  }),
  rules(datahold, {
    hooks: { beforeSubmit: async ({ set }) => set({ holdStatus: HoldStatus.held }) },
  }),
  guard(datapurge, 'plan', async ({ db, rows, now }) => {
    for (const row of rows) {
      await refuseBlocked(db, row.examId, now)
      if (row.rowNum === 0) throw refuse('privacy.nothingDue')
    }
  }),
  on(datapurge, 'plan', async ({ db, rows, now }) => {
    for (const row of rows) {
      const dueDate = dueDateOf(now)
      await count(db, { ...row, dueDate })
      await emit(db, datapurgeEvents.planned, [row], { until: dayOf({ dueDate }) })
    }
  }),
  guard(datapurge, 'confirm', async ({ db, rows, now, values }) => {
    for (const row of rows) {
      const { examCode } = await db
        .selectFrom('examination')
        .select('examCode')
        .where('id', '=', row.examId)
        .executeTakeFirstOrThrow()
      if (values.examCode.trim() !== examCode)
        throw refuse('input.invalid', { 说明: '考试编号不一致' }, [{ field: 'examCode', msg: '请输入这场考试的编号' }])
      if (wireDay(now) < row.dueDate) throw refuse('privacy.purgeTooEarly', { 时间: row.dueDate })
      await refuseBlocked(db, row.examId, now)
    }
  }),
  on(datapurge, 'confirm', async ({ app, db, trx, rows, caller }) => {
    for (const row of rows) {
      // What is counted now is what goes: the work finds the same rows.
      await count(db, row)
      const figures = await figuresOf(trx, await purgedExam(trx, row.examId))
      await db
        .updateTable('datapurge')
        .set({ figures: JSON.stringify(figures) } as never)
        .where('id', '=', row.id)
        .execute()
      const payload = { purgeId: row.id }
      await app.queue.enter(trx, { kind: 'privacy.purge', key: row.id, tenantId: caller.tenantId, payload })
    }
    app.queue.nudge()
  }),
]

/** Staff read the records of the erasures that they meet. */
export const readsPurgeFile: FileReader = async (app, person, { ownerId }) =>
  person.permissions.has('datapurge') &&
  isFound(
    scoped(app, person, 'datapurge')
      .select('datapurge.id')
      .where('datapurge.id', '=', ownerId ?? '0')
      .executeTakeFirst(),
  )

/** Exams that are looked at in one run. */
const examsAtOnce = 200

/**
 * Counts what is over of all exams that were archived, and enters an erasure for each that has some and none under way: staff find it
 * in the list and decide. @returns how many were entered
 */
export async function findDue(app: FastifyInstance, signal?: AbortSignal): Promise<number> {
  const now = app.now()
  const open = [PurgeStatus.draft, PurgeStatus.planned, PurgeStatus.running]
  let entered = 0
  let last = '0'
  for (;;) {
    const exams = await liveAcross(app, app)
      .selectFrom('examination')
      .select(['id', 'tenantId'])
      .where('archiveTime', 'is not', null)
      .where('id', '>', last)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('datapurge')
              .select('datapurge.id')
              .whereRef('datapurge.examId', '=', 'examination.id')
              .where('datapurge.purgeStatus', 'in', open),
          ),
        ),
      )
      .orderBy('id')
      .limit(examsAtOnce)
      .execute()
    for (const { id, tenantId } of exams) {
      signal?.throwIfAborted()
      const dueDate = dueDateOf(now)
      const found = await countDue(raw(app), await purgedExam(raw(app), id), dayOf({ dueDate }))
      if (found.every(one => one.rowNum === 0)) continue
      const db = liveFor(app, { tenantId, userId: null, now: () => now })
      await db.transaction().execute(async trx => {
        const added = await trx
          .insertInto('datapurge')
          .values({
            examId: id,
            purgeStatus: PurgeStatus.draft,
            dueDate,
            rowNum: 0,
            fileNum: 0,
            fileKB: 0,
            doneNum: 0,
            doneFileNum: 0,
          })
          .onConflict(conflict => conflict.doNothing())
          .returning('id')
          .executeTakeFirst()
        if (!added) return
        await count(trx, { id: added.id, examId: id, dueDate })
        entered++
      })
    }
    last = exams.at(-1)?.id ?? last
    if (exams.length < examsAtOnce) return entered
  }
}
