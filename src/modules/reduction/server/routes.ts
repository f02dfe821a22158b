import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ChoiceBy, ExamStatus } from '#schemas/dictionaries'
import { isId } from '../../../crud/input.ts'
import { readPage } from '../../../crud/query.ts'
import { hasDuty, resourceOf, scoped } from '../../../crud/scope.ts'
import { type Caller, callerOf, type ExamRow, type SignupRow } from '../../../platform/access/server/caller.ts'
import { person } from '../../../platform/http/server/access.ts'
import { messageFor, ok } from '../../../platform/http/server/envelope.ts'
import { type Refusal, refuse } from '../../../platform/http/server/refusal.ts'
import { body, id, query } from '../../../platform/http/server/schemas.ts'
import { findExam } from '../../exams/server/candidate/exam-form.ts'
import { examInScope, idOf, valuesOf } from '../../exams/server/routes/examination.ts'
import { type Choice, chooseAnew, setAdjustAccept } from './choose.ts'
import { computeReduction, decideReduction, type SentDecision } from './compute.ts'
import { confirmReduction } from './confirm.ts'
import { expireChoices } from './expire-choices.ts'
import { choiceInfo } from './info.ts'
import { joinNameList, removeName } from './names.ts'
import { reducible, reductionOf } from './plan.ts'

const signedIn = { access: 'signed-in' } as const
const may = (permission: string | string[]) => ({ access: { permission } }) as const
const word = (maxLength: number) => ({ type: 'string', maxLength }) as const
const key = (values: readonly number[]) => ({ type: 'integer', enum: values }) as const
const ids = { type: 'array', maxItems: 500, items: id } as const

/** Somebody without a permission meets the same answer as at any other route. */
function demand(request: FastifyRequest, ...codes: readonly string[]): void {
  if (!codes.some(code => person(request).permissions.has(code))) throw refuse('request.forbidden')
}

/** A sign-up that is the caller's own or one his lists show, with its exam. @throws signup.notFound */
async function seen(request: FastifyRequest, signupId: string): Promise<{ row: SignupRow; exam: ExamRow }> {
  const app = request.server
  const found = await scoped(app, person(request), 'signup').where('id', '=', signupId).selectAll().executeTakeFirst()
  if (!found) throw refuse('signup.notFound')
  const row = found as SignupRow
  return { row, exam: await findExam(app.db, row.tenantId, row.examId) }
}

/**
 * As {@link seen}, for staff who decide on names of the list: to read a sign-up is not enough.
 * @throws signup.notFound
 */
async function decidable(request: FastifyRequest, signupId: string): Promise<{ row: SignupRow; exam: ExamRow }> {
  const app = request.server
  const found = await scoped(app, person(request), 'signup')
    .select('signup.id')
    .where('id', '=', signupId)
    .where(hasDuty(app, person(request), 'postreductionname', 'signup.examId', 'change'))
    .executeTakeFirst()
  if (!found) throw refuse('signup.notFound')
  return seen(request, signupId)
}

/** Cutting positions for want of candidates, and choosing anew: `/blade-signup/signup`. */
export default async function reductionRoutes(app: FastifyInstance): Promise<void> {
  await app.register(
    async scope => {
      planRoutes(scope)
      nameRoutes(scope)
      choiceRoutes(scope)
    },
    { prefix: '/api/blade-signup/signup' },
  )
  app.jobs.every(60, 'reduction-lapse', () => expireChoices(app.db, app.now()))
}

interface PlanBody {
  examId: string
  action: 'compute' | 'save' | 'confirm'
  list?: SentDecision[]
  reason?: string
}

const decision = {
  type: 'object',
  additionalProperties: false,
  required: ['code', 'decision'],
  properties: {
    code: word(30),
    decision: key([0, 1, 2, 3, 4]),
    afterNum: { type: 'integer', minimum: 0 },
    basis: word(500),
    file: { type: 'string', pattern: `^$|${id.pattern}` },
  },
} as const

const planBody = body(
  {
    examId: id,
    action: { type: 'string', enum: ['compute', 'save', 'confirm'] },
    list: { type: 'array', maxItems: 5000, items: decision },
    reason: { ...word(400), title: '原因' },
  },
  ['examId', 'action'],
)

async function plan(caller: Caller, exam: ExamRow, { action, list = [], reason = '' }: PlanBody) {
  if (action === 'compute') return computeReduction(caller, exam, reason.trim())
  if (action === 'confirm') return confirmReduction(caller, exam)
  return decideReduction(caller, exam, list)
}

