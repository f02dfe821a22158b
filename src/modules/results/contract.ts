import {
  type AnswerOf,
  count,
  dateTime,
  dict,
  download,
  endpoint,
  flag,
  group,
  id,
  list,
  maybe,
  optional,
  pageOf,
  paging,
  pick,
  sheetCountsShape,
  sheetUpload,
  sometimes,
  text,
  truth,
  type Wire,
  words,
} from '#engine'
import { importMode } from '#schemas/dictionaries'
import { Examination } from '#schemas/exams/examination'
import { Examinationitem } from '#schemas/exams/examinationitem'
import { Examitems } from '#schemas/exams/examitems'
import { Promotion } from '#schemas/results/promotion'
import { Result } from '#schemas/results/result'
import { Resultappeal } from '#schemas/results/resultappeal'
import { Signup } from '#schemas/sign-up/signup'

const examId = id('考试')
const itemId = id('考试项目')
const signupId = id('报名')

/** The last operation on the results of a stage, or a scheduled release: then `time` is empty. */
const moveShape = group({
  itemId,
  kind: words('操作', 'release', 'recall', 'delete', 'next'),
  reason: text('原因'),
  num: count('成绩数'),
  time: maybe(dateTime('操作时间')),
  dueTime: maybe(dateTime('定时发布时间')),
  problem: text('定时发布失败的原因'),
  userName: maybe(text('操作人')),
})

/** A stage and the state of its results. */
const resultStageShape = group({
  itemId,
  ...pick(Examinationitem, 'itemName', 'itemType', 'fullScore', 'passScore', 'resultRelease', 'needTicket').of,
  people: count('应有成绩人数'),
  // Neither a score nor a mark that says why; those who have no row yet among them.
  missing: count('尚缺成绩的人数'),
  results: count('已有成绩数'),
  absent: count('缺考人数'),
  cheated: count('违纪人数'),
  next: count('入围人数'),
  // Whoever changed a score of a recalled stage does not release it.
  changedByMe: truth('撤回后本人是否改过成绩'),
  last: maybe(moveShape),
  // In words; empty when it is not too early.
  block: group({ enter: text('不能录入的原因'), release: text('不能发布的原因') }),
  earlyUntil: maybe(dateTime('此前发布属于提前发布')),
  // Who has asked for an early release.
  early: maybe(
    group({
      itemId,
      userId: id('提出人'),
      reason: text('原因'),
      time: dateTime('提出时间'),
      userName: maybe(text('提出人姓名')),
    }),
  ),
})

/** The stages of an exam with the state of their results. */
export const stagesWithResults = endpoint('results.stages', 'GET /blade-exam/examination/getResultStages', {
  title: '成绩：考试项目',
  access: ['result', 'result_final'],
  also: ['GET /blade-result/result/getResultStages'],
  values: { examId },
  answer: list(resultStageShape),
})

const finalRowShape = group({
  signupId,
  ...pick(Signup, 'name', 'signNo').of,
  ...pick(Result, 'code', 'totalScore', 'rankNo').of,
  // 0 for whoever was struck off or gave up.
  runs: flag('是否有效考生'),
  results: list(
    group({
      ...pick(Result, 'itemId', 'ticketNo', 'score', 'addScore', 'resultFlag', 'rankNo', 'isPass', 'isNext').of,
      ...pick(Result, 'confirmStatus').of,
      isPromoted: truth('是否递补'),
      awaitsAnswer: truth('是否待确认'),
    }),
  ),
})

const finalPositionShape = group({
  ...pick(Examitems, 'code', 'unit', 'type', 'postName', 'planNum', 'curPlanNum').of,
  unitName: text('招聘单位名称'),
  typeName: text('岗位类别名称'),
  shares: list(group({ itemId, ...pick(Examinationitem, 'weight').of })),
  rows: list(finalRowShape),
})

/** Totals and ranks of an exam, position by position, the best first. */
export const finalPeople = endpoint('results.final', 'GET /blade-exam/examination/finalList', {
  title: '成绩：入围与总成绩',
  access: ['result_final'],
  also: ['GET /blade-result/result/finalList'],
  values: { examId },
  answer: group({
    stages: list(group({ itemId, ...pick(Examinationitem, 'itemName', 'itemType', 'resultRelease').of })),
    positions: list(finalPositionShape),
  }),
})

