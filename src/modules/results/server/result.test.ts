import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { appoint } from '../../../../tests/helper/exam-bench.ts'
import { pdfText } from '../../../../tests/helper/pdf-text.ts'
import { signIn } from '../../../../tests/helper/person.ts'
import {
  addInterview,
  at,
  makeWritten,
  marking,
  resultsOf,
  type ScoreCells,
  scoreBook,
  scoreStaff,
  sitting,
  ticketOf,
  twoStaff,
} from '../../../../tests/helper/result-bench.ts'
import { unzip } from '../../../../tests/helper/unzip.ts'
import { readRows } from '../../../platform/workbook/workbook-read.ts'
import { releaseDueResults } from './schedule.ts'

let t: TestApp
let staff: ReturnType<typeof scoreStaff>
let second: ReturnType<typeof scoreStaff>
const base = '/blade-exam/examination'

beforeAll(async () => {
  t = await testApp({ now: marking })
  ;[staff, second] = await twoStaff(t)
})
beforeEach(() => at(t, marking))
afterAll(() => t.close())

type People = Awaited<ReturnType<typeof sitting>>
const line = (people: People, i: number, 成绩: unknown, more: ScoreCells = {}): ScoreCells => ({
  准考证号: people[i]!.ticket.ticketNo,
  姓名: people[i]!.signup.name,
  成绩,
  ...more,
})

/** A written test with people and their scores; null is a person without a result. */
async function scored(scores: readonly (string | null)[], more: Parameters<typeof makeWritten>[1] = {}) {
  const made = await makeWritten(t, more)
  const people = await sitting(t, made, scores.length)
  const rows = scores.flatMap((score, i) => (score === null ? [] : [line(people, i, score)]))
  if (rows.length) expect((await staff.take(made.itemId, rows)).code).toBe(200)
  return { ...made, people }
}

const textsOf = async (book: Buffer) => {
  const rows: string[][] = []
  for await (const row of readRows(book)) rows.push(row.cells.map(cell => cell.text))
  return rows
}

describe('the sheet', () => {
  test('has everybody with a ticket, known scores and what was noted in the room; it can be sent back as it is', async () => {
    const { itemId, people } = await scored(['71.50', null, null, null])
    await t.pool.query('UPDATE examinationticket SET attend = 2 WHERE id = $1', [people[1]!.ticket.id])
    await t.pool.query('UPDATE examinationticket SET "ticketStatus" = 2 WHERE id = $1', [people[2]!.ticket.id])
    const { headers } = staff.who
    const answer = await t.app.inject({ url: `/api${base}/getResultTemplate?itemId=${itemId}`, headers })
    const rows = await textsOf(answer.rawPayload)
    const no = (i: number) => people[i]!.ticket.ticketNo
    expect(rows.slice(2).map(row => [row[0], row[3], row[5]])).toEqual([
      [no(0), '71.5', '正常'],
      [no(1), '', '缺考'],
      [no(3), '', ''],
    ])
    const back = await staff.send<{ rows: { msg: string }[] }>(`${base}/importResult`, answer.rawPayload, {
      itemId,
      mode: '2',
    })
    expect(back.data).toMatchObject({ okNum: 2, errNum: 1, rows: [{ row: 5, column: '成绩' }] })
    expect((await resultsOf(t, itemId)).map(one => [one.ticketNo, one.resultFlag])).toEqual([
      [no(0), 1],
      [no(1), 2],
    ])
  })
})

