import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import { mediaTypes } from '#engine'
import { answerSheet, asCounts } from '../../../../crud/sheet-take.ts'
import { receiveSheet, sendSheet } from '../../../../crud/sheet-work.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { disposition } from '../../../../platform/http/server/disposition.ts'
import { messageFor } from '../../../../platform/http/server/envelope.ts'
import { liveAs } from '../../../../platform/http/server/live.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { readTime } from '../../../../platform/http/server/wire.ts'
import { actorOf, examInScope, idOf, textOf, type Values } from '../../../exams/server/routes/examination.ts'
import { stageInScope } from '../../../tickets/server/routes/allot.ts'
import { stageOf } from '../../../tickets/server/stage.ts'
import {
  clearResults,
  finalDocument,
  finalPeople,
  finalWorkbook,
  importResults,
  promote,
  recallResults,
  releaseResults,
  renewNext,
  resultTemplate,
  stagesWithResults,
  vacancies,
  vacancyPreview,
} from '../../contract.ts'
import { deleteResult } from '../clear.ts'
import { finalList, makeNext } from '../final.ts'
import { resultSheetRules } from '../import.ts'
import { askPromotion } from '../promote.ts'
import { recallResult, releaseResult } from '../release.ts'
import { releaseDueResults, scheduleRelease } from '../schedule.ts'
import { missDuePlaces } from '../shortlist.ts'
import { resultStages } from '../stages.ts'
import { vacanciesIn } from '../vacancies.ts'
import { previewVacancy } from '../vacancy.ts'
import { candidateRoutes } from './candidate.ts'
import { finalPrint } from './final-print.ts'
import { finalSheet } from './final-sheet.ts'

/** The reason of an act. @throws input.invalid when it is longer than its column */
function reasonOf(values: Values): string {
  const reason = textOf(values, 'reason')
  if (reason.length > 200) throw refuse('input.invalid', { 说明: '原因最多 200 字' })
  return reason
}

/** Results of stages: sheet, import, release, recall, final list. */
const resultRoutes: FastifyPluginAsync = async app => {
  readRoutes(app)
  sheetRoutes(app)
  actRoutes(app)
  promotionRoutes(app)
  candidateRoutes(app)
  app.jobs.every({ name: 'result-release', title: '定时发布成绩', seconds: 10, work: () => releaseDueResults(app) })
  app.jobs.every({
    name: 'shortlist-confirmation',
    title: '入围逾期未确认',
    seconds: 60,
    work: () => missDuePlaces(app),
  })
}

export default resultRoutes

const examOf = (request: FastifyRequest, values: Values) => examInScope(request, idOf(values, 'examId'), 'result')

function readRoutes(app: FastifyInstance): void {
  serve(app, stagesWithResults, async ({ values, request }) =>
    resultStages(liveAs(app, person(request)), (await examOf(request, values)).id, {
      userId: person(request).userId,
      now: app.now(),
      inWords: refusal => messageFor(request, refusal),
    }),
  )
  serve(app, finalPeople, async ({ values, request }) =>
    finalList(liveAs(app, person(request)), await examOf(request, values)),
  )
  serve(app, finalWorkbook, async ({ values, request, reply }) => {
    const { id, examName } = await examOf(request, values)
    const sheet = finalSheet(await finalList(liveAs(app, person(request)), { id }), person(request), app.now())
    return reply
      .type(mediaTypes.xlsx)
      .header('content-disposition', disposition(`${examName}-总成绩.xlsx`))
      .send(sheet)
  })
  serve(app, finalDocument, async ({ values, request, reply }) => {
    const { id, tenantId, examName } = await examOf(request, values)
    const pdf = await finalPrint(app, liveAs(app, person(request)), { id, tenantId, examName })
    return reply
      .type('application/pdf')
      .header('content-disposition', disposition(`${examName}-入围名单.pdf`))
      .send(pdf)
  })
}

function sheetRoutes(app: FastifyInstance): void {
  serve(app, resultTemplate, async ({ request, reply }) => {
    const stage = await stageOf(liveAs(app, person(request)), await stageInScope(request, 'result'))
    if (!stage) throw refuse('row.notFound')
    const as = { file: `${stage.itemName}成绩.xlsx`, title: stage.itemName }
    return sendSheet(request, reply, resultSheetRules, { itemId: stage.id }, as)
  })
  serve(app, importResults, async ({ request }) => {
    const itemId = await stageInScope(request, 'result')
    const outcome = await receiveSheet(request, resultSheetRules, { itemId })
    return answerSheet(outcome, asCounts(outcome))
  })
}

function actRoutes(app: FastifyInstance): void {
  serve(app, releaseResults, async ({ values, request }) => {
    const itemId = await stageInScope(request, 'result')
    const actor = actorOf(request)
    const db = liveAs(app, person(request))
    if (!textOf(values, 'releaseTime'))
      return { ...(await releaseResult(db, itemId, actor, reasonOf(values))), scheduled: 0 as const }
    const at = readTime(textOf(values, 'releaseTime'))
    if (!at) throw refuse('input.invalid', { 说明: '定时发布时间不正确' })
    await scheduleRelease(db, itemId, actor, reasonOf(values), at)
    return { num: 0, scheduled: 1 as const }
  })
  serve(app, recallResults, async ({ values, request }) => {
    const itemId = await stageInScope(request, 'result')
    return { num: await recallResult(liveAs(app, person(request)), itemId, actorOf(request), reasonOf(values)) }
  })
  serve(app, clearResults, async ({ request }) => ({
    num: await deleteResult(liveAs(app, person(request)), await stageInScope(request, 'result'), actorOf(request)),
  }))
  serve(app, renewNext, async ({ request }) =>
    makeNext(liveAs(app, person(request)), await stageInScope(request, 'result'), actorOf(request)),
  )
}

/** Free places of shortlists, and who moves up to them. */
function promotionRoutes(app: FastifyInstance): void {
  serve(app, vacancies, ({ query, request }) => vacanciesIn(app, person(request), query))
  serve(app, vacancyPreview, async ({ query, request }) =>
    previewVacancy(liveAs(app, person(request)), {
      itemId: await stageInScope(request, 'result'),
      code: query.code,
      now: app.now(),
    }),
  )
  serve(app, promote, async ({ body, request }) => {
    const itemId = await stageInScope(request, 'result')
    const until = readTime(body.until)
    if (!until) throw refuse('input.invalid', { 说明: '确认截止不正确' })
    return askPromotion(liveAs(app, person(request)), { ...body, itemId, until }, actorOf(request))
  })
}