/** That list as a workbook. */
export const finalWorkbook = endpoint('results.exportFinal', 'GET /blade-exam/examination/exportFinalList', {
  title: '成绩：导出总成绩',
  access: ['result_final_export'],
  also: ['GET /blade-result/result/exportFinalList'],
  values: { examId },
  answer: download('xlsx'),
})

/** That list as it is posted, without people out of the running. */
export const finalDocument = endpoint('results.printFinal', 'GET /blade-exam/examination/printFinalList', {
  title: '成绩：打印入围名单',
  access: ['result_final_export'],
  also: ['GET /blade-result/result/printFinalList'],
  work: 'print',
  values: { examId },
  answer: download('pdf'),
})

/** The workbook for the results of a stage, with everybody who is to have one. */
export const resultTemplate = endpoint('results.template', 'GET /blade-exam/examination/getResultTemplate', {
  title: '成绩：导入模板',
  access: ['result_import'],
  also: [
    'POST /blade-exam/examination/getResultTemplate',
    'GET /blade-result/result/getResultTemplate',
    'POST /blade-result/result/getResultTemplate',
    'GET /blade-result/result/template',
  ],
  values: { itemId },
  answer: download('xlsx'),
})

/** Takes the filled-in workbook. */
export const importResults = endpoint('results.import', 'POST /blade-exam/examination/importResult', {
  title: '成绩：导入',
  access: ['result_import'],
  also: ['POST /blade-result/result/importResult', 'POST /blade-result/result/import'],
  upload: sheetUpload,
  work: 'import',
  values: { itemId, mode: dict('导入方式', importMode) },
  answer: sheetCountsShape,
})

/** Releases the results of a stage, at once or at a time. */
export const releaseResults = endpoint('results.release', 'POST /blade-exam/examination/releaseResult', {
  title: '成绩：发布成绩',
  access: ['result_release'],
  also: ['POST /blade-result/result/releaseResult'],
  values: { itemId, reason: optional(text('原因')), releaseTime: optional(text('定时发布时间')) },
  answer: group({
    num: count('发布成绩数'),
    // Said when a second person is waited for.
    message: sometimes(text('说明')),
    scheduled: flag('是否定时发布'),
  }),
})

/** Recalls the results of a stage, or cancels a scheduled release. */
export const recallResults = endpoint('results.recall', 'POST /blade-exam/examination/recallResult', {
  title: '成绩：撤回成绩',
  access: ['result_release'],
  also: ['POST /blade-result/result/recallResult'],
  values: { itemId, reason: text('撤回原因') },
  answer: group({ num: count('撤回成绩数') }),
})

/** Removes the results of a stage that are not released. */
export const clearResults = endpoint('results.clear', 'POST /blade-exam/examination/deleteResult', {
  title: '成绩：清空未发布成绩',
  access: ['result_delete'],
  also: ['POST /blade-result/result/deleteResult'],
  values: { itemId },
  answer: group({ num: count('清空成绩数') }),
})

/** Takes whoever dropped out off the shortlist of a stage. */
export const renewNext = endpoint('results.next', 'POST /blade-exam/examination/makeNext', {
  title: '成绩：生成入围',
  access: ['result_next'],
  also: ['POST /blade-result/result/makeNext'],
  values: { itemId },
  answer: group({
    num: count('入围人数'),
    changed: count('变化人数'),
    entrants: list(
      group({
        ...pick(Signup, 'name').of,
        ...pick(Result, 'signupId', 'ticketNo', 'code', 'score', 'rankNo').of,
      }),
    ),
  }),
})

const vacancyShape = group({
  ...pick(Examination, 'examName').of,
  ...pick(Examinationitem, 'examId', 'itemName').of,
  ...pick(Examitems, 'unit', 'code', 'postName').of,
  itemId,
  places: count('入围名额'),
  held: count('在列人数'),
  waiting: count('可递补人数'),
})

/** Positions with places on a shortlist that somebody left and another one can have. */
export const vacancies = endpoint('results.vacancies', 'GET /blade-result/promotion/vacancies', {
  title: '递补：空缺',
  access: ['result_vacancy'],
  query: { ...paging, examId: sometimes(examId) },
  answer: pageOf(vacancyShape),
})

const positionOf = { itemId, code: Examitems.properties.code }

