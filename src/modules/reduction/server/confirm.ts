import { sql } from 'kysely'
import { reductionEvents } from '#resources/reduction/events'
import {
  NoticeCategory,
  NoticeScope,
  NoticeStatus,
  NoticeType,
  ReduceDecision,
  ReduceState,
  SignStatus,
} from '#schemas/dictionaries'
import { Examitems } from '#schemas/exams/examitems'
import { Notice } from '#schemas/notices/notice'
import { emit } from '../../../crud/emit.ts'
import { keepHistory } from '../../../crud/history.ts'
import type { Caller, ExamRow } from '../../../platform/access/server/caller.ts'
import { type Live, type LiveTrx, updateUnstamped } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { wireTime } from '../../../platform/http/server/wire.ts'
import { loadDicts } from '../../exams/server/candidate/dictionaries.ts'
import { passedAll } from './count-by-post.ts'
import { putOnList } from './names.ts'
import { checkChoosing, checkPlan, lockRows, type PlanRow, planAnswer } from './plan.ts'

/** Everything is decided, and by somebody else. @throws row.wrongState, input.invalid, row.sameApprover */
function checkRipe(rows: readonly PlanRow[], userId: string): void {
  if (rows.length === 0) throw refuse('row.wrongState')
  const open = rows.filter(row => row.decision === ReduceDecision.pending)
  if (open.length > 0)
    throw refuse(
      'input.invalid',
      { 说明: `还有${open.length}个岗位待定` },
      open.map(row => ({ field: row.code, msg: '待定' })),
    )
  if (rows.some(row => row.updateUser === userId)) throw refuse('row.sameApprover')
}

/** Writes the decisions onto the positions, in the order everybody locks them in. */
async function applyDecisions(
  trx: LiveTrx,
  { person, now }: Caller,
  examId: string,
  rows: readonly PlanRow[],
): Promise<void> {
  const positions = await trx
    .selectFrom('examitems')
    .selectAll()
    .where('examId', '=', examId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const decided = await trx
    .updateTable('examitems as p')
    .from('postreduction as r')
    .set(eb => ({
      // The states of a position are the decisions that can be made; none is open any more.
      postStatus: eb.ref('r.decision').$castTo<Exclude<PlanRow['decision'], typeof ReduceDecision.pending>>(),
      curPlanNum: eb.ref('r.afterNum'),
      version: eb('p.version', '+', 1),
    }))
    .where('r.examId', '=', examId)
    .whereRef('p.examId', '=', 'r.examId')
    .whereRef('p.code', '=', 'r.code')
    .returningAll('p')
    .execute()
  const before = new Map(positions.map(one => [one.id, one]))
  const pairs = decided.map(one => [before.get(one.id) ?? one, one] as const)
  const changed = pairs.filter(([old, one]) => old.postStatus !== one.postStatus || old.curPlanNum !== one.curPlanNum)
  await keepHistory(trx, Examitems, changed, { act: 'edit', userId: person.userId, now, reason: '岗位核减' })
  // The last change of a row says who decided and when, which confirming leaves as it is.
  await updateUnstamped(trx, 'postreduction')
    .set({ confirmUser: person.userId, confirmTime: now })
    .where(
      'id',
      'in',
      rows.map(row => row.id),
    )
    .execute()
}

/** Those who have passed and stand at a cancelled position, locked in the order everybody locks them in. */
async function losersOf(trx: Live, exam: ExamRow, codes: readonly string[]): Promise<string[]> {
  if (codes.length === 0) return []
  const rows = await trx
    .selectFrom('signup as s')
    .select('s.id')
    .where('s.examId', '=', exam.id)
    .where('s.signStatus', '=', SignStatus.submitted)
    .where(sql<string>`coalesce(s."finalCode", s.code)`, 'in', codes)
    .where(passedAll(exam))
    .orderBy('s.id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(row => row.id)
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, one => `&#${one.charCodeAt(0)};`)

/** The announcement of what has changed, as a draft for the exam's administrators to release. */
async function draftNotice(
  trx: LiveTrx,
  { person, now }: Caller,
  exam: ExamRow,
  rows: readonly PlanRow[],
): Promise<void> {
  const changed = rows.filter(row => row.decision === ReduceDecision.reduce || row.decision === ReduceDecision.cancel)
  if (changed.length === 0) return
  const { recruit_unit: units = [] } = await loadDicts(trx, ['recruit_unit'])
  const unitName = (unit: string) => units.find(one => one.key === unit)?.value ?? unit
  const line = (row: PlanRow) =>
    `<tr><td>${escaped(unitName(row.unit))}</td><td>${escaped(row.code)}</td><td>${row.beforeNum}</td><td>${
      row.decision === ReduceDecision.cancel ? '取消' : row.afterNum
    }</td></tr>`
  const choosing =
    exam.allowAdjust === 1
      ? `<p>被取消岗位的考生可于${wireTime(exam.reduceStartTime)}至${wireTime(exam.reduceEndTime)}登录系统改报其他岗位。</p>`
      : ''
  const head = '<tr><th>招聘单位</th><th>岗位代码</th><th>原计划数</th><th>核减后</th></tr>'
  const drafted = await trx
    .insertInto('notice')
    .values({
      title: `${exam.examName}岗位核减、取消公告`.slice(0, 200),
      category: NoticeCategory.recruitment,
      noticeType: NoticeType.announcement,
      examId: exam.id,
      scope1: NoticeScope.public,
      noticeStatus: NoticeStatus.draft,
      needSure: 0,
      isTop: 0,
      releaseTime: now,
      content: `<p>以下岗位未达到开考比例，现予核减或取消。</p><table>${head}${changed.map(line).join('')}</table>${choosing}`,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await keepHistory(trx, Notice, [[null, drafted]], { act: 'add', userId: person.userId, now })
}

/**
 * Makes a decided plan final, by a second person: positions get their places, who stands at a cancelled one has to
 * choose again, an announcement is drafted. Said again by the same person, nothing happens.
 * @throws exams.notReleased, exams.archived, exams.timesInvalid without a time for choosing, reduction.confirmed,
 * row.wrongState, input.invalid while positions are open, row.sameApprover, reduction.alreadySeated for a cancelled
 * position somebody holds a ticket for
 */
export async function confirmReduction(caller: Caller, exam: ExamRow) {
  const { db, person, now } = caller
  return db.transaction().execute(async trx => {
    const rows = await lockRows(trx, exam.id)
    if (rows.some(row => row.confirmTime)) {
      if (rows.some(row => row.confirmUser !== person.userId)) throw refuse('reduction.confirmed')
      return { ...(await planAnswer(trx, exam)), affected: 0 }
    }
    await checkPlan(trx, exam, now)
    checkRipe(rows, person.userId)
    const cancelled = rows.filter(row => row.decision === ReduceDecision.cancel).map(row => row.code)
    if (cancelled.length > 0) checkChoosing(exam, now)
    await applyDecisions(trx, caller, exam.id, rows)
    const losers = await losersOf(trx, exam, cancelled)
    const people = await putOnList(trx, caller, exam, {
      ids: losers,
      from: [ReduceState.none, ReduceState.approved],
    })
    if (people.length < losers.length) throw refuse('reduction.alreadySeated')
    await draftNotice(trx, caller, exam, rows)
    const reduced = rows.filter(row => row.decision === ReduceDecision.reduce)
    await emit(trx, reductionEvents.cut, reduced)
    return { ...(await planAnswer(trx, exam)), affected: people.length }
  })
}