describe('import', () => {
  test.each<[string, ScoreCells, string, RegExp]>([
    ['a stranger', { 准考证号: 'T999999' }, '准考证号', /没有准考证号为「T999999」/],
    ['no number', { 准考证号: '' }, '准考证号', /请输入准考证号/],
    ['another name', { 姓名: '张冠' }, '姓名', /与报名姓名不符/],
    ['no score', { 成绩: '' }, '成绩', /请输入成绩/],
    ['more than full marks', { 成绩: 100.01 }, '成绩', /不能超过满分 100/],
    ['less than nothing', { 成绩: -1 }, '成绩', /不小于 0/],
    ['three decimals', { 成绩: 70.125 }, '成绩', /两位小数/],
    ['a word', { 成绩: '优' }, '成绩', /两位小数/],
    ['an absent one with a score', { 成绩标记: '缺考' }, '成绩', /不能有成绩/],
    ['a nought with a score', { 成绩标记: '零分' }, '成绩', /只能是 0/],
    ['an unknown mark', { 成绩标记: '请假' }, '成绩标记', /不是可选值/],
    ['a negative addition', { 加分: -2 }, '加分', /加分应为/],
  ])('%s is a wrong row; nothing is imported, and a task is left', async (_, wrong, column, msg) => {
    const { itemId, people } = await scored([null, null])
    const rows = [line(people, 0, 80), { ...line(people, 1, 70), ...wrong }]
    const answer = await staff.take(itemId, rows)
    expect(answer.code).toBe(28006)
    expect(answer.data.rows).toEqual([{ row: 4, column, msg: expect.stringMatching(msg) }])
    expect(await resultsOf(t, itemId)).toEqual([])
    const task = await t.db.selectFrom('importtask').selectAll().where('id', '=', answer.data.taskId).executeTakeFirst()
    expect(task).toMatchObject({ bizType: 'result', totalNum: 2, okNum: 0, errNum: 1, taskStatus: 3 })
  })

  test('somebody twice is a wrong row, and the good ones go in by mode 2 with a sheet of the others', async () => {
    const { itemId, people } = await scored([null, null])
    const rows = [line(people, 0, 80), line(people, 0, 81), line(people, 1, '', { 成绩标记: '缺考' })]
    const answer = await staff.take(itemId, rows, '2')
    expect(answer.data).toMatchObject({ okNum: 2, errNum: 1, rows: [{ row: 4, msg: '与第 3 行重复' }] })
    const stored = await resultsOf(t, itemId)
    expect(stored.map(one => [one.score, one.resultFlag])).toEqual([
      ['80.0000', 1],
      [null, 2],
    ])
    expect(stored[0]).toMatchObject({
      signupId: people[0]!.signup.id,
      unit: 'u1',
      code: 'A01',
      importTaskId: answer.data.taskId,
    })
    const { headers } = staff.who
    const file = await t.app.inject({ url: `/api/blade-resource/attach/download?id=${answer.data.errFile}`, headers })
    const copy = await textsOf(file.rawPayload)
    expect(copy[1]?.at(-1)).toBe('错误原因')
    expect(copy.slice(2)).toEqual([
      [people[0]!.ticket.ticketNo, people[0]!.signup.name, '', '81', '', '', '', '准考证号：与第 3 行重复'],
    ])
  })

  test('a formula is never taken, another sheet neither', async () => {
    const { itemId, people } = await scored([null])
    const { writeXlsx } = await import('hucre')
    const book = await scoreBook([line(people, 0, 1)])
    const other = await staff.send(`${base}/importResult`, await scoreBook([line(people, 0, 1)], 'result-0'), {
      itemId,
    })
    expect(other.code).toBe(28005)
    const heads = (await textsOf(book)).slice(0, 2)
    const cells = new Map([['2,3', { formula: '60+30', value: 90 }]])
    const data = [...heads, [people[0]!.ticket.ticketNo, '', '', 90]]
    const bytes = await writeXlsx({ sheets: [{ name: 'a', rows: data as never, cells: cells as never }] })
    const answer = await staff.send<{ rows: { msg: string }[] }>(`${base}/importResult`, Buffer.from(bytes), { itemId })
    expect([answer.code, answer.data.rows[0]?.msg]).toEqual([28006, '不能使用公式，请填写值'])
  })

  test('a workbook is read before anything is locked', async () => {
    const { itemId, people } = await scored([null])
    const holder = await t.pool.connect()
    try {
      await holder.query('BEGIN')
      await holder.query('SELECT FROM examinationitem WHERE id = $1 FOR NO KEY UPDATE', [itemId])
      const other = await staff.send(`${base}/importResult`, await scoreBook([line(people, 0, 1)], 'result-0'), {
        itemId,
      })
      expect(other.code).toBe(28005)
    } finally {
      await holder.query('ROLLBACK')
      holder.release()
    }
  })

  test('the same file twice: once; corrected scores replace the first and are written down', async () => {
    const { itemId, people } = await scored([null, null])
    const book = await scoreBook([line(people, 0, 80), line(people, 1, 70)])
    const send = () => staff.send(`${base}/importResult`, book, { itemId })
    const codes = (await Promise.all([send(), send()])).map(one => one.code)
    expect(codes.sort()).toEqual([200, 29006])
    expect((await staff.take(itemId, [line(people, 0, 82.5), line(people, 1, 70)])).code).toBe(200)
    expect((await resultsOf(t, itemId)).map(one => one.score)).toEqual(['82.5000', '70.0000'])
    const log = await t.db.selectFrom('resultlog').selectAll().where('itemId', '=', itemId).execute()
    expect(log).toMatchObject([
      { changeType: 3, oldScore: '80.0000', score: '82.5000', ticketNo: people[0]!.ticket.ticketNo },
    ])
    await at(t, '2027-01-15 09:10:01')
    expect((await send()).code).toBe(200)
  })
})