/** Who moves up to the free places of a position, whom they follow, and what comes of it. */
export const vacancyPreview = endpoint('results.vacancy', 'GET /blade-result/promotion/preview', {
  title: '递补：预览',
  access: ['result_promote'],
  query: positionOf,
  answer: group({
    places: count('入围名额'),
    held: count('在列人数'),
    free: count('空缺人数'),
    left: list(
      group({
        ...pick(Result, 'signupId', 'name', 'ticketNo').of,
        cause: words('原因', 'struck', 'withdrawn', 'declined', 'missed', 'failed'),
      }),
    ),
    next: list(pick(Result, 'signupId', 'name', 'ticketNo', 'score', 'totalScore', 'rankNo')),
    charged: list(text('须缴费的项目')),
    until: dateTime('建议的确认截止'),
  }),
})

/** Asks that the next in rank move up; another person confirms it. */
export const promote = endpoint('results.promote', 'POST /blade-result/promotion/ask', {
  title: '递补：提出',
  access: ['result_promote'],
  body: {
    ...positionOf,
    ...pick(Promotion, 'reason', 'until').of,
    // Those who were shown: others are refused.
    signupIds: list(signupId),
  },
  answer: group({ id: id('递补'), num: count('递补人数') }),
})

const ownAppealShape = group({
  id: id('成绩复核申请'),
  ...pick(Resultappeal, 'reason', 'appealStatus', 'reply', 'handleTime').of,
  createTime: dateTime('申请时间'),
})

const ownScoreShape = group({
  id: id('成绩'),
  ...pick(Result, 'examId', 'itemId', 'unit', 'code', 'ticketNo', 'releaseTime').of,
  ...pick(Examination, 'examName', 'appealEndTime').of,
  ...pick(Examinationitem, 'itemName', 'fullScore').of,
  ...pick(Result, 'score', 'addScore', 'totalScore', 'resultFlag', 'rankNo', 'isPass', 'isNext').of,
  ...pick(Result, 'confirmStatus', 'confirmTime').of,
  confirmEnd: maybe(dateTime('确认截止')),
  isPromoted: truth('是否递补'),
  canConfirm: truth('能否确认入围'),
  unitName: text('招聘单位名称'),
  postName: maybe(text('岗位名称')),
  canAppeal: truth('能否申请复核'),
  serverTime: dateTime('服务器时间'),
  appealBlock: text('不能申请复核的原因'),
  appeal: maybe(ownAppealShape),
})

/** The caller's own released results, the newest exam first. */
export const ownScores = endpoint('results.own', 'GET /blade-signup/score/getExamScore', {
  title: '成绩：本人的成绩',
  access: 'signed-in',
  query: { examId: sometimes(examId) },
  answer: list(ownScoreShape),
})

/** Takes or declines the caller's place on the shortlist of a stage, once. */
export const confirmShortlist = endpoint('results.confirm', 'POST /blade-signup/signup/confirm', {
  title: '成绩：确认入围',
  access: 'candidate',
  body: { itemId, yes: truth('是否参加后续环节') },
})

/** Appeals against the caller's own result, once. */
export const submitAppeal = endpoint('results.appeal', 'POST /blade-result/resultappeal/submit', {
  title: '成绩复核申请：提交',
  access: 'candidate',
  body: { resultId: id('成绩'), reason: text('申请理由', { minLength: 1, maxLength: 500 }) },
  answer: group({ id: id('成绩复核申请') }),
})

/** Withdraws the caller's own appeal. */
export const takeBackAppeal = endpoint('results.takeBackAppeal', 'POST /blade-result/resultappeal/withdraw', {
  title: '成绩复核申请：撤回',
  access: 'candidate',
  body: { id: id('成绩复核申请') },
})

/** The last operation on the results of a stage. */
export type Move = Wire<typeof moveShape>
/** A stage and the state of its results. */
export type ResultStage = Wire<typeof resultStageShape>
/** The final list of an exam. */
export type FinalList = AnswerOf<typeof finalPeople>
/** A position with its people, the best first. */
export type FinalPosition = Wire<typeof finalPositionShape>
/** One person in the final list. */
export type FinalRow = Wire<typeof finalRowShape>
/** A position with free places on a shortlist. */
export type Vacancy = Wire<typeof vacancyShape>
/** What a promotion would do. */
export type VacancyPreview = AnswerOf<typeof vacancyPreview>
/** A released score of a candidate. */
export type Score = Wire<typeof ownScoreShape>
/** An appeal of a candidate against a score. */
export type Appeal = Wire<typeof ownAppealShape>
