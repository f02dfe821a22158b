import type { FastifyInstance } from 'fastify'
import type { Row } from '#engine'
import { examinationEvents } from '#resources/exams/events'
import { examination } from '#resources/exams/examination'
import { ExamStatus } from '#schemas/dictionaries'
import type { Examination } from '#schemas/exams/examination'
import { keeping } from '#schemas/keeping'
import { emit } from '../../../crud/emit.ts'
import { guard, on } from '../../../crud/rules.ts'
import '../../../platform/accounts/server/approvals.ts'
import type { Live } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { releaseLines } from './checklist.ts'

/** Who moves an exam, and when. */
export interface Actor {
  userId: string
  now: Date
}

/** An exam as its release asks for it. */
type Releasable = Pick<Row<typeof Examination>, 'id' | 'examStatus'>

/**
 * An exam is released when its list lacks nothing, and one that was closed with a reason.
 * @throws input.invalid, exams.incomplete
 */
async function requireReleasable(
  db: Live,
  exam: Releasable,
  { now, reason }: { now: Date; reason: string },
): Promise<void> {
  if (exam.examStatus === ExamStatus.closed && !reason) throw refuse('input.invalid', { 说明: '请输入重新发布的原因' })
  const missing = ((await releaseLines(db, exam.id, now)) ?? []).filter(line => !line.ok && !line.advice)
  if (missing.length > 0)
    throw refuse('exams.incomplete', { 缺项清单: missing.map(line => line.msg).join('；') }, missing)
}

/** Until when the data of candidates of an exam are kept that is archived now. */
function keptUntil(now: Date): Date {
  const until = new Date(now)
  until.setMonth(until.getMonth() + keeping.form.months)
  return until
}

export const releaseRules = [
  guard(examination, 'releaseExam', async ({ app, person, db, rows, now, reason }) => {
    // The button is not for what a process decides on.
    const ids = rows.map(({ id }) => id)
    if (person) await app.extensions.approvals.requireFree(db, 'examRelease', ids)
    for (const exam of rows) await requireReleasable(db, exam, { now, reason })
  }),
  on(examination, 'releaseExam', async ({ db, rows, before }) => {
    const closed = new Set(before.filter(one => one.examStatus === ExamStatus.closed).map(one => one.id))
    await emit(
      db,
      examinationEvents.released,
      rows.filter(({ id }) => !closed.has(id)),
    )
    await emit(
      db,
      examinationEvents.reopened,
      rows.filter(({ id }) => closed.has(id)),
    )
  }),
  on(examination, 'closeExam', ({ db, rows }) => emit(db, examinationEvents.closed, rows)),
  on(examination, 'archive', async ({ db, rows, now }) => {
    const until = keptUntil(now)
    await emit(db, examinationEvents.archived, rows, { until })
    await emit(db, examinationEvents.archiveMade, rows, { until })
  }),
]

/**
 * Asks the process of the tenant to release an exam, where there is one.
 * @returns whether a process decides from now on
 * @throws input.invalid, exams.incomplete as the release itself, row.wrongState while a process decides on it
 */
export async function askRelease(app: FastifyInstance, me: Person, id: string, reason: string): Promise<boolean> {
  const now = app.now()
  return liveAs(app, me)
    .transaction()
    .execute(async trx => {
      const exam = await trx
        .selectFrom('examination')
        .select(['id', 'examName', 'examStatus'])
        .where('id', '=', id)
        .forNoKeyUpdate()
        .executeTakeFirst()
      const states: readonly number[] = [ExamStatus.draft, ExamStatus.closed]
      if (!exam || !states.includes(exam.examStatus)) return false
      await app.extensions.approvals.requireFree(trx, 'examRelease', [id])
      const { positions } = await trx
        .selectFrom('examitems')
        .select(eb => eb.fn.countAll<string>().as('positions'))
        .where('examId', '=', id)
        .executeTakeFirstOrThrow()
      const begun = await app.extensions.approvals.begin(
        app,
        trx,
        { ...me, now },
        {
          kind: 'examRelease',
          id,
          title: `发布考试 ${exam.examName}`,
          facts: { examId: id, name: exam.examName, positions: Number(positions), reason },
        },
      )
      if (begun) await requireReleasable(trx, exam, { now, reason })
      return begun
    })
}
