import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import { workbookType } from '../../../crud/export-kind.ts'
import { person } from '../../../platform/http/server/access.ts'
import { disposition } from '../../../platform/http/server/disposition.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { serve } from '../../../platform/http/server/serve.ts'
import { examInScope } from '../../exams/server/routes/examination.ts'
import { stagesOf } from '../../results/server/marks.ts'
import {
  figuresBySex,
  figuresByTime,
  figuresOfPayment,
  passedByType,
  plannedByType,
  positionFigures,
  positionSheet,
  signedByType,
  stagesOfExam,
  unitTree,
  waitingByType,
} from '../contract.ts'
import { byPayState, bySex, byType, signUpLine } from './charts.ts'
import { type Caller, mostLines } from './people.ts'
import { figuresOf, unitsOf } from './positions.ts'
import { figuresSheet } from './sheet.ts'

/** The first lines of a figure: as many as asked for, 500 at most; 0 or nothing asks for all. */
const top = <T>(lines: readonly T[], { limit: most }: { readonly limit?: number | undefined }): readonly T[] =>
  most ? lines.slice(0, Math.min(most, mostLines)) : lines

/** Who asks, of an exam in scope. @throws exams.notFound */
async function askerOf(request: FastifyRequest, examId: string): Promise<Caller & { examName: string }> {
  const exam = await examInScope(request, examId)
  const { id, examName } = exam
  const db = liveAs(request.server, person(request))
  return { app: request.server, db, person: person(request), examId: id, examName }
}

/** Figures of an exam: per position, per type, per day, per sex, per state of payment. */
const statisticsRoutes: FastifyPluginAsync = async app => {
  positions(app)
  types(app)
  others(app)
}

export default statisticsRoutes

function positions(app: FastifyInstance): void {
  serve(app, positionFigures, async ({ query, request }) => {
    const now = app.now()
    const { rows, total } = await figuresOf(await askerOf(request, query.examId), query)
    return [...rows, { ...total, time: now }]
  })
  serve(app, positionSheet, async ({ query, request, reply }) => {
    const asker = await askerOf(request, query.examId)
    const now = app.now()
    const book = figuresSheet(await figuresOf(asker, query), asker.examName, person(request), now)
    return reply
      .type(workbookType)
      .header('content-disposition', disposition(`${asker.examName}-报名统计.xlsx`))
      .send(book)
  })
}

/** What is counted per type, by its call. */
const measures = [
  [plannedByType, 'plan'],
  [signedByType, 'bmrs'],
  [waitingByType, 'wshrs'],
  [passedByType, 'shtgrs'],
] as const

function types(app: FastifyInstance): void {
  for (const [endpoint, measure] of measures)
    serve(app, endpoint, async ({ query, request }) =>
      top(await byType(await askerOf(request, query.examId), measure), query),
    )
  serve(app, unitTree, async ({ query, request }) => top(await unitsOf(await askerOf(request, query.examId)), query))
  serve(app, stagesOfExam, async ({ query, request }) => {
    const { examId } = await askerOf(request, query.examId)
    const stages = await stagesOf(liveAs(app, person(request)), examId)
    const lines = stages.map(({ id: itemId, itemName, itemType }) => ({ itemId, itemName, itemType }))
    return top(lines, query)
  })
}

function others(app: FastifyInstance): void {
  serve(app, figuresBySex, async ({ query, request }) =>
    top(await bySex(await askerOf(request, query.examId), query), query),
  )
  serve(app, figuresByTime, async ({ query, request }) =>
    signUpLine(await askerOf(request, query.examId), query.step ?? 'day', query.limit),
  )
  serve(app, figuresOfPayment, async ({ query, request }) =>
    top(await byPayState(await askerOf(request, query.examId), query.item), query),
  )
}
