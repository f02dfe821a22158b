import { ExamineResult, ExamineStage, ExamineStatus, ReviewStatus } from '#schemas/dictionaries'
import { actLine } from '../modules/review/server/log.ts'
import type { SignupRow } from '../platform/access/server/caller.ts'
import type { Demo, DemoExam } from './exams.ts'
import { chance } from './random.ts'

/** Lines written at once. */
const portion = 500

/** The acts of review that brought a sign-up to where it stands: the first, and the second where the exam has one. */
function actsOf({ tenantId, staff }: Demo, row: SignupRow, random: () => number) {
  const act = (
    account: string,
    time: Date,
    before: Parameters<typeof actLine>[0],
    what: Parameters<typeof actLine>[3],
  ) => {
    const userId = staff[account] as string
    const line = actLine(before, { userId, now: time, ip: '10.20.0.15' }, row, what)
    return { ...line, tenantId, createUser: userId, createTime: time }
  }
  const durationSec = 20 + Math.floor(random() * 160)
  const result = row.examine as 1 | 2 | 3
  const at = row.examineTime as Date
  const first = act('chushen', at, undefined, {
    stage: ExamineStage.first,
    result,
    remark: row.examineRemark ?? '',
    durationSec,
  })
  if (row.reviewStatus !== ReviewStatus.approved) return [first]
  const before = { hash: first.hash, snapshot: row, stage: ExamineStage.first, result: ExamineResult.approved }
  return [
    first,
    act('fushen', row.reviewTime as Date, before, {
      stage: ExamineStage.second,
      result: ExamineResult.approved,
      remark: '',
      durationSec,
    }),
  ]
}

/** The history of review of everybody who was reviewed. */
export async function makeReviews(demo: Demo, exam: DemoExam): Promise<void> {
  const { db } = demo
  const random = chance(7)
  const rows = await db
    .selectFrom('signup')
    .selectAll()
    .where('examId', '=', exam.id)
    .where('examine', '<>', ExamineStatus.pending)
    .orderBy('signNo')
    .execute()
  const lines = rows.flatMap(row => actsOf(demo, row, random))
  for (let at = 0; at < lines.length; at += portion)
    await db
      .insertInto('examinelog')
      .values(lines.slice(at, at + portion))
      .execute()
}