describe('release', () => {
  test('waits for everybody or a reason, ranks within the position, ties included', async () => {
    const { itemId, people } = await scored(['90', '80', '70', '70', '50', null])
    expect(await staff.act('releaseResult', itemId)).toMatchObject({ code: 26003, msg: '尚有1人无成绩且未标缺考' })
    expect((await staff.act('releaseResult', itemId, { reason: '一人材料待核' })).data).toEqual({
      num: 5,
      scheduled: 0,
    })
    const rows = await resultsOf(t, itemId)
    expect(rows.map(one => [one.rankNo, one.isPass, one.isNext, one.resultStatus])).toEqual([
      [1, 1, 1, 1],
      [2, 1, 1, 1],
      [3, 1, 1, 1],
      [3, 1, 1, 1],
      [4, 0, 0, 1],
    ])
    expect(rows.map(one => one.totalScore)).toEqual(['90.0000', '80.0000', '70.0000', '70.0000', '50.0000'])
    const { get } = staff
    const stages = await get<{ results: number; people: number; next: number; last: object }[]>(
      `${base}/getResultStages?examId=${people[0]!.signup.examId}`,
    )
    expect(stages.data).toMatchObject([
      {
        people: 6,
        results: 5,
        missing: 1,
        next: 4,
        resultRelease: 1,
        last: { kind: 'release', reason: '一人材料待核', num: 5 },
      },
    ])
  })

  test('below the line nobody goes on; absent, cheated and struck people have no rank', async () => {
    const { itemId, people, examId } = await scored(['59.99', '60', '61', null, null])
    const marks = [line(people, 3, '', { 成绩标记: '缺考' }), line(people, 4, '', { 成绩标记: '零分' })]
    await staff.take(itemId, marks)
    await t.pool.query('UPDATE signup SET "signStatus" = 9 WHERE id = $1', [people[2]!.signup.id])
    await staff.act('releaseResult', itemId)
    const rows = await resultsOf(t, itemId)
    expect(rows.map(one => [one.rankNo, one.isPass, one.isNext])).toEqual([
      [2, 0, 0],
      [1, 1, 1],
      [null, 0, 0],
      [null, 0, 0],
      [3, 0, 0],
    ])
    expect(rows.map(one => one.examId)).toEqual(Array(5).fill(examId))
  })

  test('no results: 26003; out already: nothing; what is out can neither be imported, changed nor removed: 26002', async () => {
    const { itemId, people } = await scored([null])
    expect(await staff.act('releaseResult', itemId)).toMatchObject({ code: 26003, msg: '尚有1人无成绩且未标缺考' })
    expect((await staff.act('releaseResult', itemId, { reason: '先发布' })).code).toBe(26003)
    await staff.take(itemId, [line(people, 0, 66)])
    expect((await staff.act('releaseResult', itemId)).data).toMatchObject({ num: 1 })
    expect((await staff.act('releaseResult', itemId)).data).toMatchObject({ num: 0 })
    const [row] = await resultsOf(t, itemId)
    const at26002 = [
      await staff.take(itemId, [line(people, 0, 67)]),
      await staff.post('/blade-result/result/submit', { id: row!.id, version: row!.version, score: '67' }),
      await staff.post('/blade-result/result/submit', {
        itemId,
        ticketNo: people[0]!.ticket.ticketNo,
        score: '1',
        resultFlag: 1,
      }),
      await staff.post('/blade-result/result/remove', { ids: row!.id }),
      await staff.act('deleteResult', itemId),
    ]
    expect(at26002.map(one => one.code)).toEqual(Array(5).fill(26002))
  })

  test('recalled with a reason, changed by one, released by another', async () => {
    const { itemId } = await scored(['66'])
    expect((await staff.act('recallResult', itemId, { reason: 'x' })).code).toBe(29009)
    await staff.act('releaseResult', itemId)
    expect((await staff.act('recallResult', itemId)).code).toBe(29005)
    expect((await staff.act('recallResult', itemId, { reason: '统分有误' })).data).toEqual({ num: 1 })
    const [row] = await resultsOf(t, itemId)
    expect(row).toMatchObject({ resultStatus: 2 })
    await at(t, '2027-01-15 10:00:00')
    const change = { id: row!.id, version: row!.version, score: '76.5' }
    expect((await staff.post('/blade-result/result/submit', change)).code).toBe(200)
    expect((await staff.post('/blade-result/result/submit', change)).code).toBe(29002)
    expect((await staff.act('releaseResult', itemId)).code).toBe(26006)
    expect((await second.act('releaseResult', itemId)).data).toMatchObject({ num: 1 })
    expect((await resultsOf(t, itemId))[0]).toMatchObject({ score: '76.5000', rankNo: 1, resultStatus: 1 })
  })

  test('two at once release once', async () => {
    const { itemId } = await scored(['66', '77'])
    const both = await Promise.all([staff.act('releaseResult', itemId), second.act('releaseResult', itemId)])
    expect(both.map(one => one.code).sort()).toEqual([200, 29009])
    expect(both.find(one => one.code === 200)?.data.num).toBe(2)
  })

  test('at a set time, and what stands against it then is told', async () => {
    const { itemId, examId } = await scored(['66', null])
    const plan = (releaseTime: string) => staff.act('releaseResult', itemId, { releaseTime })
    expect((await plan('2027-01-15 08:00:00')).code).toBe(29005)
    expect((await plan('2027-01-16 09:00:00')).data).toEqual({ num: 0, scheduled: 1 })
    await releaseDueResults(t.app)
    expect((await resultsOf(t, itemId))[0]?.resultStatus).toBe(0)
    await at(t, '2027-01-16 09:00:00')
    await releaseDueResults(t.app)
    const stages = () => staff.get<{ last: { problem: string } }[]>(`${base}/getResultStages?examId=${examId}`)
    expect((await stages()).data[0]?.last.problem).toBe('尚有1人无成绩且未标缺考')
    await staff.act('releaseResult', itemId, { releaseTime: '2027-01-16 10:00:00', reason: '一人待核' })
    await at(t, '2027-01-16 10:00:01')
    await Promise.all([releaseDueResults(t.app), releaseDueResults(t.app)])
    expect((await resultsOf(t, itemId))[0]?.resultStatus).toBe(1)
    expect((await stages()).data[0]?.last).toMatchObject({ kind: 'release', num: 1, problem: '' })
  })
})

