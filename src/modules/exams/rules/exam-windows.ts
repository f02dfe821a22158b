import { ReduceBase } from '#schemas/dictionaries/sign-up'
import type { ExamTimes, Moment } from './exam-phase.ts'

/** A time that does not fit: the field to mark and the sentence to show. */
export interface WindowProblem {
  field: string
  msg: string
}

/** A field that holds a time of an exam. */
export type TimeField = Exclude<keyof ExamTimes, 'examStatus' | 'allowAdjust' | 'needPay' | 'graceSeconds'>

/** What the times of an exam are called in sentences. */
export const timeNames: Readonly<Record<TimeField, string>> = {
  signStartTime: '报名开始时间',
  signEndTime: '报名结束时间',
  modifyEndTime: '补正截止时间',
  examineEndTime: '审核截止时间',
  reduceStartTime: '改报开始时间',
  reduceEndTime: '改报结束时间',
  payStartTime: '缴费开始时间',
  payEndTime: '缴费结束时间',
  ticketStartTime: '准考证下载开始',
  ticketEndTime: '准考证下载结束',
  examStartTime: '考试开始时间',
  examEndTime: '考试结束时间',
  resultTime: '成绩查询开始时间',
  resultEndTime: '成绩查询结束时间',
  appealEndTime: '复核/申诉截止',
  publicityStart: '公示开始时间',
  publicityEnd: '公示结束时间',
}

/** `earlier` must come before `later`: strictly, or at the same moment at the latest. */
type Order = readonly [earlier: TimeField, relation: '<' | '<=', later: TimeField]

const always: readonly Order[] = [
  ['signStartTime', '<', 'signEndTime'],
  ['signEndTime', '<=', 'modifyEndTime'],
  ['modifyEndTime', '<=', 'examineEndTime'],
  ['ticketStartTime', '<', 'ticketEndTime'],
  ['examStartTime', '<', 'examEndTime'],
  ['examEndTime', '<=', 'resultTime'],
  ['resultTime', '<', 'resultEndTime'],
  ['resultTime', '<', 'appealEndTime'],
  ['publicityStart', '<', 'publicityEnd'],
]
const adjusting: readonly Order[] = [
  ['signEndTime', '<=', 'reduceStartTime'],
  ['reduceStartTime', '<', 'reduceEndTime'],
]
const paying: readonly Order[] = [['payStartTime', '<', 'payEndTime']]
const needed: readonly TimeField[] = ['signStartTime', 'signEndTime', 'modifyEndTime', 'examineEndTime']

const asked = <T>(flag: number | null | undefined, list: readonly T[]): readonly T[] => (flag === 1 ? list : [])

function orderProblem(exam: ExamTimes, [earlier, relation, later]: Order): WindowProblem[] {
  const from = exam[earlier]
  const to = exam[later]
  if (!from || !to) return []
  const fits = relation === '<' ? from < to : from <= to
  const word = relation === '<' ? '应晚于' : '不能早于'
  return fits ? [] : [{ field: later, msg: `${timeNames[later]}${word}${timeNames[earlier]}` }]
}

/**
 * What is wrong with an exam's times (exams.timesInvalid); `firstStageStart` is when its first stage begins. Empty when
 * they hold.
 */
export function windowProblems(exam: ExamTimes, firstStageStart?: Moment): WindowProblem[] {
  const must = [...needed, ...asked(exam.needPay, ['payStartTime', 'payEndTime'] as const)]
  const missing = must.filter(field => !exam[field]).map(field => ({ field, msg: `请选择${timeNames[field]}` }))
  const orders = [...always, ...asked(exam.allowAdjust, adjusting), ...asked(exam.needPay, paying)]
  const wrong = orders.flatMap(order => orderProblem(exam, order))
  const early = exam.ticketEndTime && firstStageStart && exam.ticketEndTime < firstStageStart
  const ticket = early
    ? [{ field: 'ticketEndTime', msg: `${timeNames.ticketEndTime}不能早于首个考试项目开始时间` }]
    : []
  return [...missing, ...wrong, ...ticket]
}

