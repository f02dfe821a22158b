import { sql } from 'kysely'
import type { BodyOf } from '#engine'
import { ReduceDecision } from '#schemas/dictionaries'
import type { Caller, Db, ExamRow } from '../../../platform/access/server/caller.ts'
import { authoredBy } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import type { saveReduction } from '../contract.ts'
import { decisionProblem, placesOf, proposalOf } from '../rules/reduction.ts'
import { countByPost, effectOf, proposalFor } from './count-by-post.ts'
import { checkChoosing, checkPlan, checkReviewed, lockPlan, type PlanRow, planAnswer } from './plan.ts'

/**
 * Counts the effective candidates of every position, writes them down with what the rule proposes, and leaves every
 * decision open. May be done again until it is confirmed; decisions made before are then open again.
 * @param reason why it is done although reviews are not finished; empty refuses then
 * @throws exams.notReleased, exams.archived, row.wrongState before sign-up (or payment) has ended,
 * reduction.alreadySeated once there are tickets, reduction.candidatesUnfinished, reduction.confirmed
 */
export async function computeReduction(caller: Caller, exam: ExamRow, reason: string) {
  const { db, person, now } = caller
  await checkPlan(db, exam, now)
  return db.transaction().execute(async trx => {
    await lockPlan(trx, exam.id)
    const pending = await checkReviewed(trx, exam, reason)
    const tallies = await countByPost(trx, exam)
    if (tallies.length === 0) throw refuse('exams.positionNotFound')
    await trx.deleteFrom('postreduction').where('examId', '=', exam.id).execute()
    const basis = pending > 0 ? `尚有${pending}人未审核完成：${reason}`.slice(0, 500) : null
    const rows = tallies.map(one => ({
      examId: exam.id,
      unit: one.unit,
      code: one.code,
      beforeNum: one.planNum,
      effectNum: effectOf(exam.reduceBase, one),
      ratio: one.ratio,
      basis,
      afterNum: proposalFor(exam.reduceBase, one).afterNum,
      decision: ReduceDecision.pending,
    }))
    // Whoever decides changes them last, which computing does not count as.
    const own = authoredBy(trx, person, now)
    for (let at = 0; at < rows.length; at += 2000)
      await own
        .insertInto('postreduction')
        .values(rows.slice(at, at + 2000))
        .execute()
    return planAnswer(trx, exam)
  })
}

/** One decision as it is sent. */
type SentDecision = NonNullable<BodyOf<typeof saveReduction>['list']>[number]

const wrong = (code: string, why: string) =>
  refuse('input.invalid', { 说明: `岗位${code}：${why}` }, [{ field: code, msg: why }])

/** A decision that fits its position. @throws exams.positionNotFound, reduction.notNeeded, input.invalid */
function decided(row: PlanRow | undefined, sent: SentDecision) {
  if (!row) throw refuse('exams.positionNotFound')
  const proposal = proposalOf({ planNum: row.beforeNum, effectNum: row.effectNum, ratio: row.ratio })
  const preset = sent.decision === ReduceDecision.keepByException ? row.beforeNum : proposal.afterNum
  const made = { decision: sent.decision, afterNum: sent.afterNum ?? preset }
  const problem = decisionProblem(proposal, row.beforeNum, made)
  if (problem === 'reached') throw refuse('reduction.notNeeded', {}, [{ field: row.code, msg: '已达开考比例' }])
  if (problem) throw wrong(row.code, problem)
  const basis = sent.basis?.trim() || null
  if (sent.decision === ReduceDecision.keepByException && !(basis && sent.file))
    throw wrong(row.code, '特批保留须填写依据并上传批文')
  if (sent.decision === ReduceDecision.cancel && !basis) throw wrong(row.code, '取消岗位须填写依据')
  const afterNum = sent.decision === ReduceDecision.pending ? proposal.afterNum : placesOf(row.beforeNum, made)
  return { id: row.id, decision: sent.decision, afterNum, basis, file: sent.file || null }
}

/** Permits are files that staff of the same tenant uploaded. @throws file.notFound */
async function checkFiles(trx: Db, ids: readonly string[]): Promise<void> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return
  const found = await trx
    .selectFrom('attach')
    .select('id')
    .where('id', 'in', wanted)
    .where('ownerType', '=', 'approval')
    .execute()
  if (found.length < wanted.length) throw refuse('file.notFound')
}

/**
 * Writes decisions into a computed plan; positions that are not named keep theirs.
 * @throws exams.notReleased, exams.archived, reduction.alreadySeated, exams.timesInvalid for a cancelled position
 * without a time for choosing, row.wrongState before it was computed, reduction.confirmed, exams.positionNotFound,
 * reduction.notNeeded, input.invalid, file.notFound
 */
export async function decideReduction({ db, now }: Caller, exam: ExamRow, list: readonly SentDecision[]) {
  await checkPlan(db, exam, now)
  if (list.some(one => one.decision === ReduceDecision.cancel)) checkChoosing(exam, now)
  return db.transaction().execute(async trx => {
    const rows = new Map((await lockPlan(trx, exam.id)).map(row => [row.code, row]))
    if (rows.size === 0) throw refuse('row.wrongState')
    const made = list.map(sent => decided(rows.get(sent.code), sent))
    await checkFiles(
      trx,
      made.flatMap(one => one.file ?? []),
    )
    const decisions = sql<(typeof made)[number]>`jsonb_to_recordset(${JSON.stringify(made)}::jsonb)`.as<'d'>(
      sql`d (id bigint, decision int, "afterNum" int, basis text, file bigint)`,
    )
    await trx
      .updateTable('postreduction as r')
      .from(decisions)
      .set(eb => ({
        decision: eb.ref('d.decision'),
        afterNum: eb.ref('d.afterNum'),
        basis: eb.ref('d.basis'),
        file: eb.ref('d.file'),
      }))
      .whereRef('r.id', '=', 'd.id')
      .where('r.confirmTime', 'is', null)
      .execute()
    return planAnswer(trx, exam)
  })
}
