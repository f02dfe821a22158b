import type { FastifyInstance } from 'fastify'
import { scoped } from '../../../crud/scope.ts'
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
