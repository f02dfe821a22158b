import { describe, expect, test } from 'vitest'
import { daysOffOf, suggestionChangesOf } from '#engine'
import { ReduceBase } from '#schemas/dictionaries/sign-up'
import { parameters } from '#schemas/parameters'
import { timeNames, timesOf } from './exam-times.ts'
import { windowProblems, windowWarnings } from './exam-windows.ts'

const isOff = daysOffOf(parameters['calendar.daysOff'].preset)
const year = Array.from({ length: 365 }, (_, i) => new Date(Date.UTC(2027, 0, 1 + i)).toISOString().slice(0, 10))

/** An exam with the times that follow from its day, charged and with another choice after the reduction. */
function examOn(day: string) {
  const { ageBaseDate, ...times } = timesOf(day, { isOff })
  const moments = Object.entries(times).map(([name, at]) => [name, new Date(`${at.replace(' ', 'T')}+08:00`)])
  const rules = { examStatus: 0, allowAdjust: 1, needPay: 1, reduceBase: ReduceBase.approved }
  return { ...(Object.fromEntries(moments) as { examStartTime: Date }), ...rules }
}

test('follow from the day of the written exam', () =>
  expect(timesOf('2027-02-20', { isOff: daysOffOf('') })).toEqual({
    signStartTime: '2027-01-04 09:00:00',
    signEndTime: '2027-01-11 17:00:00',
    modifyEndTime: '2027-01-12 17:00:00',
    examineEndTime: '2027-01-13 17:00:00',
    ageBaseDate: '2027-01-04',
    reduceStartTime: '2027-01-14 09:00:00',
    reduceEndTime: '2027-01-15 17:00:00',
    payStartTime: '2027-01-18 09:00:00',
    payEndTime: '2027-01-21 17:00:00',
    ticketStartTime: '2027-02-15 09:00:00',
    ticketEndTime: '2027-02-20 11:30:00',
    examStartTime: '2027-02-20 09:00:00',
    examEndTime: '2027-02-20 11:30:00',
    resultTime: '2027-03-12 10:00:00',
    resultEndTime: '2027-04-21 17:00:00',
    appealEndTime: '2027-03-15 17:00:00',
    publicityStart: '2027-04-06 09:00:00',
    publicityEnd: '2027-04-15 17:00:00',
  }))

describe('of every day of 2027', () => {
  test('are seventeen and the reference day, without a problem or a warning', () => {
    const found = year.map(day => {
      const exam = examOn(day)
      return [day, ...windowProblems(exam, exam.examStartTime), ...windowWarnings(exam)]
    })
    expect(found.filter(([, ...problems]) => problems.length > 0)).toEqual([])
    expect(Object.keys(timesOf(year[0]!, { isOff })).toSorted()).toEqual(timeNames.toSorted())
    expect(timeNames).toHaveLength(18)
  })

  test('lie on working days, but for those of the exam itself', () => {
    const free = year.flatMap(day =>
      Object.entries(timesOf(day, { isOff })).filter(([, at]) => !at.startsWith(day) && isOff(at.slice(0, 10))),
    )
    expect(free).toEqual([])
  })
})

test('go on from those that stand already, by the days that the tenant says', () => {
  const changes = suggestionChangesOf('signStartTime=-60@08:30,signEndTime=7')
  const known = { examineEndTime: '2027-01-20 17:00:00' }
  expect(timesOf('2027-03-13', { isOff, changes }, known)).toMatchObject({
    signStartTime: '2027-01-12 08:30:00',
    signEndTime: '2027-01-21 17:00:00',
    examineEndTime: '2027-01-20 17:00:00',
    reduceStartTime: '2027-01-21 09:00:00',
  })
})