/** What is allowed but seldom meant. */
export function windowWarnings(exam: ExamTimes & { reduceBase?: number | null }): WindowProblem[] {
  const overlap = exam.allowAdjust === 1 && exam.needPay === 1 && exam.reduceBase === ReduceBase.approved
  if (!overlap || !exam.reduceEndTime || !exam.payStartTime || exam.reduceEndTime <= exam.payStartTime) return []
  return [{ field: 'payStartTime', msg: '按审核通过人数核减时，建议改报结束后再开始缴费' }]
}

/** Beginnings of windows by the end they belong to, for telling a window that lies ahead. */
const beginnings: Partial<Record<TimeField, TimeField>> = {
  reduceStartTime: 'reduceStartTime',
  reduceEndTime: 'reduceStartTime',
  payStartTime: 'payStartTime',
  payEndTime: 'payStartTime',
  ticketStartTime: 'ticketStartTime',
  ticketEndTime: 'ticketStartTime',
  examStartTime: 'examStartTime',
  examEndTime: 'examStartTime',
  resultTime: 'resultTime',
  resultEndTime: 'resultTime',
  publicityStart: 'publicityStart',
  publicityEnd: 'publicityStart',
}

/** Texts that explain; they may always be corrected. */
const texts: ReadonlySet<string> = new Set(['shortName', 'examDesc', 'cover', 'contactPhone', 'picLabels', 'remark'])
/** How people are told, which nobody relies on. */
const telling: ReadonlySet<string> = new Set(['textDelay'])
/** Texts people agreed to: a new wording needs a new consent version. */
const agreed: ReadonlySet<string> = new Set(['signNotice', 'promise'])
/** Set by the server or checked elsewhere, so a changed value is no change of the exam's terms. */
const own: ReadonlySet<string> = new Set(['id', 'version', 'updateTime', 'updateUser', 'consentVersion'])

type Row = Readonly<Record<string, unknown>>

/** Decimals read `3.0000` from the table and `3` from the form. */
const plain = (value: unknown): string =>
  value === null || value === undefined || value === ''
    ? ''
    : value instanceof Date
      ? value.toISOString()
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value).replace(/^(-?\d+)(?:\.0+|(\.\d*?[1-9])0+)$/, '$1$2')

/** An end may move later, and a window that has not begun may move as a whole, but not into the past. */
function mayMove(field: string, from: unknown, to: unknown, before: Row, now: Date): boolean {
  if (!(field in timeNames) || !(to instanceof Date)) return false
  const isEnd = /End(Time)?$/.test(field)
  if (isEnd && from instanceof Date && to > from) return true
  const beginning = beginnings[field as TimeField]
  const begins = beginning && before[beginning]
  const ahead = beginning !== undefined && (!(begins instanceof Date) || begins > now)
  return ahead && to > now
}

/**
 * The fields of a released exam that may not change like this (exams.fieldsFixed). `after` holds the values that were
 * sent; a field it leaves out stays. Positions and stages have their own rules.
 */
export function forbiddenChanges(before: Row, after: Row, now: Date): string[] {
  const newConsent = plain(after.consentVersion ?? before.consentVersion) !== plain(before.consentVersion)
  return Object.keys(after).filter(field => {
    if (own.has(field) || texts.has(field) || telling.has(field) || plain(after[field]) === plain(before[field]))
      return false
    if (agreed.has(field)) return !newConsent
    return !mayMove(field, before[field], after[field], before, now)
  })
}

/** Whether a field holds a time of an exam. */
export const isTimeField = (field: string): field is TimeField => field in timeNames

/** The times of an exam that have become others. */
export const movedTimes = (before: Row, after: Row): TimeField[] =>
  Object.keys(timeNames)
    .filter(isTimeField)
    .filter(field => plain(before[field]) !== plain(after[field]))
