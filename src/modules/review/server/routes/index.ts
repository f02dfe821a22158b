import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ExamineStage, ExamRole, ReduceState } from '#schemas/dictionaries'
import { callerOf } from '../../../../platform/access/server/caller.ts'
import { ok } from '../../../../platform/http/server/envelope.ts'
import { body, id, paging, query } from '../../../../platform/http/server/schemas.ts'
import { checkInputLimits } from '../../../sign-up/server/input-limits.ts'
import { passAll } from '../batch.ts'
import { claim } from '../claim.ts'
import { answerOf, type Decision, examine } from '../decide.ts'
import { findReviewed } from '../find.ts'
import { reviewInfo } from '../info.ts'
import { type ReviewQuery, reviewList } from '../list.ts'
import { type Recheck, recheck } from '../recheck.ts'
import { revoke } from '../revoke.ts'
import { reviewExams, reviewUnits } from '../units.ts'

const lists = { access: { permission: ['examine_list', 'examine_done', 'examine_review', 'examine_move'] } } as const
const reads = {
  access: { permission: ['examine_list', 'examine_done', 'examine_review', 'examine_move', 'signup_view'] },
} as const
const first = { access: { permission: 'examine_act' } } as const
const second = { access: { permission: 'examine_recheck' } } as const
const undo = { access: { permission: ['examine_revoke', 'signup_revoke', 'examine_act', 'examine_recheck'] } } as const

const word = (maxLength: number) => ({ type: 'string', maxLength }) as const
const key = { type: 'integer', minimum: 0, maximum: 9 } as const

const filters = {
  stage: { type: 'integer', enum: [1, 2, 3] },
  part: { type: 'string', enum: ['wait', 'again', 'done'] },
  examId: id,
  unit: word(30),
  code: word(30),
  type: word(30),
  name: word(20),
  signNo: word(20),
  idCard: word(30),
  examine: key,
  reviewStatus: key,
  precheckLevel: key,
  again: key,
  submitTime_dategt: word(19),
  submitTime_datelt: word(19),
} as const

const advisementList = {
  type: 'array',
  maxItems: 200,
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['target', 'code', 'ok'],
    properties: {
      target: { type: 'string', enum: ['item', 'file', 'position'] },
      code: word(50),
      ok: { type: 'boolean' },
      opinion: word(500),
    },
  },
} as const
const filter = { type: 'object', additionalProperties: false, properties: filters } as const
const version = { type: 'integer' } as const
const remark = { type: 'string', maxLength: 500, title: '审核意见' } as const

/** Review of sign-ups: `/blade-signup/examine`. */
export default async function examineRoutes(app: FastifyInstance): Promise<void> {
  await app.register(
    async scope => {
      scope.addHook('preHandler', async request => checkInputLimits(request.body))
      reading(scope)
      deciding(scope)
      undoing(scope)
    },
    { prefix: '/api/blade-signup/examine' },
  )
}

function reading(app: FastifyInstance): void {
  const byExam = query({ examId: id }, ['examId'])
  const listed = query({ ...paging, ...filters, sort: { type: 'string', enum: ['submitTime', '-submitTime'] } })
  const named = query({ signUpId: id, ...filters }, ['signUpId'])
  app.get<{ Querystring: ReviewQuery }>('/getExamineList', { config: lists, schema: listed }, async request =>
    ok(await reviewList(callerOf(app, request), request.query)),
  )
  app.get<{ Querystring: { examId: string } }>('/getExamUnits', { config: lists, schema: byExam }, async request =>
    ok(await reviewUnits(callerOf(app, request), request.query.examId)),
  )
  app.get('/getExamList', { config: lists, schema: query({}) }, async request =>
    ok(await reviewExams(callerOf(app, request))),
  )
  app.get<{ Querystring: { signUpId: string } & ReviewQuery }>(
    '/getExamineInfo',
    { config: reads, schema: named },
    async request => {
      const { signUpId, ...rest } = request.query
      return ok(await reviewInfo(app, callerOf(app, request), signUpId, rest))
    },
  )
  app.post<{ Body: { signUpId: string } }>(
    '/claim',
    { config: lists, schema: body({ signUpId: id }, ['signUpId']) },
    async request => {
      const caller = callerOf(app, request)
      const { row } = await findReviewed(app, caller, request.body.signUpId, {
        roles: [ExamRole.firstReviewer, ExamRole.secondReviewer],
      })
      return ok(await claim(caller, row.id))
    },
  )
}

function deciding(app: FastifyInstance): void {
  const decision = body(
    {
      signUpId: id,
      examineResult: { type: 'integer' },
      examineResultRemark: remark,
      advisementList,
      version,
      durationSec: { type: 'integer', minimum: 0, maximum: 86_400 },
      filter,
    },
    ['signUpId', 'examineResult'],
  )
  const recheckBody = body(
    { signUpId: id, reviewResult: { type: 'integer' }, reviewRemark: remark, advisementList, version, filter },
    ['signUpId', 'reviewResult'],
  )
  const idsBody = body({ ids: { type: 'array', minItems: 1, maxItems: 50, items: id } }, ['ids'])
  app.post<{ Body: Decision }>('/examine', { config: first, schema: decision }, async request => {
    const caller = callerOf(app, request)
    const row = await examine(app, caller, request.body)
    return ok(
      await answerOf(caller, row, {
        examId: row.examId,
        ...request.body.filter,
        stage: row.reduceState === ReduceState.none ? ExamineStage.first : ExamineStage.reassignment,
      }),
    )
  })
  app.post<{ Body: { ids: string[] } }>('/examineBatch', { config: first, schema: idsBody }, async request =>
    ok(await passAll(app, callerOf(app, request), [...new Set(request.body.ids)])),
  )
  app.post<{ Body: Recheck }>('/reviewInfo', { config: second, schema: recheckBody }, async request => {
    const caller = callerOf(app, request)
    const row = await recheck(app, caller, request.body)
    return ok(await answerOf(caller, row, { examId: row.examId, ...request.body.filter, stage: ExamineStage.second }))
  })
}

function undoing(app: FastifyInstance): void {
  type Undo = FastifyRequest<{ Body: { signUpId: string; reason: string; version?: number } }>
  const schema = body({ signUpId: id, reason: { ...remark, title: '原因' }, version }, ['signUpId', 'reason'])
  app.post('/revoke', { config: undo, schema }, async (request: Undo) => {
    const row = await revoke(app, callerOf(app, request), request.body)
    return ok({ examine: row.examine, version: row.version })
  })
}
