import { EnableStatus, ExamineMode, ExamRole } from '#schemas/dictionaries'
import type { Live } from '../../../platform/database/live.ts'
import { examWindows, isTimely } from '../rules/act-windows.ts'
import { isLive, stands } from '../rules/exam-staff.ts'
import { windowProblems } from '../rules/exam-windows.ts'
import { optionText } from '../rules/sign-text.ts'
import { loadDicts } from './candidate/dictionaries.ts'
import { linesOf } from './staff/lines.ts'
import { appointable } from './staff/people.ts'

/** One line of the list of what an exam needs before it may be released. */
export interface CheckLine {
  key: string
  /** What is asked, in words. */
  label: string
  ok: boolean
  /** What is missing and where to mend it; empty when all is well. */
  msg: string
}

/** Whoever may work on an exam now or later; an account out of use does nothing. */
async function staffOf(db: Live, examId: string, now: Date) {
  const lines = (await linesOf(db, examId)).filter(one => one.enable === 1 && isLive(one, now))
  const usable = await appointable(db, [...new Set(lines.map(one => one.userId))])
  return lines.filter(one => usable.has(one.userId))
}

/** What the list is read from: one exam with everything that refers to it. */
async function facts(db: Live, examId: string, now: Date) {
  const exam = await db.selectFrom('examination').selectAll().where('id', '=', examId).executeTakeFirst()
  if (!exam) return undefined
  const positions = await db
    .selectFrom('examitems')
    .select(['unit', 'code', 'planNum'])
    .where('examId', '=', examId)
    .where('enable', '=', 1)
    .execute()
  const stages = await db
    .selectFrom('examinationitem')
    .select(['itemName', 'startTime', 'endTime', 'needPay', 'fee', 'needSeat', 'needTicket'])
    .select(['ticketStartTime', 'ticketEndTime'])
    .where('examId', '=', examId)
    .where('itemStatus', '=', EnableStatus.enabled)
    .execute()
  const items = await db
    .selectFrom('examsignitems')
    .select('id')
    .where('examId', '=', examId)
    .where('enable', '=', 1)
    .execute()
  const files = await db
    .selectFrom('examsignfiles')
    .select('isPhoto')
    .where('examId', '=', examId)
    .where('enable', '=', 1)
    .execute()
  const dicts = await loadDicts(db, ['recruit_unit'])
  const staff = await staffOf(db, examId, now)
  return { exam, positions, stages, items, files, dicts, staff }
}

type Facts = NonNullable<Awaited<ReturnType<typeof facts>>>
type Position = Facts['positions'][number]

/** Who of a role looks after a position. An appointment without units, or without codes, stands for all of them. */
const membersFor = ({ staff }: Facts, role: number, position: Position): string[] =>
  staff.filter(one => one.examRole === role && stands(one, position)).map(one => one.userId)

/** Units in which a position is without somebody, in words. */
function unitsWithout(facts: Facts, has: (position: Position) => boolean): string[] {
  const units = facts.positions.filter(one => !has(one)).map(one => one.unit)
  return [...new Set(units)].map(unit => optionText(facts.dicts.recruit_unit, unit) || unit)
}

const filledIn = (html: string | null) => (html ?? '').replace(/<[^>]*>|&nbsp;|\s/g, '') !== ''

/** Reviewers, and for two-stage review re-reviewers, who are never somebody's only reviewer in both stages. */
function staffLines(facts: Facts): CheckLine[] {
  const first = unitsWithout(facts, position => membersFor(facts, 2, position).length > 0)
  const lines = [
    line(
      'reviewer',
      '每个招聘单位都有初审员',
      first.length === 0 && facts.staff.some(one => one.examRole === ExamRole.firstReviewer),
      `缺少初审员的单位：${first.join('、') || '全部'}`,
    ),
  ]
  if (facts.exam.examineMode !== ExamineMode.firstAndSecond) return lines
  const second = unitsWithout(facts, position => {
    const [ones, others] = [membersFor(facts, 2, position), membersFor(facts, 3, position)]
    return others.some(other => ones.length === 0 || ones.some(one => one !== other))
  })
  return [
    ...lines,
    line(
      'rechecker',
      '每个招聘单位都有复审员，且不是唯一的初审员',
      second.length === 0 && facts.staff.some(one => one.examRole === ExamRole.secondReviewer),
      `缺少复审员的单位：${second.join('、') || '全部'}`,
    ),
  ]
}