function planRoutes(app: FastifyInstance): void {
  app.get<{ Querystring: { examId: string } }>(
    '/getPostReduction',
    { config: may('reduction_post'), schema: query({ examId: id }, ['examId']) },
    async request => {
      const exam = await examInScope(request, request.query.examId, 'postreduction')
      const inWords = (refusal: Refusal) => messageFor(request, refusal)
      return ok(await reductionOf(callerOf(app, request), exam as ExamRow, inWords))
    },
  )
  app.get('/getReductionExams', { config: may('reduction_post'), schema: query({}) }, async request => {
    const exams = scoped(app, person(request), 'examination')
      .selectAll()
      .where('examStatus', 'in', [ExamStatus.released, ExamStatus.closed])
      .orderBy('createTime', 'desc')
      .limit(200)
    const inWords = (refusal: Refusal) => messageFor(request, refusal)
    return ok(await reducible(callerOf(app, request), (await exams.execute()) as ExamRow[], inWords))
  })
  app.post<{ Body: PlanBody }>(
    '/savePostReductionInfoByExamId',
    { config: may(['reduction_decide', 'reduction_confirm']), schema: planBody },
    async request => {
      demand(request, request.body.action === 'confirm' ? 'reduction_confirm' : 'reduction_decide')
      const exam = await examInScope(request, request.body.examId, 'postreduction')
      return ok(await plan(callerOf(app, request), exam as ExamRow, request.body))
    },
  )
}

interface JoinBody {
  examId?: string
  codes?: string[]
  signupIds?: string[]
  signupId?: string
}

/** The exam of the sign-ups asked for, which must be of one. @throws signup.notFound, input.invalid */
async function examOf(request: FastifyRequest, { examId, signupIds = [] }: JoinBody): Promise<ExamRow> {
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
  const joinBody = body({
    examId: id,
    codes: { type: 'array', maxItems: 500, items: word(30) },
    signupIds: ids,
    signupId: id,
  })
  const asked = { type: 'object', additionalProperties: false, properties: { ids: word(12_000) } } as const
  app.post<{ Body: JoinBody; Querystring: { ids?: string } }>(
    '/joinPostReductionNameList',
    {
      config: may('signup_reduce'),
      schema: { ...joinBody, querystring: asked },
      // The button of the list sends its ids in the address and nothing else.
      preValidation: async request => {
        request.body ??= {}
      },
    },
    async request => {
      const { signupId, signupIds = [], codes = [], examId } = request.body
      const listed = (request.query.ids ?? '').split(',').filter(isId)
      const wanted = [...new Set([...signupIds, ...listed, ...(signupId ? [signupId] : [])])]
      if (wanted.length === 0 && codes.length === 0) throw refuse('input.invalid', { 说明: '请选择报名或岗位' })
      const exam = await examOf(request, { ...(examId ? { examId } : {}), signupIds: wanted })
      return ok(await joinNameList(callerOf(app, request), exam, { signupIds: wanted, codes }))
    },
  )
  app.post('/removeNameList', { config: may('postreductionname_removeName') }, async request => {
    const { row } = await decidable(request, idOf(valuesOf(request), 'signupId'))
    await removeName(callerOf(app, request), row.id)
    return ok()
  })
  app.get<{ Querystring: Record<string, string> }>(
    '/postReductionNamePage',
    { config: may('postreductionname') },
    async request => {
      const { unit, code, ...rest } = request.query
      const asked = { ...rest, ...(unit ? { oldUnit: unit } : {}), ...(code ? { oldCode: code } : {}) }
      const read = { app, person: person(request), resource: resourceOf('postreductionname') }
      return ok(JSON.parse(await readPage(read, asked)))
    },
  )
}

const choiceBody = body(
  {
    signupId: id,
    agree: key([0, 1]),
    unit2: word(30),
    type2: word(30),
    code2: word(30),
    remark: { ...word(255), title: '备注' },
  },
  ['signupId', 'agree'],
)

function choiceRoutes(app: FastifyInstance): void {
  app.get<{ Querystring: { signupId: string } }>(
    '/getPostReductionInfo',
    { config: signedIn, schema: query({ signupId: id }, ['signupId']) },
    async request => {
      const { row, exam } = await seen(request, request.query.signupId)
      if (row.userId !== person(request).userId) demand(request, 'postreductionname', 'examine_move')
      return ok(await choiceInfo(callerOf(app, request), exam, row))
    },
  )
  app.post<{ Body: Choice }>('/savePostReductionInfo', { config: signedIn, schema: choiceBody }, async request => {
    const caller = callerOf(app, request)
    const { row, exam } = await seen(request, request.body.signupId)
    const own = row.userId === caller.person.userId
    if (!own) {
      demand(request, 'postreductionname_choose')
      await decidable(request, row.id)
      if (!request.body.remark?.trim()) throw refuse('input.invalid', { 说明: '代录须填写备注' })
    }
    if (request.body.agree === 1 && !request.body.code2) throw refuse('input.invalid', { 说明: '请选择岗位' })
    return ok({ state: await chooseAnew(caller, exam, row, request.body, own ? ChoiceBy.candidate : ChoiceBy.staff) })
  })
  app.post<{ Body: { id: string; adjustAccept: 0 | 1 } }>(
    '/changeAdjust',
    { config: { access: 'candidate' }, schema: body({ id, adjustAccept: key([0, 1]) }, ['id', 'adjustAccept']) },
    async request => {
      const caller = callerOf(app, request)
      const { row, exam } = await seen(request, request.body.id)
      await setAdjustAccept(caller, exam, row, request.body.adjustAccept)
      return ok({ adjustAccept: request.body.adjustAccept })
    },
  )
}
