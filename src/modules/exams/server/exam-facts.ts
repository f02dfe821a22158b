import { EnableStatus } from '#schemas/dictionaries'
import type { Live } from '../../../platform/database/live.ts'
import { readParam } from '../../../platform/database/param.ts'
import { isLive } from '../rules/exam-staff.ts'
import { loadDicts } from './candidate/dictionaries.ts'
import { linesOf } from './staff/lines.ts'
import { appointable } from './staff/people.ts'

/** Whoever may work on an exam now or later; an account out of use does nothing. */
async function staffOf(db: Live, examId: string, now: Date) {
  const lines = (await linesOf(db, examId)).filter(one => one.enable === 1 && isLive(one, now))
  const usable = await appointable(db, [...new Set(lines.map(one => one.userId))])
  return lines.filter(one => usable.has(one.userId))
}

/** What an exam is checked by: itself with everything that refers to it; undefined where there is none. */
export async function examFacts(db: Live, examId: string, now: Date) {
  const exam = await db.selectFrom('examination').selectAll().where('id', '=', examId).executeTakeFirst()
  if (!exam) return undefined
  const positions = await db
    .selectFrom('examitems')
    .select(['unit', 'code', 'planNum', 'curPlanNum', 'openRatio', 'noRatio'])
    .where('examId', '=', examId)
    .where('enable', '=', 1)
    .execute()
  const stages = await db
    .selectFrom('examinationitem')
    .select(['id', 'itemName', 'startTime', 'endTime', 'needPay', 'fee', 'needSeat', 'needTicket'])
    .select(['ticketStartTime', 'ticketEndTime'])
    .where('examId', '=', examId)
    .where('itemStatus', '=', EnableStatus.enabled)
    .orderBy('startTime')
    .orderBy('id')
    .execute()
  const items = await db
    .selectFrom('examsignitems')
    .leftJoin('items', 'items.id', 'examsignitems.itemsId')
    .select(['examsignitems.id', 'examsignitems.itemName', 'examsignitems.dictCode', 'items.dictCode as libraryCode'])
    .where('examsignitems.examId', '=', examId)
    .where('examsignitems.enable', '=', 1)
    .orderBy('examsignitems.sort')
    .execute()
  const rooms = await db
    .selectFrom('examroom')
    .select(['itemId', 'capacity', 'reserve'])
    .where('examId', '=', examId)
    .where('enable', '=', 1)
    .execute()
  const files = await db
    .selectFrom('examsignfiles')
    .select(['id', 'isPhoto', 'exts'])
    .where('examId', '=', examId)
    .where('enable', '=', 1)
    .execute()
  const dicts = await loadDicts(db, ['recruit_unit'])
  const staff = await staffOf(db, examId, now)
  const daysOff = await readParam(db, 'calendar.daysOff')
  const texts = await db.selectFrom('sms').select('id').where('smsStatus', '=', EnableStatus.enabled).limit(1).execute()
  const hasTexts = texts.length > 0
  return { exam, positions, stages, items, files, rooms, dicts, staff, daysOff, hasTexts }
}

/** What is known of an exam that is looked at. */
export type Facts = NonNullable<Awaited<ReturnType<typeof examFacts>>>
