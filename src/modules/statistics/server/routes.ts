import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import { person } from '../../../platform/http/server/access.ts'
import { disposition } from '../../../platform/http/server/disposition.ts'
import { ok } from '../../../platform/http/server/envelope.ts'
import { id, query } from '../../../platform/http/server/schemas.ts'
import { examInScope } from '../../exams/server/routes/examination.ts'
import { stagesOf } from '../../results/server/marks.ts'
import { byPayState, bySex, byType, type Measure, signUpLine } from './charts.ts'
import { type Caller, mostLines } from './people.ts'
import { type PositionFilter, positionFigures, unitTree } from './positions.ts'
import { figuresSheet } from './sheet.ts'

const base = '/api/blade-signup/statistics'
const page = { access: { permission: ['statistics', 'statistics_screen'] } } as const
/** Finance sees how payments stand, and the stages that narrow it down; figures of sign-ups are none of its business. */
const payPage = { access: { permission: ['statistics', 'statistics_screen', 'pay_statistics'] } } as const
const sheet = { access: { permission: 'statistics_export' } } as const

/** An id that may be left empty. */
const maybeId = { type: 'string', pattern: '^([1-9][0-9]{0,18})?$' } as const
const word = { type: 'string', maxLength: 30 } as const
const limit = { type: 'integer', minimum: 0, maximum: 1_000_000 } as const

/** The first lines of a figure: as many as asked for, 500 at most; 0 or nothing asks for all. */
const top = <T>(lines: readonly T[], { limit: most }: Filter): readonly T[] =>
  most ? lines.slice(0, Math.min(most, mostLines)) : lines

interface Filter {
  examId: string
  item?: string
  unit?: string
  code?: string
  limit?: number
  step?: 'day' | 'hour'
}
type Asked = FastifyRequest<{ Querystring: Filter }>

/** Who asks, of an exam in his scope. @throws exams.notFound */
async function askerOf(app: FastifyInstance, request: Asked): Promise<Caller & { examName: string }> {
  const exam = await examInScope(request, request.query.examId)
  return { app, person: person(request), examId: exam.id, tenantId: exam.tenantId, examName: exam.examName }
}

const filterOf = ({ item, unit, code, limit: most }: Filter): PositionFilter => ({ item, unit, code, limit: most })

/** Figures of an exam: per position, per type, per day, per sex, per state of payment. */
const statisticsRoutes: FastifyPluginAsync = async app => {
  positions(app)
  types(app)
  others(app)
}

export default statisticsRoutes

function positions(app: FastifyInstance): void {
  const schema = query({ examId: id, item: maybeId, unit: word, code: word, limit }, ['examId'])
  app.get(`${base}/getStatisticsInfo`, { config: page, schema }, async (request: Asked) => {
    const now = app.now()
    const { rows, total } = await positionFigures(await askerOf(app, request), filterOf(request.query))
    return ok([...rows, { ...total, time: now }])
  })
  app.get(`${base}/statisticsInfoExcel`, { config: sheet, schema }, async (request: Asked, reply) => {
    const asker = await askerOf(app, request)
    const now = app.now()
    const book = figuresSheet(
      await positionFigures(asker, filterOf(request.query)),
      asker.examName,
      person(request),
      now,
    )
    return reply
      .type('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
      .header('content-disposition', disposition(`${asker.examName}-报名统计.xlsx`))
      .send(book)
  })
}

/** One number per type, by the name of the call. */
const measures: Record<string, Measure> = {
  getZpjhForType: 'plan',
  getBmrsForType: 'bmrs',
  getWshrsByType: 'wshrs',
  getShtgrsByType: 'shtgrs',
}

function types(app: FastifyInstance): void {
  const schema = query({ examId: id, limit }, ['examId'])
  for (const [name, measure] of Object.entries(measures))
    app.get(`${base}/${name}`, { config: page, schema }, async (request: Asked) =>
      ok(top(await byType(await askerOf(app, request), measure), request.query)),
    )
  app.get(`${base}/getExamUnitAndCode`, { config: page, schema }, async (request: Asked) =>
    ok(top(await unitTree(await askerOf(app, request)), request.query)),
  )
  app.get(`${base}/getExamItemByExamId`, { config: payPage, schema }, async (request: Asked) => {
    const { examId } = await askerOf(app, request)
    const stages = await stagesOf(app.db, examId)
    const lines = stages.map(({ id: itemId, itemName, itemType }) => ({ itemId, itemName, itemType }))
    return ok(top(lines, request.query))
  })
}

function others(app: FastifyInstance): void {
  const some = query({ examId: id, unit: word, code: word, limit }, ['examId'])
  app.get(`${base}/getSexStatisticsInfo`, { config: page, schema: some }, async (request: Asked) => {
    return ok(top(await bySex(await askerOf(app, request), request.query), request.query))
  })
  const line = query({ examId: id, limit, step: { type: 'string', enum: ['day', 'hour'] } }, ['examId'])
  app.get(`${base}/getNumToLine`, { config: page, schema: line }, async (request: Asked) =>
    ok(await signUpLine(await askerOf(app, request), request.query.step ?? 'day', request.query.limit)),
  )
  const pay = query({ examId: id, item: maybeId, limit }, ['examId'])
  app.get(`${base}/getPayByState`, { config: payPage, schema: pay }, async (request: Asked) => {
    return ok(top(await byPayState(await askerOf(app, request), request.query.item), request.query))
  })
}
