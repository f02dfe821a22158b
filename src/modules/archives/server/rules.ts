import type { FastifyInstance } from 'fastify'
import { examarchiveEvents } from '#resources/exams/events'
import { examarchive } from '#resources/exams/examarchive'
import { ExamarchiveStatus } from '#schemas/dictionaries'
import { Examarchive } from '#schemas/exams/examarchive'
import { emit } from '../../../crud/emit.ts'
import { keepHistory } from '../../../crud/history.ts'
import { guard, on } from '../../../crud/rules.ts'
import type { Live } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import type { Actor } from '../../exams/server/release.ts'
import { checkRoomFor, enterArchive, takerOf } from './work.ts'

/**
 * Asks for the full archive of an exam; another person confirms it. Asking for the same again changes nothing.
 * @returns the id of what waits @throws archives.pending while another one waits
 */
export async function askFullArchive(
  db: Live,
  { examId, reason }: { examId: string; reason: string },
  { userId, now }: Actor,
): Promise<string> {
  return db.transaction().execute(async trx => {
    const made = await trx
      .insertInto('examarchive')
      .values({ examId, reason, examarchiveStatus: ExamarchiveStatus.pending, askUser: userId })
      .onConflict(conflict => conflict.doNothing())
      .returningAll()
      .executeTakeFirst()
    if (made) {
      await keepHistory(trx, Examarchive, [[null, made]], { act: 'add', userId, now, reason })
      return made.id
    }
    const waiting = await trx
      .selectFrom('examarchive')
      .select(['id', 'askUser', 'reason'])
      .where('examId', '=', examId)
      .where('examarchiveStatus', '=', ExamarchiveStatus.pending)
      .executeTakeFirst()
    if (waiting?.askUser !== userId || waiting.reason !== reason) throw refuse('archives.pending')
    return waiting.id
  })
}

/** Whoever asked for an archive, with the rights of now. @throws 403 where they no longer allow it */
async function askerOf(app: FastifyInstance, db: Live, { askUser, examId }: Examarchive): Promise<Person> {
  const { roleId, deptId } = await db
    .selectFrom('user')
    .select(['roleId', 'deptId'])
    .where('id', '=', askUser)
    .executeTakeFirstOrThrow()
  return takerOf(app, { userId: askUser, roleIds: roleId ?? '', deptIds: deptId ?? '' }, examId)
}

/** A full archive is made when a second person has confirmed it, by the rights of whoever asked for it. */
export const archiveRules = [
  guard(examarchive, 'confirm', async ({ app, db, rows }) => {
    for (const row of rows) {
      const { examId, reason } = row
      await checkRoomFor(app, await askerOf(app, db, row), { examId, sort: 'full', reason })
    }
  }),
  on(examarchive, 'confirm', async ({ app, trx, db, rows, person }) => {
    for (const row of rows) {
      const order = { examId: row.examId, sort: 'full', reason: row.reason, confirmedBy: person?.name ?? '' } as const
      await enterArchive(trx, app, await askerOf(app, db, row), order)
    }
    app.queue.nudge()
  }),
  on(examarchive, 'drop', async ({ db, rows }) => {
    await emit(db, examarchiveEvents.dropped, rows)
  }),
]
