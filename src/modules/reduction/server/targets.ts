import { PostStatus } from '#schemas/dictionaries'
import type { RuleResult } from '#schemas/sign-up/signup-json'
import type { Dicts } from '../../../engine/form-field.ts'
import type { Db, ExamRow, PositionRow, SignupRow } from '../../../platform/access/server/caller.ts'
import type { Content } from '../../exams/rules/sign-item.ts'
import { hardFailures, precheck } from '../../exams/rules/sign-rules.ts'
import { hardRulesOf, loadForm, wordingDicts } from '../../exams/server/candidate/exam-form.ts'
import { listPositions } from '../../sign-up/server/positions-view.ts'

/** What a choice is judged by: the exam, the sign-up, the subject of the position that is left. */
export interface Leaving {
  exam: ExamRow
  row: SignupRow
  subject: string | null
  dicts: Dicts
}

/** Reads what a choice is judged by. */
export async function leavingOf(db: Db, exam: ExamRow, row: SignupRow): Promise<Leaving> {
  const [form, old] = await Promise.all([
    loadForm(db, exam.id),
    db
      .selectFrom('examitems')
      .select('examSubject')
      .where('examId', '=', exam.id)
      .where('code', '=', row.code)
      .executeTakeFirst(),
  ])
  const dicts = await wordingDicts(db, form.items, row.content as Content)
  return { exam, row, subject: old?.examSubject ?? null, dicts }
}

type Target = Pick<
  PositionRow,
  | 'code'
  | 'postStatus'
  | 'examSubject'
  | 'ageMax'
  | 'eduReq'
  | 'degreeReq'
  | 'majorReq'
  | 'titleReq'
  | 'certReq'
  | 'freshReq'
  | 'sexReq'
  | 'regionReq'
  | 'expYears'
>

/** What the rules of a position say about somebody, from what was filled in. */
export const precheckFor = ({ exam, row, dicts }: Leaving, target: Target): RuleResult[] =>
  precheck(target, { birthday: row.birthday, sex: row.sex }, row.content as Content, exam, dicts)

/** Why somebody may not choose a position, whether it is full aside; null where it is allowed. */
export function obstacleOf(of: Leaving, target: Target & { enable?: number }, results: readonly RuleResult[]) {
  if (target.code === of.row.code || target.code === of.row.finalCode) return '不能选择原岗位'
  if (target.postStatus === PostStatus.cancelled) return '岗位已取消'
  if (target.enable === 0) return '岗位已停用'
  if ((target.examSubject ?? '') !== (of.subject ?? '')) return '笔试科目不同'
  const failed = hardFailures([...results], hardRulesOf(of.exam))
  return failed.length > 0 ? failed.map(one => one.msg).join('；') : null
}

/** The positions somebody may move to, each with its pre-check; full ones are among them and say so. */
export async function targetsOf(db: Db, of: Leaving) {
  const positions = await listPositions(db, of.exam, of.dicts)
  return positions
    .filter(one => one.selectable || one.full)
    .map(one => ({ ...one, planNum: one.curPlanNum, precheck: precheckFor(of, one) }))
    .filter(one => obstacleOf(of, one, one.precheck) === null)
}
