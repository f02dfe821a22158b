import type { FastifyInstance } from 'fastify'
import { scoped, seesAllRows } from '../../../crud/scope.ts'
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

/** No exam at all. */
const noExam = { examName: null, shortName: null, contactPhone: null, textMost: null, examStatus: null } as const

/** Whose settings somebody sees and changes: an exam's, or for whoever meets all rows the tenant's. @throws exams.notFound, request.forbidden */
export async function ownerOf(app: FastifyInstance, person: Person, examId: string | null) {
  if (examId !== null) return examOf(app, person, examId)
  if (!seesAllRows(person)) throw refuse('request.forbidden')
  return noExam
}
