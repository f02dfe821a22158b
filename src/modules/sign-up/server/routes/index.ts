import type { FastifyInstance } from 'fastify'
import { scoped } from '../../../../crud/scope.ts'
import { callerOf, type SignupRow } from '../../../../platform/access/server/caller.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { disposition } from '../../../../platform/http/server/disposition.ts'
import { messageFor, ok } from '../../../../platform/http/server/envelope.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { examQuery, id, paging, printBody, query } from '../../../../platform/http/server/schemas.ts'
import { findExam, loadForm } from '../../../exams/server/candidate/exam-form.ts'
import { signupDetail } from '../detail.ts'
import { draftPdf } from '../draft-pdf.ts'
import { type ExamQuery, examsFor } from '../exam-list.ts'
import { examPage } from '../exam-page.ts'
import { formPdf } from '../form-pdf.ts'
import { mySignups } from '../my-list.ts'
import type { SubmitBody } from '../submit.ts'
import candidateRoutes from './candidate.ts'

const signedIn = { access: 'signed-in' } as const
const scraped = { ...signedIn, scraped: true } as const
const byExam = query({ examId: id }, ['examId'])

/** Sign-ups, from finding an exam to the printed form: `/blade-signup/signup`. */
export default async function signupRoutes(app: FastifyInstance): Promise<void> {
  await app.register(
    async scope => {
      lists(scope)
      ones(scope)
      await scope.register(candidateRoutes)
    },
    { prefix: '/api/blade-signup/signup' },
  )
}

function lists(app: FastifyInstance): void {
  app.get<{ Querystring: ExamQuery }>('/examList', { config: scraped, schema: examQuery }, async request =>
    ok(await examsFor(callerOf(app, request), request.query)),
  )
  app.get<{ Querystring: { current?: number; size?: number } }>(
    '/myExamList',
    { config: signedIn, schema: query(paging) },
    async request =>
      ok(await mySignups(callerOf(app, request), request.query, refusal => messageFor(request, refusal))),
  )
  app.get<{ Querystring: { examId: string } }>(
    '/getExamInfoOrSignUpInfo',
    { config: scraped, schema: byExam },
    async request =>
      ok(await examPage(callerOf(app, request), request.query.examId, refusal => messageFor(request, refusal))),
  )
  app.get<{ Querystring: { examId: string } }>(
    '/getSignUpFiles',
    { config: signedIn, schema: byExam },
    async request => {
      const exam = await findExam(app.db, person(request).tenantId, request.query.examId)
      return ok((await loadForm(app.db, exam.id)).files)
    },
  )
}

/** A sign-up by its id, or what is being filled in. */
type PrintBody = SubmitBody & { signupId?: string }

function ones(app: FastifyInstance): void {
  const seen = async (request: Parameters<typeof person>[0], signupId: string): Promise<SignupRow> => {
    const row = await scoped(app, person(request), 'signup').where('id', '=', signupId).selectAll().executeTakeFirst()
    if (!row) throw refuse('signup.notFound')
    return row as SignupRow
  }
  app.get<{ Querystring: { id: string } }>(
    '/detail',
    { config: signedIn, schema: query({ id }, ['id']) },
    async request => {
      const row = await seen(request, request.query.id)
      return ok(await signupDetail(callerOf(app, request), row, row.userId === person(request).userId))
    },
  )
  app.post<{ Body: PrintBody }>(
    '/exportPDFView',
    { config: { ...signedIn, work: 'print' }, schema: printBody },
    async (request, reply) => {
      const { signupId, ...draft } = request.body
      const caller = callerOf(app, request)
      const { name, bytes } = signupId
        ? await formPdf(caller, app, await seen(request, signupId))
        : await draftPdf(caller, app, draft)
      return reply.type('application/pdf').header('content-disposition', disposition(name)).send(bytes)
    },
  )
}