describe('out of time', () => {
  const before = '2027-01-09 08:59:59'
  const during = '2027-01-09 10:00:00'
  interface Stage {
    block: { enter: string; release: string }
    earlyUntil: string
    early: { reason: string } | ''
  }
  const stageOf = async (examId: string) =>
    (await staff.get<Stage[]>(`${base}/getResultStages?examId=${examId}`)).data[0]!

  test('before the stage begins nothing is entered or released, and the page says so before', async () => {
    const made = await scored([null])
    const { itemId, examId, people } = made
    await at(t, before)
    const enter = '「笔试」2027-01-09 09:00:00才开考，开考前不能录入成绩'
    const release = '「笔试」2027-01-09 09:00:00才开考，开考前不能发布成绩'
    expect(await staff.take(itemId, [line(people, 0, 80)])).toMatchObject({ code: 29009, msg: enter })
    const typed = { itemId, ticketNo: people[0]!.ticket.ticketNo, resultFlag: 1, score: '60' }
    expect(await staff.post('/blade-result/result/submit', typed)).toMatchObject({ code: 29009, msg: enter })
    expect(await staff.act('releaseResult', itemId, { reason: 'x' })).toMatchObject({ code: 29009, msg: release })
    expect((await stageOf(examId)).block).toEqual({ enter, release })
    expect(await resultsOf(t, itemId)).toEqual([])
    await at(t, marking)
    expect(await stageOf(examId)).toMatchObject({ block: { enter: '', release: '' }, earlyUntil: '', early: '' })
  })

  test('while it is held they are released by two, with a reason', async () => {
    const made = await scored(['80'])
    const { itemId, examId } = made
    await at(t, during)
    const alone = await staff.act('releaseResult', itemId)
    expect(alone).toMatchObject({ code: 29009, msg: expect.stringContaining('2027-01-09 11:00:00才结束') })
    const asked = { num: 0, message: expect.stringContaining('另一位'), scheduled: 0 }
    for (const _ of [1, 2])
      expect((await staff.act('releaseResult', itemId, { reason: '已全部考完' })).data).toEqual(asked)
    expect((await resultsOf(t, itemId))[0]?.resultStatus).toBe(0)
    expect(await stageOf(examId)).toMatchObject({ early: { reason: '已全部考完' }, earlyUntil: '2027-01-09 11:00:00' })
    expect((await second.act('releaseResult', itemId, { reason: '同意' })).data).toMatchObject({ num: 1 })
    expect((await resultsOf(t, itemId))[0]?.resultStatus).toBe(1)
    expect(await stageOf(examId)).toMatchObject({ early: '', last: { kind: 'release', reason: '已全部考完' } })
  })

  test('who has asked may take it back', async () => {
    const { itemId, examId } = await scored(['80'])
    await at(t, during)
    await staff.act('releaseResult', itemId, { reason: '已全部考完' })
    expect((await staff.act('recallResult', itemId, { reason: '不急' })).data).toEqual({ num: 0 })
    expect(await stageOf(examId)).toMatchObject({ early: '' })
  })

  test('a time before the end is no time for a release', async () => {
    const { itemId } = await scored(['80'])
    await at(t, during)
    const plan = (releaseTime: string) => staff.act('releaseResult', itemId, { releaseTime })
    expect((await plan('2027-01-09 10:59:59')).code).toBe(29005)
    expect((await plan('2027-01-09 11:00:00')).data).toEqual({ num: 0, scheduled: 1 })
  })
})

