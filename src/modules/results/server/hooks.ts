import { ReleaseStatus, ResultChange, ResultFlag } from '#schemas/dictionaries'
import type { Result } from '#schemas/results/result'
import type { HookContext, Hooks } from '../../../crud/rules.ts'
import { hasDuty, scoped } from '../../../crud/scope.ts'
import type { Live } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { checkTimely } from '../../exams/rules/act-windows.ts'
import { lockStage } from '../../tickets/server/allot.ts'
import { factsOf, type Stage } from '../../tickets/server/stage.ts'
import { resultWindows } from '../rules/act-windows.ts'
import { keptMark, type Mark, markProblems, shortDecimal } from '../rules/result-score.ts'
import { type Change, logChanges } from './change-log.ts'
import { examineesOf } from './examinees.ts'

/**
 * The stage of a result, locked, of an exam in the caller's scope.
 * @throws row.notFound, exams.archived when archived, results.released when released
 */
async function openStage({ app, person, trx, db }: HookContext, itemId: string): Promise<Stage> {
  const found = await scoped(app, person, 'examinationitem', trx)
    .select('id')
    .where('id', '=', itemId)
    .where(hasDuty(app, person, 'result', 'examinationitem.examId', 'change'))
    .executeTakeFirst()
  if (!found) throw refuse('row.notFound')
  const stage = await lockStage(db, found.id)
  if (stage.resultRelease === ReleaseStatus.released) throw refuse('results.released')
  return stage
}

const markOf = ({ score = null, addScore = null, resultFlag = ResultFlag.normal }: Partial<Result>): Mark => ({
  score,
  addScore,
  resultFlag,
})

/** The person of a new result, by the number that was typed. @throws input.invalid */
async function personOf(db: Live, stage: Stage, ticketNo: string, app: HookContext['app']) {
  const [sitter] = await examineesOf(db, stage, ticketNo)
  const msg = '本项目没有这个准考证号的有效考生'
  if (!sitter) throw refuse('input.invalid', { 说明: msg }, [{ field: 'ticketNo', msg }])
  const { signupId, name, unit, code } = sitter
  return { examId: stage.examId, signupId, name, idCard: app.vault.open(sitter.idCard), unit, code }
}

/** The mark of a row as it will be kept. @throws input.invalid with what is wrong */
function checkedMark(row: Partial<Result>, stage: Stage): Mark {
  // A stored decimal has four places, a typed one must have two at most.
  const { score, addScore, resultFlag } = markOf(row)
  const mark = { score: shortDecimal(score), addScore: shortDecimal(addScore), resultFlag }
  const problems = markProblems(mark, stage.fullScore)
  if (problems.length) throw refuse('input.invalid', { 说明: problems.map(one => one.msg).join('；') }, problems)
  return keptMark(mark)
}

const changeOf = ({ signupId, ticketNo }: Result, before: Mark | null, after: Mark | null): Change => ({
  signupId,
  ticketNo,
  before,
  after,
})

/** Results by hand: one of a person who sat the stage, changed only while they are not out, every change kept. */
export const resultHooks: Hooks<typeof Result> = {
  async beforeSubmit(ctx, given, before) {
    const { itemId = '', ticketNo = '' } = { ...given, ...before }
    const stage = await openStage(ctx, itemId)
    checkTimely(resultWindows.enter, factsOf(stage), ctx.now)
    const names = ['itemId', 'ticketNo'] as const
    if (before && names.some(name => given[name] !== undefined && given[name] !== before[name]))
      throw refuse('input.invalid', { 说明: '成绩不能改到别的考生或项目' })
    const { score, addScore } = checkedMark({ ...before, ...given }, stage)
    ctx.set({ score, addScore })
    if (!before) ctx.set(await personOf(ctx.db, stage, ticketNo, ctx.app))
  },
  async afterSubmit({ db }, row, before) {
    const stage = await lockStage(db, row.itemId)
    const change = changeOf(row, before && markOf(before), markOf(row))
    await logChanges(db, stage, before ? ResultChange.edited : ResultChange.created, [change])
  },
  async beforeRemove(ctx, rows) {
    for (const itemId of [...new Set(rows.map(row => row.itemId))].sort()) {
      const stage = await openStage(ctx, itemId)
      const own = rows.filter(row => row.itemId === itemId).map(row => changeOf(row, markOf(row), null))
      await logChanges(ctx.db, stage, ResultChange.removed, own)
    }
  },
}
