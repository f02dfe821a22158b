import type { FastifyInstance } from 'fastify'
import { ExamRole } from '#schemas/dictionaries'
import type { Live } from '../../../../platform/database/live.ts'
import type { Person } from '../../../../platform/http/server/access.ts'
import { liveAs } from '../../../../platform/http/server/live.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { isLive } from '../../../exams/rules/exam-staff.ts'
import type { Actor } from '../../../exams/server/release.ts'
import { linesOf } from '../../../exams/server/staff/lines.ts'
import { inMyRooms, roomInScope } from './scope.ts'

/** Who is, or will be, a proctor of an exam, by name. */
async function appointed({ now }: FastifyInstance, db: Live, examId: string) {
  const lines = (await linesOf(db, examId)).filter(one => one.examRole === ExamRole.proctor && one.enable === 1)
  const names = new Map(lines.filter(one => isLive(one, now())).map(one => [one.userId, one.userName ?? '']))
  return [...names]
    .map(([userId, name]) => ({ userId, name }))
    .toSorted((one, other) => one.name.localeCompare(other.name, 'zh'))
}

/**
 * Who can be put at the doors of a stage: the proctors of its exam.
 * @throws row.notFound when no room of it is the caller's
 */
export async function proctorsOfStage(app: FastifyInstance, who: Person, itemId: string) {
  const db = liveAs(app, who)
  const room = await db
    .selectFrom('examroom as room')
    .select('room.examId')
    .where('room.itemId', '=', itemId)
    .where(inMyRooms(app, who))
    .executeTakeFirst()
  if (!room) throw refuse('row.notFound')
  return appointed(app, db, room.examId)
}

/**
 * Puts people at the door of a room in place of those who stood there.
 * @throws row.notFound, input.invalid when one of them is not appointed to the exam as a proctor
 */
export async function setProctors(
  app: FastifyInstance,
  who: Person,
  asked: { roomId: string; userIds: readonly string[] },
  { userId: createUser, now: createTime }: Actor,
): Promise<void> {
  const { roomId, examId } = await roomInScope(app, who, asked.roomId)
  const db = liveAs(app, who)
  const known = new Set((await appointed(app, db, examId)).map(one => one.userId))
  if (asked.userIds.some(id => !known.has(id))) throw refuse('input.invalid', { 说明: '只能安排本考试的监考人员' })
  await db.transaction().execute(async trx => {
    // Two who arrange the same room come one after the other.
    await trx.selectFrom('examroom').select('id').where('id', '=', roomId).forNoKeyUpdate().execute()
    await trx.deleteFrom('room_proctor').where('roomId', '=', roomId).execute()
    const rows = [...new Set(asked.userIds)].map(userId => ({ roomId, userId, createUser, createTime }))
    if (rows.length) await trx.insertInto('room_proctor').values(rows).execute()
  })
}
