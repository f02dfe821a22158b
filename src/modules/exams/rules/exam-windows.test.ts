import { describe, expect, it } from 'vitest'
import { forbiddenChanges, windowProblems, windowWarnings } from './exam-windows.ts'

const day = (n: number) => new Date(Date.UTC(2026, 2, n))
const good = {
  examStatus: 1,
  allowAdjust: 1,
  needPay: 1,
  signStartTime: day(1),
  signEndTime: day(5),
  modifyEndTime: day(5),
  examineEndTime: day(5),
  reduceStartTime: day(5),
  reduceEndTime: day(8),
  payStartTime: day(9),
  payEndTime: day(12),
  ticketStartTime: day(14),
  ticketEndTime: day(16),
  examStartTime: day(16),
  examEndTime: day(17),
  resultTime: day(17),
}
const fields = (change: object, stage?: Date) => windowProblems({ ...good, ...change }, stage).map(one => one.field)

describe('windowProblems', () => {
  it('accepts windows that only just hold', () => {
    expect(windowProblems(good, day(16))).toEqual([])
  })

  it.each([
    [{ signStartTime: day(5) }, ['signEndTime']],
    [{ modifyEndTime: day(4) }, ['modifyEndTime']],
    [{ examineEndTime: day(4) }, ['examineEndTime']],
    [{ reduceStartTime: day(4) }, ['reduceStartTime']],
    [{ reduceEndTime: day(5) }, ['reduceEndTime']],
    [{ payEndTime: day(9) }, ['payEndTime']],
    [{ ticketEndTime: day(14) }, ['ticketEndTime']],
    [{ examEndTime: day(16) }, ['examEndTime']],
    [{ resultTime: day(16) }, ['resultTime']],
    [{ payStartTime: null }, ['payStartTime']],
    [{ signEndTime: null }, ['signEndTime']],
  ])('%o', (change, expected) => {
    expect(fields(change)).toEqual(expected)
  })

  it('looks only at windows the exam uses', () => {
    expect(fields({ allowAdjust: 0, reduceEndTime: day(1) })).toEqual([])
    expect(fields({ needPay: 0, payStartTime: null, payEndTime: null })).toEqual([])
  })

  it('keeps tickets until the first stage begins', () => {
    expect(fields({}, new Date(day(16).getTime() + 1))).toEqual(['ticketEndTime'])
  })

  it('says what is wrong in words', () => {
    expect(windowProblems({ ...good, signEndTime: day(1), reduceStartTime: day(5) })[0]).toEqual({
      field: 'signEndTime',
      msg: '报名结束时间应晚于报名开始时间',
    })
  })

  it('only advises against paying while choices still move', () => {
    const early = { ...good, reduceBase: 1, payStartTime: day(7) }
    expect(windowProblems(early)).toEqual([])
    expect(windowWarnings(early).map(one => one.field)).toEqual(['payStartTime'])
    expect(windowWarnings({ ...early, reduceBase: 2 })).toEqual([])
  })
})

describe('forbiddenChanges', () => {
  const before = { ...good, examName: '招聘', maxSignup: 10, signNotice: 'a', consentVersion: '1', contactPhone: '1' }
  const now = day(4)
  it.each([
    ['nothing', {}, []],
    ['the same values', { signEndTime: day(5), maxSignup: '10' }, []],
    ['an end later', { signEndTime: day(6) }, []],
    ['an end earlier', { signEndTime: day(4) }, ['signEndTime']],
    ['a beginning that has passed', { signStartTime: day(2) }, ['signStartTime']],
    ['a window that lies ahead', { payStartTime: day(10), payEndTime: day(11) }, []],
    ['a window into the past', { payStartTime: day(3) }, ['payStartTime']],
    ['the name', { examName: '考试' }, ['examName']],
    ['a limit', { maxSignup: 20 }, ['maxSignup']],
    ['a text of agreement', { signNotice: 'b' }, ['signNotice']],
    ['a text of agreement with a new version', { signNotice: 'b', consentVersion: '2' }, []],
    ['a telephone number', { contactPhone: '2' }, []],
  ])('%s', (_name, after, expected) => {
    expect(forbiddenChanges(before, after, now)).toEqual(expected)
  })
})