describe('by hand', () => {
  test('a result belongs to who sat; the server fills the rest', async () => {
    const { itemId, people } = await scored([null])
    const submit = (more: object) =>
      staff.post('/blade-result/result/submit', {
        itemId,
        ticketNo: people[0]!.ticket.ticketNo,
        resultFlag: 1,
        ...more,
      })
    expect((await submit({ ticketNo: 'nobody', score: '60' })).code).toBe(29005)
    expect((await submit({ score: '101' })).msg).toContain('满分 100')
    expect((await submit({ resultFlag: 2, score: '1' })).code).toBe(29005)
    expect((await submit({ score: '88.25', addScore: '2' })).code).toBe(200)
    expect((await submit({ score: '88.25' })).code).toBe(29004)
    const [row] = await resultsOf(t, itemId)
    expect(row).toMatchObject({ signupId: people[0]!.signup.id, name: people[0]!.signup.name, code: 'A01' })
    expect(t.app.vault.open(row!.idCard)).toMatch(/^\d{17}[\dX]$/)
    expect((await staff.post('/blade-result/result/remove', { ids: row!.id })).code).toBe(200)
    const log = await t.db.selectFrom('resultlog').selectAll().where('itemId', '=', itemId).execute()
    expect(log).toMatchObject([{ changeType: 4, oldScore: '88.2500', oldAddScore: '2.0000', score: null }])
  })

  test('all unreleased ones of a stage go at once', async () => {
    const { itemId } = await scored(['66', '77'])
    expect((await staff.act('deleteResult', itemId)).data).toEqual({ num: 2 })
    expect(await resultsOf(t, itemId)).toEqual([])
    expect((await staff.act('deleteResult', itemId)).data).toEqual({ num: 0 })
    expect((await second.act('deleteResult', itemId)).code).toBe(29009)
  })
})

