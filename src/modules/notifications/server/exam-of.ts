import type { FastifyInstance } from 'fastify'
import { ExamStatus } from '#schemas/dictionaries'
import { scoped } from '../../../crud/scope.ts'
import type { Live } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'

/** An exam that somebody may change. @throws exams.notFound */
export async function examOf(app: FastifyInstance, person: Person, examId: string) {
  const exam = await scoped(app, person, 'examination', app, 'change')
    .select(['id', 'examName', 'shortName', 'contactPhone', 'textMost', 'examStatus'])
    .where('id', '=', examId)
    .executeTakeFirst()
  if (!exam) throw refuse('exams.notFound')
  return exam
}

/** Locks an exam of which it is about to be settled how people are told. @throws exams.notFound, exams.archived */
export async function lockExam(db: Live, examId: string): Promise<void> {
  const exam = await db
    .selectFrom('examination')
    .select('examStatus')
    .where('id', '=', examId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!exam) throw refuse('exams.notFound')
  if (exam.examStatus === ExamStatus.archived) throw refuse('exams.archived')
}
