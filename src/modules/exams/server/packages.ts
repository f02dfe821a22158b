import type { examinationitem } from '#resources/exams/examinationitem'
import type { examsignfiles } from '#resources/exams/examsignfiles'
import type { examsignitems } from '#resources/exams/examsignitems'
import { ExamStatus } from '#schemas/dictionaries'
import type { ActionContext, HandlerOf } from '../../../crud/rules.ts'
import { hasDuty, scoped } from '../../../crud/scope.ts'
import type { LiveTrx } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { usualPaperNames } from '../rules/new-exam.ts'
import { addPapers, addStages, addUsualItems } from './begin.ts'

/** The lists that an exam can be given the first rows of. */
type Table = 'examinationitem' | 'examsignfiles' | 'examsignitems'

const lockExam = (trx: LiveTrx, id: string) =>
  trx
    .selectFrom('examination')
    .select(['id', 'examStatus', 'examStartTime', 'examEndTime'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()

type Exam = Awaited<ReturnType<typeof lockExam>>

const countOf = async (trx: LiveTrx, table: Table, examId: string): Promise<number> => {
  const { n } = await trx
    .selectFrom(table as 'examinationitem')
    .select(eb => eb.fn.countAll<string>().as('n'))
    .where('examId', '=', examId)
    .executeTakeFirstOrThrow()
  return Number(n)
}

/**
 * Gives an exam the first rows of one of its lists, by the same sets as a new exam is given them.
 * @returns how many there are now
 * @throws row.notFound for an exam whose settings are not the caller's, exams.archived, row.wrongState when there are rows already
 */
async function fill(
  { app, db, person, values }: ActionContext<{ examId: string }>,
  table: Table,
  add: (trx: LiveTrx, exam: Exam) => Promise<unknown>,
): Promise<{ num: number }> {
  const found = await scoped(app, person, 'examination')
    .select('examination.id')
    .where('examination.id', '=', values.examId)
    .where(hasDuty(app, person, table, 'examination.id', 'change'))
    .executeTakeFirst()
  if (!found) throw refuse('row.notFound')
  return db.transaction().execute(async trx => {
    const exam = await lockExam(trx, found.id)
    if (exam.examStatus === ExamStatus.archived) throw refuse('exams.archived')
    if ((await countOf(trx, table, exam.id)) > 0) throw refuse('row.wrongState')
    await add(trx, exam)
    return { num: await countOf(trx, table, exam.id) }
  })
}

const stages =
  (set: 'written' | 'both'): HandlerOf<typeof examinationitem, 'beginWritten'> =>
  ctx =>
    fill(ctx, 'examinationitem', async (trx, exam) => {
      if (!exam.examStartTime || !exam.examEndTime)
        throw refuse('input.invalid', { 说明: '请先在“基本与时间”中填写考试开始和结束时间' })
      await addStages(trx, exam, set, null)
    })

/** Stages that an exam without any begins with. */
export const stageBeginnings = { beginWritten: stages('written'), beginBoth: stages('both') }

/** The usual papers of an exam that asks for none. */
export const beginPapers: HandlerOf<typeof examsignfiles, 'beginUsual'> = ctx =>
  fill(ctx, 'examsignfiles', (trx, exam) => addPapers(trx, exam.id, usualPaperNames))

/** The usual items of an exam whose form has none. */
export const beginItems: HandlerOf<typeof examsignitems, 'beginUsual'> = ctx =>
  fill(ctx, 'examsignitems', (trx, exam) => addUsualItems(trx, exam.id))
