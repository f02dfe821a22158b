import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { BodyOf } from '#engine'
import { ChoiceBy, ExamStatus } from '#schemas/dictionaries'
import { isId, readIds } from '../../../crud/input.ts'
import { resourceOf } from '../../../crud/lookup.ts'
import { readPage } from '../../../crud/query.ts'
import { hasDuty, scoped } from '../../../crud/scope.ts'
import { type Caller, callerOf, type ExamRow, type SignupRow } from '../../../platform/access/server/caller.ts'
import { person } from '../../../platform/http/server/access.ts'
import { messageFor } from '../../../platform/http/server/envelope.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { type Refusal, refuse } from '../../../platform/http/server/refusal.ts'
import { jsonText, serve } from '../../../platform/http/server/serve.ts'
import { findExam } from '../../exams/server/candidate/exam-form.ts'
import { examInScope, idOf } from '../../exams/server/routes/examination.ts'
import {
  changeAdjust,
  choiceOf,
  chooseAnew,
  choosingPeople,
  listForChoosing,
  reducibleExams,
  reductionPlan,
  removeFromList,
  saveReduction,
} from '../contract.ts'
import { choose, setAdjustAccept } from './choose.ts'
import { computeReduction, decideReduction } from './compute.ts'
import { confirmReduction } from './confirm.ts'
import { expireChoices } from './expire-choices.ts'
import { choiceInfo } from './info.ts'
import { joinNameList, removeNames } from './names.ts'
import { reducible, reductionOf } from './plan.ts'

/** Somebody without a permission meets the same answer as at any other route. */
function demand(request: FastifyRequest, ...codes: readonly string[]): void {
  if (!codes.some(code => person(request).permissions.has(code))) throw refuse('request.forbidden')
}

/** A sign-up that is the caller's own or stands in the caller's lists, with its exam. @throws signup.notFound */
async function seen(request: FastifyRequest, signupId: string): Promise<{ row: SignupRow; exam: ExamRow }> {
  const app = request.server
  const found = await scoped(app, person(request), 'signup').where('id', '=', signupId).selectAll().executeTakeFirst()
  if (!found) throw refuse('signup.notFound')
  const row = found as SignupRow
  return { row, exam: await findExam(liveAs(app, person(request)), row.examId) }
}

/**
 * That staff decide on sign-ups as names of the list: to read them is not enough.
 * @throws signup.notFound
 */
async function checkDecidable(request: FastifyRequest, signupIds: readonly string[]): Promise<void> {
  const app = request.server
  const found = await scoped(app, person(request), 'signup')
    .select('signup.id')
    .where('id', 'in', signupIds)
    .where(hasDuty(app, person(request), 'postreductionname', 'signup.examId', 'change'))
    .execute()
  if (found.length < signupIds.length) throw refuse('signup.notFound')
}

/** Cutting positions for want of candidates, and choosing again. */
export default async function reductionRoutes(app: FastifyInstance): Promise<void> {
  planRoutes(app)
  nameRoutes(app)
  choiceRoutes(app)
  app.jobs.every({
    name: 'reduction-lapse',
    title: '关闭逾期的改报选择',
    seconds: 60,
    work: () => expireChoices(app, app.now()),
  })
}

async function plan(caller: Caller, exam: ExamRow, { action, list = [], reason = '' }: BodyOf<typeof saveReduction>) {
  if (action === 'compute') return computeReduction(caller, exam, reason.trim())
  if (action === 'confirm') return confirmReduction(caller, exam)
  return decideReduction(caller, exam, list)
}

