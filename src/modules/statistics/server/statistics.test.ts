import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AnswerOf } from '#engine'
import { Examitems } from '#schemas/exams/examitems'
import { Typecode } from '#schemas/exams/typecode'
import { Payrecord } from '#schemas/payment/payrecord'
import type { Signup } from '#schemas/sign-up/signup'
import { shanghai, type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { appoint, asCaller, makeDraft } from '../../../../tests/helper/exam-bench.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { at } from '../../../../tests/helper/result-bench.ts'
import { insert, type Overrides } from '../../../../tests/helper/sample.ts'
import { passed } from '../../../../tests/helper/seat-bench.ts'
import { readRows } from '../../../platform/workbook/workbook-read.ts'
import type { plannedByType } from '../contract.ts'

let t: TestApp
let admin: Caller
const base = '/blade-signup/statistics'
/** In the middle of sign-up, which goes from the 1st at 09:00 to the 5th at 17:00. */
const counting = '2026-12-04 10:00:00'

beforeAll(async () => {
  t = await testApp({ now: counting })
  admin = await signIn(t, { role: 'administrator' })
  for (const [i, type] of ['02', '01', '03'].entries())
    await insert(t.app, Typecode, { type, typeName: `类${type}`, typeCode: type, sort: i + 1, examId: null })
})
beforeEach(() => at(t, counting))
afterAll(() => t.close())

type Line = Record<'unit' | 'code' | 'ratio' | 'type' | 'time', string> &
  Record<'planNum' | 'bmrs' | 'wshrs' | 'shtgrs' | 'shbtgrs' | 'thrs' | 'fszrs' | 'jfrs' | 'reach', number>
type TypeLine = AnswerOf<typeof plannedByType>[number]

/** An exam with two more positions, and the calls about it. */
async function exam(more: Parameters<typeof makeDraft>[1] = {}, who = admin) {
  const made = await makeDraft(t, { ...more, exam: { examStatus: 1, openRatio: '3', reduceBase: 1, ...more.exam } })
  const examId = made.exam.id
  const post = (code: string, type: string, unit: string, planNum: number) =>
    insert(t.app, Examitems, {
      examId,
      code,
      type,
      unit,
      planNum,
      curPlanNum: planNum,
      postName: code,
      enable: 1,
      postStatus: 1,
      itemIds: made.stage.id,
      openRatio: '3',
      noRatio: 0,
    })
  await t.pool.query('UPDATE examitems SET "openRatio" = 3, "noRatio" = 0 WHERE id = $1', [made.post.id])
  await post('B01', '02', 'u2', 1)
  await post('B02', '02', 'u2', 2)
  const sign = (more: Overrides<typeof Signup> = {}) =>
    passed(t, examId, { submitTime: shanghai('2026-12-02 12:00:00'), ...more })
  const { get } = asCaller(t, who)
  const ask = async <T = Line>(name: string, params: Record<string, unknown> = {}) =>
    (await get<T[]>(`${base}/${name}?${new URLSearchParams({ examId, ...params } as never)}`)).data
  const book = async (params: Record<string, string> = {}) => {
    const url = `/api${base}/statisticsInfoExcel?${new URLSearchParams({ examId, ...params })}`
    const answer = await t.app.inject({ url, headers: who.headers })
    const rows: string[][] = []
    for await (const row of readRows(answer.rawPayload)) rows.push(row.cells.map(cell => cell.text))
    return rows
  }
  return { ...made, examId, sign, ask, book }
}

const sum = (lines: readonly { num: number }[]) => lines.reduce((all, one) => all + one.num, 0)

/** Every state a sign-up can be in, several of each, at several positions. */
async function everyState(examineMode: 1 | 2) {
  const one = await exam({ exam: { examineMode } })
  const places = [
    { unit: 'u1', type: '01', code: 'A01' },
    { unit: 'u2', type: '02', code: 'B01' },
    // Moved to another position after a cut.
    { unit: 'u1', type: '01', code: 'A01', finalUnit: 'u2', finalType: '02', finalCode: 'B02' },
  ]
  let n = 0
  for (const signStatus of [0, 1, 1, 2, 9] as const)
    for (const examine of [0, 1, 2, 3] as const)
      for (const reviewStatus of [0, 1, 2, 3] as const)
        await one.sign({ signStatus, examine, reviewStatus, ...places[n++ % places.length] })
  return one
}

describe('figures agree', () => {
  test.each([1, 2] as const)(
    'in mode %i everybody is in one state, and table, charts and workbook say the same',
    async mode => {
      const { ask, book } = await everyState(mode)
      const lines = await ask('getStatisticsInfo')
      const total = lines.at(-1)!
      expect(total).toMatchObject({ code: '', bmrs: 32, planNum: 6, time: counting })
      for (const { bmrs, wshrs, shtgrs, shbtgrs, thrs, fszrs } of lines)
        expect(wshrs + shtgrs + shbtgrs + thrs + fszrs).toBe(bmrs)
      const expected = mode === 1 ? [8, 8, 8, 8, 0] : [8, 2, 10, 8, 4]
      const { wshrs, shtgrs, shbtgrs, thrs, fszrs } = total
      expect([wshrs, shtgrs, shbtgrs, thrs, fszrs]).toEqual(expected)
      for (const name of ['planNum', 'bmrs', 'wshrs', 'shtgrs', 'shbtgrs', 'thrs', 'fszrs', 'jfrs'] as const)
        expect([name, lines.slice(0, -1).reduce((all, line) => all + line[name], 0)]).toEqual([name, total[name]])
      for (const [call, name] of [
        ['getZpjhForType', 'planNum'],
        ['getBmrsForType', 'bmrs'],
        ['getWshrsByType', 'wshrs'],
        ['getShtgrsByType', 'shtgrs'],
      ] as const) {
        const bars = await ask<TypeLine>(call)
        expect([call, sum(bars)]).toEqual([call, total[name]])
        for (const { type, num } of bars) {
          const own = lines.slice(0, -1).filter(line => line.type === type)
          expect([call, type, num]).toEqual([call, type, own.reduce((all, line) => all + line[name], 0)])
        }
      }
      expect(sum(await ask<TypeLine>('getSexStatisticsInfo'))).toBe(total.bmrs)
      expect((await ask<{ total: number }>('getNumToLine')).at(-1)?.total).toBe(total.bmrs)
      const [heads, ...rows] = await book()
      const column = (title: string) => heads!.indexOf(title)
      const figures = (row: string[]) =>
        ['招聘计划数', '报名人数', '未审核', '审核通过', '复审中'].map(name => Number(row[column(name)]))
      expect(rows.slice(0, -1).map(figures)).toEqual(
        lines.map(one => [one.planNum, one.bmrs, one.wshrs, one.shtgrs, one.fszrs]),
      )
      expect(rows.at(-1)?.[3]).toBe(`统计截至 ${counting}`)
    },
  )
})

describe('figures per position', () => {
  test('people count where they stand now, by unit and code in order; a filter narrows the sum too', async () => {
    const { ask, sign, stage } = await exam()
    for (let i = 0; i < 3; i++) await sign()
    await sign({ finalUnit: 'u2', finalType: '02', finalCode: 'B02' })
    const short = (lines: Line[]) => lines.map(line => [line.code, line.bmrs, line.ratio, line.reach])
    expect(short(await ask('getStatisticsInfo'))).toEqual([
      ['A01', 3, '1.00', 0],
      ['B01', 0, '0.00', 0],
      ['B02', 1, '0.50', 0],
      ['', 4, '0.66', ''],
    ])
    expect(short(await ask('getStatisticsInfo', { unit: 'u2' }))).toEqual([
      ['B01', 0, '0.00', 0],
      ['B02', 1, '0.50', 0],
      ['', 1, '0.33', ''],
    ])
    expect(short(await ask('getStatisticsInfo', { code: 'A01', unit: '' })).length).toBe(2)
    expect((await ask('getStatisticsInfo', { item: stage.id })).length).toBe(4)
    expect((await ask('getStatisticsInfo', { item: '12345' })).length).toBe(1)
    expect(short(await ask('getStatisticsInfo', { limit: 1 }))).toEqual([
      ['A01', 3, '1.00', 0],
      ['', 4, '0.66', ''],
    ])
  })

  test('the ratio counts those who paid where the exam cuts by payment; exactly reached is reached', async () => {
    const { ask, sign, examId, stage } = await exam({ exam: { reduceBase: 2 } })
    for (const payState of [1, 2, 1, 0, 4] as const) {
      const { id } = await sign({ unit: 'u2', type: '02', code: 'B01' })
      await insert(t.app, Payrecord, { examId, itemId: stage.id, signupId: id, payState, amount: 8000 })
    }
    const line = (await ask('getStatisticsInfo')).find(one => one.code === 'B01')
    expect(line).toMatchObject({ shtgrs: 5, jfrs: 3, ratio: '3.00', reach: 1 })
    expect(await ask<object>('getPayByState')).toMatchObject([
      { payState: 0, label: '待缴', num: 1, amount: 8000 },
      { payState: 1, num: 2, amount: 16000 },
      { payState: 2, num: 1, amount: 8000 },
      { payState: 3, num: 0, amount: 0 },
      { payState: 4, num: 1, amount: 8000 },
      { payState: 5, num: 0, amount: 0 },
    ])
    expect(sum(await ask<TypeLine>('getPayByState', { item: '12345' }))).toBe(0)
  })
})

describe('charts', () => {
  test('types stand in the order of their codes, those with nobody too; one without a code comes last', async () => {
    const { ask, sign, examId } = await exam()
    await sign({ type: '08', finalType: '08' })
    await sign()
    const order = async () => (await ask<TypeLine>('getBmrsForType')).map(one => [one.type, one.typeName, one.num])
    expect(await order()).toEqual([
      ['02', '类02', 0],
      ['01', '类01', 1],
      ['03', '类03', 0],
      ['08', '其他专技', 1],
    ])
    expect((await ask<TypeLine>('getBmrsForType', { limit: 2 })).map(one => one.type)).toEqual(['02', '01'])
    await insert(t.app, Typecode, { type: '01', typeName: '医师', typeCode: 'Y', sort: 0, examId })
    expect((await order())[0]).toEqual(['01', '医师', 1])
  })

  test('the line has every day of Shanghai up to now, empty ones as nought', async () => {
    const { ask, sign } = await exam()
    for (const time of ['2026-12-01 23:59:59', '2026-12-02 00:00:00', '2026-12-02 08:00:00'])
      await sign({ submitTime: shanghai(time) })
    expect(await ask<object>('getNumToLine')).toEqual([
      { time: '2026-12-01', num: 1, total: 1 },
      { time: '2026-12-02', num: 2, total: 3 },
      { time: '2026-12-03', num: 0, total: 3 },
      { time: '2026-12-04', num: 0, total: 3 },
    ])
    expect((await ask<{ time: string; total: number }>('getNumToLine', { limit: 2 }))[0]).toEqual({
      time: '2026-12-03',
      num: 0,
      total: 3,
    })
    const hours = await ask<{ time: string; num: number }>('getNumToLine', { step: 'hour' })
    expect([hours.length, hours[0]?.time, hours.at(-1)?.time]).toEqual([74, '2026-12-01 09:00', '2026-12-04 10:00'])
    expect(hours.filter(one => one.num).map(one => one.time)).toEqual([
      '2026-12-01 23:00',
      '2026-12-02 00:00',
      '2026-12-02 08:00',
    ])
    await at(t, '2027-01-01 00:00:00')
    expect((await ask<{ time: string }>('getNumToLine')).at(-1)?.time).toBe('2026-12-05')
  })

  test('both sexes and the unknown, with shares', async () => {
    const { ask, sign } = await exam()
    for (const sex of [1, 1, 2] as const) await sign({ sex })
    expect(await ask<object>('getSexStatisticsInfo')).toEqual([
      { sex: 1, num: 2, percent: 66.67 },
      { sex: 2, num: 1, percent: 33.33 },
      { sex: 3, num: 0, percent: 0 },
    ])
    expect(sum(await ask<TypeLine>('getSexStatisticsInfo', { unit: 'u9' }))).toBe(0)
  })

  test('an exam with nobody has noughts everywhere', async () => {
    const { ask, examId, stage } = await exam()
    expect((await ask('getStatisticsInfo')).at(-1)).toMatchObject({ bmrs: 0, ratio: '0.00' })
    expect(sum(await ask<TypeLine>('getNumToLine'))).toBe(0)
    expect(await ask<object>('getExamUnitAndCode')).toMatchObject([
      { unit: 'u1', codes: [{ code: 'A01', postName: '内科医师' }] },
      { unit: 'u2', codes: [{ code: 'B01' }, { code: 'B02' }] },
    ])
    expect(await ask<object>('getExamItemByExamId')).toEqual([
      { itemId: stage.id, itemName: '笔试', itemType: expect.any(String) },
    ])
    expect(examId).toBeTruthy()
  })
})

describe('who may see figures', () => {
  test('exam administrators those of their exams; others none', async () => {
    const officer = await signIn(t, { role: 'exam_admin' })
    const [mine, other] = [await exam({}, officer), await exam({}, officer)]
    await mine.sign()
    await appoint(t, mine.examId, officer)
    expect((await mine.ask('getStatisticsInfo')).at(-1)?.bmrs).toBe(1)
    const { get } = asCaller(t, officer)
    const calls = [
      'getStatisticsInfo',
      'getNumToLine',
      'getBmrsForType',
      'getZpjhForType',
      'getPayByState',
      'statisticsInfoExcel',
    ]
    for (const name of calls) {
      expect([name, (await get(`${base}/${name}?examId=${other.examId}`)).code]).toEqual([name, 21001])
      for (const role of ['proctor', 'candidate'])
        expect((await asCaller(t, await signIn(t, { role })).get(`${base}/${name}?examId=${mine.examId}`)).code).toBe(
          403,
        )
    }
    expect((await get(`${base}/getStatisticsInfo`)).code).toBe(29005)
    expect((await get(`${base}/getStatisticsInfo?examId=${mine.examId}&unit=u1&sort=1`)).code).toBe(29005)
  })

  test('finance sees how payments stand in the exams it is appointed to, and no figures of sign-ups', async () => {
    const finance = await signIn(t, { role: 'finance' })
    const [mine, other] = [await exam(), await exam()]
    await appoint(t, mine.examId, finance, 4)
    const { id } = await mine.sign()
    await insert(t.app, Payrecord, {
      examId: mine.examId,
      itemId: mine.stage.id,
      signupId: id,
      payState: 1,
      amount: 8000,
    })
    const { get } = asCaller(t, finance)
    const states = await get<object[]>(`${base}/getPayByState?examId=${mine.examId}`)
    expect(states).toMatchObject({ code: 200 })
    expect(states.data[1]).toMatchObject({ payState: 1, num: 1, amount: 8000 })
    const stages = await get<object[]>(`${base}/getExamItemByExamId?examId=${mine.examId}`)
    expect(stages.data).toMatchObject([{ itemId: mine.stage.id }])
    expect((await get(`${base}/getPayByState?examId=${other.examId}`)).code).toBe(21001)
    for (const name of ['getStatisticsInfo', 'getSexStatisticsInfo', 'statisticsInfoExcel'])
      expect([name, (await get(`${base}/${name}?examId=${mine.examId}`)).code]).toEqual([name, 403])
    // The page offers the exams to choose from.
    const offered = await get<{ id: string }[]>('/blade-exam/examination/select')
    expect(offered.data.map(one => one.id)).toEqual([mine.examId])
    const { rows } = await t.pool.query(
      `SELECT r."roleAlias" FROM role_menu g JOIN menu m ON m.id = g."menuId" JOIN role r ON r.id = g."roleId"
       WHERE m.code = 'pay_statistics' AND r."tenantId" = '000000' ORDER BY 1`,
    )
    expect(rows.map(row => row.roleAlias)).toEqual(['admin', 'administrator', 'finance'])
  })

  test('a reviewer who is granted the page sees the assigned units only, in every figure', async () => {
    const reviewer = await signIn(t, { permissions: ['statistics'] })
    const { ask, sign, examId } = await exam({}, reviewer)
    const row = await appoint(t, examId, reviewer, 2)
    await t.pool.query(`UPDATE examuser SET units = 'u2' WHERE id = $1`, [row.id])
    await sign()
    await sign({ unit: 'u2', type: '02', code: 'B01' })
    const lines = await ask('getStatisticsInfo')
    expect(lines.map(line => [line.code, line.bmrs])).toEqual([
      ['B01', 1],
      ['B02', 0],
      ['', 1],
    ])
    expect(sum(await ask<TypeLine>('getZpjhForType'))).toBe(3)
    expect(sum(await ask<TypeLine>('getBmrsForType'))).toBe(1)
    expect(sum(await ask<TypeLine>('getNumToLine'))).toBe(1)
    expect(sum(await ask<TypeLine>('getSexStatisticsInfo'))).toBe(1)
  })
})