describe('who goes on', () => {
  test('the final list has totals over both stages, ranks by total, then by the written score', async () => {
    const made = await scored(['90', '80', '70', '60'])
    const interview = await addInterview(t, made)
    await staff.act('releaseResult', made.itemId)
    const { people } = made
    const tickets = []
    for (const one of people.slice(0, 3)) tickets.push(await ticketOf(t, interview.id, one.signup))
    await at(t, '2027-01-17 09:00:00')
    // 90 × 0.6 + 65 × 0.4 = 80 and 80 × 0.6 + 80 × 0.4 = 80: the better written score comes first.
    const scores = [65, 80, 95]
    await staff.take(
      interview.id,
      tickets.map(({ ticketNo }, i) => ({ 准考证号: ticketNo, 成绩: scores[i] })),
    )
    await staff.act('releaseResult', interview.id)
    const list = await staff.get<{
      positions: { rows: { signupId: string; totalScore: string; rankNo: number | '' }[] }[]
    }>(`${base}/finalList?examId=${made.examId}`)
    expect(list.data.positions[0]?.rows.map(row => [row.signupId, row.totalScore, row.rankNo])).toEqual([
      [people[0]!.signup.id, '80', 1],
      [people[1]!.signup.id, '80', 2],
      [people[2]!.signup.id, '80', 3],
      [people[3]!.signup.id, '', ''],
    ])
    expect((await resultsOf(t, interview.id)).map(one => [one.totalScore, one.isNext])).toEqual([
      ['80.0000', 1],
      ['80.0000', 0],
      ['80.0000', 0],
    ])
    const { headers } = staff.who
    const file = await t.app.inject({ url: `/api${base}/exportFinalList?examId=${made.examId}`, headers })
    const rows = await textsOf(file.rawPayload)
    expect(rows[0]?.slice(10)).toEqual(['入围', '说明'])
    const xml = unzip(file.rawPayload).get('xl/worksheets/sheet1.xml')?.toString() ?? ''
    // Scores can be added up: cells of numbers, not of text.
    for (const cell of ['G2', 'H2', 'I2'])
      expect(xml).toMatch(new RegExp(`<c r="${cell}"(?![^>]*t="(inlineStr|s|str)")[^>]*><v>`))
    expect(rows.map(row => row.slice(6, 10))).toEqual([
      ['笔试', '面试', '总成绩', '岗位排名'],
      ['90', '65', '80', '1'],
      ['80', '80', '80', '2'],
      ['70', '95', '80', '3'],
      ['60', '', '', ''],
    ])
    // The same as a paper to be posted: without who is out of the running, with the place for the seal.
    await t.pool.query('UPDATE signup SET "signStatus" = 9 WHERE id = $1', [people[3]!.signup.id])
    const print = `/api${base}/printFinalList?examId=${made.examId}`
    const paper = await t.app.inject({ url: print, headers })
    expect(paper.headers['content-type']).toBe('application/pdf')
    const pages = pdfText(paper.rawPayload)
    const text = pages.join('').replace(/\s/g, '')
    const exam = await t.db
      .selectFrom('examination')
      .selectAll()
      .where('id', '=', made.examId)
      .executeTakeFirstOrThrow()
    for (const part of [
      exam.examName,
      '入围人员名单及总成绩',
      '依据：',
      '笔试（×0.6）',
      '面试（×0.4）',
      '（盖章）',
      '第1页/共1页',
    ])
      expect(text).toContain(part.replace(/\s/g, ''))
    for (const { signup } of people.slice(0, 3)) expect(text).toContain(signup.signNo)
    expect(text).not.toContain(people[3]!.signup.signNo)
    const outsider = await signIn(t, { role: 'exam_admin' })
    expect((await t.app.inject({ url: print, headers: outsider.headers })).json()).toMatchObject({ code: 21001 })
    await staff.act('recallResult', interview.id, { reason: 'x' })
    expect((await resultsOf(t, made.itemId)).map(one => one.totalScore)).toEqual([null, null, null, null])
  })

  test('somebody struck off is taken off the shortlist, where nobody else comes on by it, until the next stage has its seats', async () => {
    const made = await scored(['90', '80', '70', '65', '62'])
    const interview = await addInterview(t, made)
    expect((await staff.act('makeNext', made.itemId)).code).toBe(26001)
    await staff.act('releaseResult', made.itemId)
    await t.pool.query('UPDATE signup SET "signStatus" = 9 WHERE id = $1', [made.people[1]!.signup.id])
    const next = await staff.act<{ num: number; changed: number; entrants: { score: string }[] }>(
      'makeNext',
      made.itemId,
    )
    expect(next.data).toMatchObject({ num: 2, changed: 1 })
    expect(next.data.entrants.map(one => Number(one.score))).toEqual([90, 70])
    await t.pool.query('UPDATE examinationitem SET "seatStatus" = 2 WHERE id = $1', [interview.id])
    expect((await staff.act('makeNext', made.itemId)).code).toBe(25008)
  })
})

test('an exam administrator sees the results of assigned exams only, and others are refused', async () => {
  const [mine, other] = [await scored(['66']), await scored(['77'])]
  const officer = scoreStaff(t, await signIn(t, { role: 'exam_admin' }))
  await appoint(t, mine.examId, officer.who)
  const page = await officer.get<{ records: { itemId: string }[] }>('/blade-result/result/page')
  expect(page.data.records.map(one => one.itemId)).toEqual([mine.itemId])
  expect((await officer.act('releaseResult', other.itemId)).code).toBe(29001)
  expect((await officer.take(other.itemId, [line(other.people, 0, 1)])).code).toBe(29001)
  expect((await officer.get(`${base}/finalList?examId=${other.examId}`)).code).toBe(21001)
  expect((await officer.act('releaseResult', mine.itemId)).code).toBe(200)
  for (const role of ['reviewer', 'finance', 'candidate']) {
    const who = scoreStaff(t, await signIn(t, { role }))
    const codes = [await who.act('releaseResult', mine.itemId), await who.act('makeNext', mine.itemId)].map(
      one => one.code,
    )
    expect([role, ...codes]).toEqual([role, 403, 403])
    expect((await who.get('/blade-result/result/page')).code).toBe(403)
  }
})