/** One line of such a list: what is asked, and what to do unless it is so. */
export const line = (key: string, label: string, ok: boolean, msg: string): CheckLine => ({
  key,
  label,
  ok,
  msg: ok ? '' : msg,
})

type StageFacts = Facts['stages'][number]

const namesOf = (stages: readonly StageFacts[]): string => stages.map(one => `「${one.itemName}」`).join('')

/** What stages ask for: a fee with an amount and a time, a time of the exam, a time for tickets. */
function stageLines({ exam, stages }: Facts): CheckLine[] {
  const seated = stages.filter(one => one.needSeat === 1 || one.needTicket === 1)
  const reversed = stages.filter(one => one.endTime <= one.startTime)
  const untimed = seated.length > 0 && !(exam.examStartTime && exam.examEndTime)
  const free = stages.filter(one => one.needPay === 1 && (one.fee ?? 0) < 1)
  const unpaid = exam.needPay !== 1 && stages.some(one => one.needPay === 1)
  const firstStart = new Date(Math.min(...stages.map(one => one.startTime.getTime())))
  const closed = stages.filter(one => {
    if (one.needTicket !== 1) return false
    const [start, end] = [one.ticketStartTime ?? exam.ticketStartTime, one.ticketEndTime ?? exam.ticketEndTime]
    if (!start || !end) return true
    // What is wrong with the exam's own times is said by their line.
    const isOwn = Boolean(one.ticketStartTime ?? one.ticketEndTime)
    return (isOwn && start >= end) || (end < one.startTime && (isOwn || one.startTime > firstStart))
  })
  return [
    line(
      'fee',
      '收费的考试项目有金额，考试设为收费',
      free.length === 0 && !unpaid,
      free.length > 0 ? `请填写考试项目${namesOf(free)}的收费金额` : '有考试项目收费，请把考试设为收费并设置缴费时间',
    ),
    line(
      'examTime',
      '考试时间已设置，各考试项目的结束晚于开始',
      reversed.length === 0 && !untimed,
      untimed ? '请设置考试开始和结束时间' : `考试项目${namesOf(reversed)}的结束时间须晚于开始时间`,
    ),
    line(
      'ticketTime',
      '需准考证的考试项目有下载时间',
      closed.length === 0,
      `请设置考试项目${namesOf(closed)}的准考证下载时间，且不早于开考结束`,
    ),
  ]
}

function payLines({ exam, stages }: Facts): CheckLine[] {
  if (exam.needPay !== 1) return []
  const charged = stages.some(stage => stage.needPay === 1 && (stage.fee ?? 0) > 0)
  return [
    line(
      'pay',
      '收费考试设有缴费时间和收费项目',
      charged && !!exam.payStartTime && !!exam.payEndTime,
      '请设置缴费时间，并至少设一个收费的考试项目及金额',
    ),
  ]
}

function lines(facts: Facts, now: Date): CheckLine[] {
  const { exam, positions, stages, items, files } = facts
  const firstStage = stages.map(stage => stage.startTime).toSorted((a, b) => a.getTime() - b.getTime())[0]
  const times = windowProblems(exam, firstStage)
  return [
    line(
      'position',
      '至少有一个启用的招聘岗位',
      positions.some(one => one.planNum >= 1),
      '请新增或导入招聘岗位',
    ),
    line('stage', '至少有一个启用的考试项目', stages.length > 0, '请新增考试项目（如笔试）'),
    line('items', '报名表至少有一个信息项', items.length > 0, '请从信息项库选择报名信息项'),
    line(
      'photo',
      '附件项中有证件照',
      files.some(one => one.isPhoto === 1),
      '请新增一个“证件照”附件项',
    ),
    line(
      'texts',
      '已填写报名须知、诚信承诺书和咨询电话',
      filledIn(exam.signNotice) && filledIn(exam.promise) && !!exam.contactPhone,
      '请补全报名须知、诚信承诺书和咨询电话',
    ),
    ...staffLines(facts),
    ...payLines(facts),
    ...stageLines(facts),
    line('windows', '各阶段时间先后合理', times.length === 0, times.map(one => one.msg).join('；')),
    line('future', '报名结束时间在将来', isTimely(examWindows.release, { exam }, now), '报名结束时间已过，请修改'),
  ]
}

/**
 * The list of what an exam needs before its release, each line with what to do when it fails.
 * @returns undefined when there is no such exam
 */
export async function releaseLines(db: Live, examId: string, now: Date): Promise<CheckLine[] | undefined> {
  const known = await facts(db, examId, now)
  return known && lines(known, now)
}
