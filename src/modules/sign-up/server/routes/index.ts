import type { FastifyInstance } from 'fastify'
import { scoped } from '../../../../crud/scope.ts'
import { callerOf, type SignupRow } from '../../../../platform/access/server/caller.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { disposition } from '../../../../platform/http/server/disposition.ts'
import { messageFor } from '../../../../platform/http/server/envelope.ts'
import { liveAs } from '../../../../platform/http/server/live.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { findExam, loadForm } from '../../../exams/server/candidate/exam-form.ts'
import { examList, mySignups, printSignup, signupDetail, signupFiles, signupPage } from '../../contract.ts'
import { detailOf } from '../detail.ts'
import { draftPdf } from '../draft-pdf.ts'
import { examsFor } from '../exam-list.ts'
import { examPage } from '../exam-page.ts'
import { formPdf } from '../form-pdf.ts'
import { signupsOf } from '../my-list.ts'
import { checkPlaces } from '../place-check.ts'
import candidateRoutes from './candidate.ts'

/** Sign-ups, from finding an exam to the printed form. */
export default async function signupRoutes(app: FastifyInstance): Promise<void> {
  lists(app)
  ones(app)
  candidateRoutes(app)
  app.jobs.every({
    name: 'place-check',
    title: '核对报名名额',
    seconds: 86_400,
    work: signal => checkPlaces(app, signal),
  })
}

function lists(app: FastifyInstance): void {
  serve(app, examList, async ({ query, request }) => examsFor(callerOf(app, request), query))
  serve(app, mySignups, async ({ query, request }) =>
    signupsOf(callerOf(app, request), app.extensions.nextStep, query, refusal => messageFor(request, refusal)),
  )
  serve(app, signupPage, async ({ query, request }) =>
    examPage(callerOf(app, request), query.examId, refusal => messageFor(request, refusal)),
  )
  serve(app, signupFiles, async ({ query, request }) => {
    const db = liveAs(app, person(request))
    const exam = await findExam(db, query.examId)
    return (await loadForm(db, exam.id)).files
  })
}

function ones(app: FastifyInstance): void {
  const seen = async (request: Parameters<typeof person>[0], signupId: string): Promise<SignupRow> => {
    const row = await scoped(app, person(request), 'signup').where('id', '=', signupId).selectAll().executeTakeFirst()
    if (!row) throw refuse('signup.notFound')
    return row as SignupRow
  }
  serve(app, signupDetail, async ({ query, request }) => {
    const row = await seen(request, query.id)
    return detailOf(callerOf(app, request), row, row.userId === person(request).userId)
  })
  serve(app, printSignup, async ({ body, request, reply }) => {
    const { signupId, examId = '', ...draft } = body
    const caller = callerOf(app, request)
    const { name, bytes } = signupId
      ? await formPdf(caller, app, await seen(request, signupId))
      : await draftPdf(caller, app, { ...draft, examId })
    return reply.type('application/pdf').header('content-disposition', disposition(name)).send(bytes)
  })
}