function planRoutes(app: FastifyInstance): void {
  serve(app, reductionPlan, async ({ query, request }) => {
    const exam = await examInScope(request, query.examId, 'postreduction')
    const inWords = (refusal: Refusal) => messageFor(request, refusal)
    return reductionOf(callerOf(app, request), exam as ExamRow, inWords)
  })
  serve(app, reducibleExams, async ({ request }) => {
    const exams = scoped(app, person(request), 'examination')
      .selectAll()
      .where('examStatus', 'in', [ExamStatus.released, ExamStatus.closed])
      .orderBy('createTime', 'desc')
      .limit(200)
    const inWords = (refusal: Refusal) => messageFor(request, refusal)
    return reducible(callerOf(app, request), (await exams.execute()) as ExamRow[], inWords)
  })
  serve(app, saveReduction, async ({ body, request }) => {
    demand(request, body.action === 'confirm' ? 'reduction_confirm' : 'reduction_decide')
    const exam = await examInScope(request, body.examId, 'postreduction')
    return plan(callerOf(app, request), exam as ExamRow, body)
  })
}

/** The exam of the sign-ups asked for, which must be of one. @throws signup.notFound, input.invalid */
async function examOf(
  request: FastifyRequest,
  examId: string | undefined,
  signupIds: readonly string[],
): Promise<ExamRow> {
  if (examId) return (await examInScope(request, examId, 'postreductionname')) as ExamRow
  if (signupIds.length === 0) throw refuse('input.invalid', { 说明: '请选择考试或报名' })
  const rows = await scoped(request.server, person(request), 'signup')
    .select('examId')
    .distinct()
    .where('id', 'in', signupIds)
    .execute()
  if (rows.length === 0) throw refuse('signup.notFound')
  if (rows.length > 1) throw refuse('input.invalid', { 说明: '请选择同一考试的报名' })
  return (await examInScope(request, rows[0]!.examId, 'postreductionname')) as ExamRow
}

function nameRoutes(app: FastifyInstance): void {
  serve(app, listForChoosing, async ({ query, body, request }) => {
    const { signupId, signupIds = [], codes = [], examId } = body
    const listed = (query.ids ?? '').split(',').filter(isId)
    const wanted = [...new Set([...signupIds, ...listed, ...(signupId ? [signupId] : [])])]
    if (wanted.length === 0 && codes.length === 0) throw refuse('input.invalid', { 说明: '请选择报名或岗位' })
    const exam = await examOf(request, examId, wanted)
    return joinNameList(callerOf(app, request), exam, { signupIds: wanted, codes })
  })
  serve(app, removeFromList, async ({ values, request }) => {
    const wanted = values.ids === undefined ? [idOf(values, 'signupId')] : readIds(values.ids)
    await checkDecidable(request, wanted)
    await removeNames(callerOf(app, request), wanted)
  })
  serve(app, choosingPeople, async ({ request }) => {
    const { unit, code, ...rest } = request.query as Record<string, string>
    const asked = { ...rest, ...(unit ? { oldUnit: unit } : {}), ...(code ? { oldCode: code } : {}) }
    const read = { app, person: person(request), resource: resourceOf('postreductionname') }
    return jsonText(await readPage(read, asked))
  })
}

function choiceRoutes(app: FastifyInstance): void {
  serve(app, choiceOf, async ({ query, request }) => {
    const { row, exam } = await seen(request, query.signupId)
    if (row.userId !== person(request).userId) demand(request, 'postreductionname', 'examine_move')
    return choiceInfo(callerOf(app, request), exam, row)
  })
  serve(app, chooseAnew, async ({ body, request }) => {
    const caller = callerOf(app, request)
    const { row, exam } = await seen(request, body.signupId)
    const own = row.userId === caller.person.userId
    if (!own) {
      demand(request, 'postreductionname_choose')
      await checkDecidable(request, [row.id])
      if (!body.remark?.trim()) throw refuse('input.invalid', { 说明: '代录须填写备注' })
    }
    if (body.agree === 1 && !body.code2) throw refuse('input.invalid', { 说明: '请选择岗位' })
    return { state: await choose(caller, exam, row, body, own ? ChoiceBy.candidate : ChoiceBy.staff) }
  })
  serve(app, changeAdjust, async ({ body, request }) => {
    const caller = callerOf(app, request)
    const { row, exam } = await seen(request, body.id)
    await setAdjustAccept(caller, exam, row, body.adjustAccept)
    return { adjustAccept: body.adjustAccept }
  })
}
