import { daysOffOf, holidaysOf } from '#engine'
import { Examination } from '#schemas/exams/examination'
import { wireDay } from '../../../platform/http/server/wire.ts'
import { type CheckLine, line } from './check-line.ts'
import type { Facts } from './exam-facts.ts'

/** Deadlines before which people call and ask: on a day off nobody answers. */
const called = {
  signEndTime: '报名截止',
  modifyEndTime: '补正截止',
  payEndTime: '缴费截止',
  appealEndTime: '复核申请截止',
} as const

/** Deadlines and the day of the exam that lie on days off. People sit exams at weekends. */
function restLine({ exam, daysOff }: Facts): CheckLine {
  const [isOff, isHoliday] = [daysOffOf(daysOff), holidaysOf(daysOff)]
  const days = Object.entries({ ...called, examStartTime: '考试' } as const).flatMap(([field, label]) => {
    const moment = exam[field as keyof typeof called | 'examStartTime']
    return moment ? [{ field, label, day: wireDay(moment) }] : []
  })
  const found = days.filter(({ field, day }) => (field === 'examStartTime' ? isHoliday : isOff)(day))
  const msg = found.map(({ label, day }) => `${label}（${day}）在${isHoliday(day) ? '节假日' : '周末'}`)
  return line('restDay', '日期避开周末和节假日', found.length === 0, msg.join('；'), { field: found[0]?.field })
}

/** Seats for as many as a stage has to be planned for: as many to each place as its ratio asks for. */
function roomLines({ positions, stages, rooms }: Facts): CheckLine[] {
  const people = positions.map(({ planNum, curPlanNum, openRatio, noRatio }) =>
    Math.ceil((curPlanNum ?? planNum) * (noRatio === 1 ? 1 : Math.max(1, Number(openRatio ?? 1)))),
  )
  const planned = people.reduce((sum, n) => sum + n, 0)
  return stages
    .filter(one => one.needSeat === 1)
    .map(({ id, itemName }) => {
      const own = rooms.filter(one => one.itemId === id)
      const seats = own.reduce((sum, one) => sum + one.capacity - (one.reserve ?? 0), 0)
      const msg = `按计划和开考比例需要${planned}个座位，现有${seats}个`
      return line('rooms', `${itemName}考场座位足够`, seats >= planned, msg)
    })
}

/** Items that could be chosen from a dictionary are not typed. */
function dictLine({ items }: Facts): CheckLine {
  const typed = items.filter(one => one.libraryCode && !one.dictCode)
  const msg = `信息项${typed.map(one => `「${one.itemName}」`).join('')}在信息项库中有字典，建议使用`
  return line('dictionary', '有字典的信息项使用字典', typed.length === 0, msg)
}

/** As long as a name may be that text messages have room for. */
const mostOfName = Examination.properties.shortName.maxLength ?? 0

/** Text messages name the exam, where there are any: one with a long name is charged as two. */
function nameLines({ exam, hasTexts }: Facts): CheckLine[] {
  if (!hasTexts) return []
  const isShort = Boolean(exam.shortName) || exam.examName.length <= mostOfName
  const msg = '短信里用简称称呼考试；不填时用考试名称，名称长时一条短信可能按两条计费'
  return [line('shortName', '已填写考试简称', isShort, msg, { field: 'shortName' })]
}

/** What is worth a thought before an exam is released, and hinders nothing. */
export const adviceLines = (facts: Facts): CheckLine[] =>
  [...roomLines(facts), restLine(facts), dictLine(facts), ...nameLines(facts)].map(one => ({ ...one, advice: true }))
