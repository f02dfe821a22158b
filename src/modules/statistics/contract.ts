import {
  type AnswerOf,
  count,
  dateTime,
  download,
  endpoint,
  flag,
  group,
  id,
  integer,
  list,
  maybe,
  money,
  optional,
  pick,
  real,
  sometimes,
  text,
  type ValuesOf,
  type Wire,
  words,
} from '#engine'
import { Examinationitem } from '#schemas/exams/examinationitem'
import { Examitems } from '#schemas/exams/examitems'
import { Payrecord } from '#schemas/payment/payrecord'

const screens = ['statistics', 'statistics_screen'] as const
/** Finance sees how payments stand, and the stages that narrow it down; figures of sign-ups are none of its business. */
const paying = ['statistics', 'statistics_screen', 'pay_statistics'] as const

/** The first lines, so many of them; 0 or none asks for all. */
const limit = optional(integer('条数', { minimum: 0, maximum: 1_000_000 }))
const unit = optional(text('招聘单位', { maxLength: 30 }))
const code = optional(text('岗位代码', { maxLength: 30 }))
const item = sometimes(maybe(id('考试项目')))
const examId = id('考试')

/** How many handed in, where they stand in review, and who paid. The five after the first add up to it. */
const figures = {
  bmrs: count('报名人数'),
  wshrs: count('未审核'),
  shtgrs: count('审核通过'),
  shbtgrs: count('审核不通过'),
  thrs: count('退回修改'),
  fszrs: count('复审中'),
  jfrs: count('缴费人数'),
}

/** Figures of a position; the last line of a list is their sum, without a code and with the time of counting. */
const positionLineShape = group({
  unit: text('招聘单位'),
  unitName: text('招聘单位名称'),
  type: text('岗位类别'),
  typeName: text('岗位类别名称'),
  ...pick(Examitems, 'code', 'postName', 'planNum', 'curPlanNum').of,
  ...figures,
  openRatio: text('开考比例'),
  ratio: text('实际比例'),
  reach: maybe(flag('达到开考比例')),
  time: sometimes(dateTime('统计时间')),
})

/** Figures per position. */
export const positionFigures = endpoint('statistics.positions', 'GET /blade-signup/statistics/getStatisticsInfo', {
  title: '报名统计：岗位',
  access: screens,
  query: { examId, item, unit, code, limit },
  answer: list(positionLineShape),
})

/** The same as a workbook. */
export const positionSheet = endpoint('statistics.sheet', 'GET /blade-signup/statistics/statisticsInfoExcel', {
  title: '报名统计：导出',
  access: ['statistics_export'],
  query: { examId, item, unit, code, limit },
  answer: download('xlsx'),
})

const typeLineShape = group({ type: text('岗位类别'), typeName: text('岗位类别名称'), num: count('人数') })
const ofTypes = { access: screens, query: { examId, limit }, answer: list(typeLineShape) } as const

/** Places planned per type of position. */
export const plannedByType = endpoint('statistics.plannedByType', 'GET /blade-signup/statistics/getZpjhForType', {
  title: '报名统计：各类别招聘计划数',
  ...ofTypes,
})

/** Sign-ups handed in per type. */
export const signedByType = endpoint('statistics.signedByType', 'GET /blade-signup/statistics/getBmrsForType', {
  title: '报名统计：各类别报名人数',
  ...ofTypes,
})

/** Sign-ups not reviewed per type. */
export const waitingByType = endpoint('statistics.waitingByType', 'GET /blade-signup/statistics/getWshrsByType', {
  title: '报名统计：各类别未审核人数',
  ...ofTypes,
})

/** Sign-ups that passed review per type. */
export const passedByType = endpoint('statistics.passedByType', 'GET /blade-signup/statistics/getShtgrsByType', {
  title: '报名统计：各类别审核通过人数',
  ...ofTypes,
})

/** The recruiting units of an exam with their positions. */
export const unitTree = endpoint('statistics.units', 'GET /blade-signup/statistics/getExamUnitAndCode', {
  title: '报名统计：单位和岗位',
  access: screens,
  query: { examId, limit },
  answer: list(
    group({
      unit: text('招聘单位'),
      unitName: text('招聘单位名称'),
      codes: list(pick(Examitems, 'code', 'postName')),
    }),
  ),
})

/** The stages of an exam. */
export const stagesOfExam = endpoint('statistics.stages', 'GET /blade-signup/statistics/getExamItemByExamId', {
  title: '报名统计：考试项目',
  access: paying,
  query: { examId, limit },
  answer: list(group({ itemId: id('考试项目'), ...pick(Examinationitem, 'itemName', 'itemType').of })),
})

/** Sign-ups by sex, of all or of some positions. */
export const figuresBySex = endpoint('statistics.sexes', 'GET /blade-signup/statistics/getSexStatisticsInfo', {
  title: '报名统计：性别',
  access: screens,
  query: { examId, unit, code, limit },
  answer: list(group({ sex: words('性别', 1, 2, 3), num: count('人数'), percent: real('百分比') })),
})

/** A day or an hour: sign-ups of it, and all so far at its end. */
export const timeLineShape = group({ time: text('时间'), num: count('新增人数'), total: count('累计人数') })

/** Sign-ups over time. */
export const figuresByTime = endpoint('statistics.line', 'GET /blade-signup/statistics/getNumToLine', {
  title: '报名统计：趋势',
  access: screens,
  query: { examId, limit, step: sometimes(words('步长', 'day', 'hour')) },
  answer: list(timeLineShape),
})

/** Pay records by state with their sums. */
export const figuresOfPayment = endpoint('statistics.payments', 'GET /blade-signup/statistics/getPayByState', {
  title: '报名统计：缴费',
  access: paying,
  query: { examId, item, limit },
  answer: list(
    group({
      ...pick(Payrecord, 'payState').of,
      label: text('缴费状态名称'),
      num: count('人数'),
      amount: money('金额'),
    }),
  ),
})

/** A line of the figures per position. */
export type PositionLine = Wire<typeof positionLineShape>
/** One type with its number. */
export type TypeLine = Wire<typeof typeLineShape>
/** A day or an hour. */
export type LinePoint = Wire<typeof timeLineShape>
/** One state of payment; the amount in fen. */
export type PayLine = AnswerOf<typeof figuresOfPayment>[number]
/** What narrows the figures per position down. */
export type Narrowing = Omit<ValuesOf<typeof positionFigures>, 'examId'>
