import type { FastifyInstance, FastifyPluginAsync, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { answerSheet, asCounts } from '../../../../crud/sheet-take.ts'
import { receiveSheet, sendSheet } from '../../../../crud/sheet-work.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { disposition } from '../../../../platform/http/server/disposition.ts'
import { messageFor, ok } from '../../../../platform/http/server/envelope.ts'
import { oneSheet } from '../../../../platform/http/server/form.ts'
import { liveAs } from '../../../../platform/http/server/live.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { readTime } from '../../../../platform/http/server/wire.ts'
import { actorOf, examInScope, idOf, textOf, valuesOf } from '../../../exams/server/routes/examination.ts'
import { stageInScope } from '../../../tickets/server/routes/allot.ts'
import { stageOf } from '../../../tickets/server/stage.ts'
import { deleteResult } from '../clear.ts'
import { finalList, makeNext } from '../final.ts'
import { resultSheetRules } from '../import.ts'
import { recallResult, releaseResult } from '../release.ts'
import { releaseDueResults, scheduleRelease } from '../schedule.ts'
import { resultStages } from '../stages.ts'
import { appealRoutes } from './appeal.ts'
import { finalPrint } from './final-print.ts'
import { finalSheet } from './final-sheet.ts'

/** The calls answer below the exam, where clients of this wire look for them, and below the resource itself. */
const own = '/api/blade-result/result'
const places = ['/api/blade-exam/examination', own] as const

const may = (permission: string | readonly string[]) => ({ config: { access: { permission } } })

/** The reason of an act. @throws input.invalid when it is longer than its column */
function reasonOf(values: Record<string, unknown>): string {
  const reason = textOf(values, 'reason')
  if (reason.length > 200) throw refuse('input.invalid', { 说明: '原因最多 200 字' })
  return reason
}

/** Results of stages: sheet, import, release, recall, final list. */
const resultRoutes: FastifyPluginAsync = async app => {
  for (const base of places) {
    reads(app, base)
    sheets(app, base)
    acts(app, base)
  }
  await appealRoutes(app)
  app.jobs.every(10, 'scheduled results', () => releaseDueResults(app))
}

export default resultRoutes

function reads(app: FastifyInstance, base: string): void {
  const exam = (request: FastifyRequest) => examInScope(request, idOf(valuesOf(request), 'examId'), 'result')
  app.get(`${base}/getResultStages`, may(['result', 'result_final']), async request =>
    ok(
      await resultStages(app.db, (await exam(request)).id, {
        userId: person(request).userId,
        now: app.now(),
        inWords: refusal => messageFor(request, refusal),
      }),
    ),
  )
  app.get(`${base}/finalList`, may('result_final'), async request =>
    ok(await finalList(liveAs(app, person(request)), await exam(request))),
  )
  app.get(`${base}/exportFinalList`, may('result_final_export'), async (request, reply) => {
    const { id, examName } = await exam(request)
    const sheet = finalSheet(await finalList(liveAs(app, person(request)), { id }), person(request), app.now())
    return reply
      .type('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
      .header('content-disposition', disposition(`${examName}-总成绩.xlsx`))
      .send(sheet)
  })
  const print = { config: { ...may('result_final_export').config, work: 'print' as const } }
  app.get(`${base}/printFinalList`, print, async (request, reply) => {
    const { id, tenantId, examName } = await exam(request)
    const pdf = await finalPrint(app, liveAs(app, person(request)), { id, tenantId, examName })
    return reply
      .type('application/pdf')
      .header('content-disposition', disposition(`${examName}-入围名单.pdf`))
      .send(pdf)
  })
}

function sheets(app: FastifyInstance, base: string): void {
  const template: RouteHandlerMethod = async (request, reply) => {
    const stage = await stageOf(app.db, await stageInScope(request, 'result'))
    if (!stage) throw refuse('row.notFound')
    const as = { file: `${stage.itemName}成绩.xlsx`, title: stage.itemName }
    return sendSheet(request, reply, resultSheetRules, { itemId: stage.id }, as)
  }
  const take: RouteHandlerMethod = async request => {
    const itemId = await stageInScope(request, 'result')
    const outcome = await receiveSheet(request, resultSheetRules, { itemId })
    return ok(answerSheet(outcome, asCounts(outcome)))
  }
  const access = may('result_import')
  const takes = { config: { ...access.config, form: oneSheet } }
  app.route({ method: ['GET', 'POST'], url: `${base}/getResultTemplate`, ...access, handler: template })
  app.post(`${base}/importResult`, takes, take)
  if (base !== own) return
  // In place of the generated import, which knows neither the stage nor its people.
  app.get(`${base}/template`, access, template)
  app.post(`${base}/import`, takes, take)
}

function acts(app: FastifyInstance, base: string): void {
  app.post(`${base}/releaseResult`, may('result_release'), async request => {
    const values = valuesOf(request)
    const itemId = await stageInScope(request, 'result')
    const mover = actorOf(request)
    if (!textOf(values, 'releaseTime'))
      return ok({ ...(await releaseResult(app.db, itemId, mover, reasonOf(values))), scheduled: 0 })
    const at = readTime(textOf(values, 'releaseTime'))
    if (!at) throw refuse('input.invalid', { 说明: '定时发布时间不正确' })
    await scheduleRelease(app.db, itemId, mover, reasonOf(values), at)
    return ok({ num: 0, scheduled: 1 })
  })
  app.post(`${base}/recallResult`, may('result_release'), async request => {
    const itemId = await stageInScope(request, 'result')
    return ok({ num: await recallResult(app.db, itemId, actorOf(request), reasonOf(valuesOf(request))) })
  })
  app.post(`${base}/deleteResult`, may('result_delete'), async request =>
    ok({ num: await deleteResult(app.db, await stageInScope(request, 'result'), actorOf(request)) }),
  )
  app.post(`${base}/makeNext`, may('result_next'), async request =>
    ok(await makeNext(app.db, await stageInScope(request, 'result'), actorOf(request))),
  )
}
