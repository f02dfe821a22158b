import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Examitems } from '#schemas/exams/examitems'
import { Exampay } from '#schemas/payment/exampay'
import { Payrecord } from '#schemas/payment/payrecord'
import { Result } from '#schemas/results/result'
import { shanghai, type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { appoint, asCaller, makeDraft } from '../../../../tests/helper/exam-bench.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { ticketOf } from '../../../../tests/helper/result-bench.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import { drawing, makeStage, passed } from '../../../../tests/helper/seat-bench.ts'
import { readRows } from '../../../platform/workbook/workbook-read.ts'

let t: TestApp
let admin: Caller
beforeAll(async () => {
  t = await testApp({ now: drawing })
  admin = await signIn(t, { role: 'admin' })
})
afterAll(() => t.close())

/** The file of a list: a row by its headings. */
async function fileOf(who: Caller, path: string): Promise<Record<string, string>[]> {
  const { rawPayload } = await t.app.inject({ url: `/api${path}`, headers: who.headers })
  const lines: string[][] = []
  for await (const { cells } of readRows(rawPayload)) lines.push(cells.map(cell => cell.text))
  const [heads = [], ...rows] = lines
  return rows.map(cells => Object.fromEntries(heads.map((head, i) => [head, cells[i] ?? ''])))
}

interface Page<Row> {
  records: Row[]
  total: number
}

describe('exams', () => {
  interface Exam {
    id: string
    phases: string[]
    deadline: { label: string; at: string } | ''
  }
  const at = '/blade-exam/examination'
  const list = async (who: Caller, more = '') =>
    (await asCaller(t, who).get<Page<Exam>>(`${at}/page?size=50${more}`)).data.records

  test('say their phases and their nearest deadline, as the first page of staff does', async () => {
    const officer = await signIn(t, { role: 'exam_admin' })
    const paying = {
      examStatus: 1,
      needPay: 1,
      payStartTime: shanghai('2026-12-11 09:00:00'),
      payEndTime: shanghai('2026-12-22 09:00:00'),
    } as const
    const [running, draft, closed] = [
      await makeDraft(t, { exam: paying }),
      await makeDraft(t),
      await makeDraft(t, { exam: { examStatus: 2 } }),
    ]
    for (const { exam } of [running, draft, closed]) await appoint(t, exam.id, officer)
    const rows = new Map((await list(officer)).map(row => [row.id, row]))
    expect(rows.get(running.exam.id)).toMatchObject({
      phases: ['缴费中', '待考'],
      deadline: { label: '缴费截止', at: '2026-12-22 09:00:00' },
    })
    expect(rows.get(draft.exam.id)).toMatchObject({ phases: [], deadline: '' })
    expect(rows.get(closed.exam.id)).toMatchObject({ phases: ['已关闭'], deadline: '' })
    const home = await asCaller(t, officer).get<{ exams: Exam[] }>('/blade-desk/home/staff')
    const { phases, deadline } = home.data.exams.find(one => one.id === running.exam.id) as Exam
    expect(rows.get(running.exam.id)).toMatchObject({ phases, deadline })
    const detail = await asCaller(t, officer).get<Exam>(`${at}/detail?id=${running.exam.id}`)
    expect(detail.data).toMatchObject({ phases, deadline })
    const written = await fileOf(officer, `${at}/export?ascs=id`)
    expect(written.map(row => [row.当前阶段, row.最近截止])).toEqual([
      ['缴费中、待考', '缴费截止 2026-12-22 09:00:00'],
      ['', ''],
      ['已关闭', ''],
    ])
  })

  test('take no more statements when there are more of them, and are not sorted by what is not stored', async () => {
    const count = async (size: number) => {
      const spy = vi.spyOn(t.app.pool, 'query')
      await asCaller(t, admin).get(`${at}/page?size=${size}&examYear=2026`)
      // What runs in the background meanwhile is of no concern, such as the journal, which names the calls before.
      const reads = /^\s*(select|with)\b.*examination/is
      const textOf = (first: unknown) => (typeof first === 'string' ? first : (first as { text: string }).text)
      const n = spy.mock.calls.filter(([first]) => reads.test(textOf(first))).length
      expect(n).toBeGreaterThan(0)
      spy.mockRestore()
      return n
    }
    await count(1)
    expect(await count(3)).toBe(await count(1))
    expect((await asCaller(t, admin).get(`${at}/page?ascs=phases`)).code).toBe(29005)
  })
})

describe('positions', () => {
  const at = '/blade-examitem/examitems'
  const sums = ['planNum', 'curPlanNum', 'signNum', 'passNum', 'paidNum'] as const
  type Position = Record<(typeof sums)[number], number> & {
    code: string
    ratio: string
    outlook: { decision: number; afterNum: number; lackNum: number }
  }
  const all = async (who: Caller, filter: string) => {
    const pages = [1, 2, 3, 4].map(current =>
      asCaller(t, who).get<Page<Position>>(`${at}/page?size=2&current=${current}${filter}`),
    )
    return (await Promise.all(pages)).flatMap(page => page.data.records)
  }
  const sumOf = (rows: readonly Position[]) =>
    Object.fromEntries(sums.map(name => [name, rows.reduce((sum, row) => sum + row[name], 0)]))

  /** An exam with three positions and people at them; `A01` is as the draft has it, three places. */
  async function crowded(unit = 'u1') {
    const made = await makeDraft(t, { exam: { examStatus: 1, reduceBase: 1 }, stage: { needPay: 1, fee: 8000 } })
    const examId = made.exam.id
    const post = { examId, unit, enable: 1, postStatus: 1, itemIds: made.stage.id, noRatio: 0 } as const
    await insert(t.app, Examitems, { ...post, code: 'A02', planNum: 2, curPlanNum: 2, openRatio: '3' })
    await insert(t.app, Examitems, { ...post, code: 'A03', planNum: 1, curPlanNum: 1, openRatio: '1.5' })
    await t.pool.query(`UPDATE examitems SET "openRatio" = 1, unit = $2 WHERE id = $1`, [made.post.id, unit])
    for (let i = 0; i < 3; i++) await passed(t, examId, { payState: 1, unit })
    await passed(t, examId, { examine: 0, unit })
    await passed(t, examId, { signStatus: 2, unit })
    await passed(t, examId, { code: 'A02', payState: 0, unit })
    await passed(t, examId, { code: 'A01', finalCode: 'A02', reduceState: 3, payState: 2, unit })
    for (let i = 0; i < 3; i++) await passed(t, examId, { code: 'A02', payState: 2, unit })
    await passed(t, examId, { code: 'A03', unit })
    return made
  }

  test('count who stands where, by the position that counts, and say what reduction would make of it', async () => {
    const { exam } = await crowded()
    const rows = await all(admin, `&examId=${exam.id}&ascs=code`)
    const short = rows.map(({ code, signNum, passNum, paidNum, ratio }) => [code, signNum, passNum, paidNum, ratio])
    expect(short).toEqual([
      ['A01', 4, 3, 3, '1.33'],
      ['A02', 5, 5, 4, '2.50'],
      ['A03', 1, 1, 0, '1.00'],
    ])
    expect(rows.map(({ outlook }) => [outlook.decision, outlook.afterNum, outlook.lackNum])).toEqual([
      [1, 3, 0],
      [2, 1, 0],
      [3, 0, 1],
    ])
    const written = await fileOf(admin, `${at}/export?examId=${exam.id}&ascs=code`)
    const crowds = written.map(row => [row.岗位代码, row.报名人数, row.审核通过数, row.缴费人数, row.竞争比例])
    expect(crowds).toEqual(short.map(([code, ...numbers]) => [code, ...numbers.map(n => String(Number(n)))]))
    const heads = Object.keys(written[0] ?? {})
    expect(heads.slice(0, 6)).toEqual(['岗位名称', '岗位代码', '招聘单位', '岗位类别', '考试', '岗位状态'])
    await t.pool.query('UPDATE examination SET "examineMode" = 2 WHERE id = $1', [exam.id])
    expect((await all(admin, `&examId=${exam.id}`)).map(one => one.passNum)).toEqual([0, 0, 0])
  })

  test('have totals that are the sum of all pages, with any filter and in any scope', async () => {
    const [mine, others] = [await crowded(), await crowded('u2')]
    const officer = await signIn(t, { role: 'exam_admin' })
    await appoint(t, mine.exam.id, officer)
    for (const [who, filter] of [
      [admin, `&examId=${mine.exam.id}`],
      [admin, `&examId=${others.exam.id}&code=A02`],
      [officer, ''],
      [officer, '&unit=u1&code=A'],
    ] as const) {
      const totals = await asCaller(t, who).get(`${at}/totals?current=2&size=2${filter}`)
      expect(totals.code).toBe(200)
      expect([filter, totals.data]).toEqual([filter, sumOf(await all(who, filter))])
    }
    const none = await asCaller(t, officer).get(`${at}/totals?examId=${others.exam.id}`)
    expect(none.data).toEqual(sumOf([]))
    expect((await asCaller(t, officer).get(`${at}/totals?colour=red`)).code).toBe(29005)
    const finance = await signIn(t, { role: 'finance' })
    expect((await asCaller(t, finance).get(`${at}/totals`)).status).toBe(403)
  })
})

describe('stages', () => {
  const at = '/blade-item/examinationitem'
  const exams = '/blade-exam/examination'
  interface Stage {
    moves: Record<string, { next: string; msg: string }>
  }
  type Made = Awaited<ReturnType<typeof makeStage>>
  const movesOf = async (id: string, headers: Record<string, string> = {}) =>
    (await asCaller(t, { ...admin, headers: { ...admin.headers, ...headers } }).get<Page<Stage>>(`${at}/page?id=${id}`))
      .data.records[0]?.moves ?? {}
  const put = (id: string, values: object) =>
    t.db.updateTable('examinationitem').set(values).where('id', '=', id).execute()
  const fee = ({ examId, itemId }: Made, more: object = {}) =>
    insert(t.app, Exampay, {
      examId,
      itemId,
      payStatus: 0,
      amount: 8000,
      startTime: shanghai('2026-12-20 00:00:00'),
      endTime: shanghai('2026-12-30 00:00:00'),
      ...more,
    })
  const charged = (id: string) => put(id, { needPay: 1, fee: 8000 })

  /** Times of a stage that is over. */
  const held = { startTime: shanghai('2026-12-19 09:00:00'), endTime: shanghai('2026-12-19 11:00:00') }

  /** Field, what blocks its next move, how that comes about, and the call of the move below the stage or the exam. */
  const blocks: [field: string, code: number, call: string, spoil: (made: Made) => Promise<unknown>][] = [
    ['itemStatus', 29003, `${at}/disable`, ({ examId, itemId }) => insert(t.app, Result, { examId, itemId })],
    ['payRelease', 29005, `${at}/releasePay`, ({ itemId }) => charged(itemId)],
    [
      'payRelease',
      29005,
      `${at}/releasePay`,
      async made => {
        await charged(made.itemId)
        await fee(made, { endTime: shanghai('2026-12-20 08:00:00') })
      },
    ],
    [
      'payRelease',
      24013,
      `${at}/recallPay`,
      async made => {
        await charged(made.itemId)
        await put(made.itemId, { payRelease: 1 })
        await fee(made, { payStatus: 1 })
        await insert(t.app, Payrecord, { examId: made.examId, itemId: made.itemId, payState: 1 })
      },
    ],
    ['seatStatus', 25010, `${exams}/allotSeat`, ({ examId }) => passed(t, examId, { examine: 0 })],
    ['seatStatus', 23007, `${exams}/allotSeat`, ({ examId }) => passed(t, examId, { reduceState: 1 })],
    ['seatStatus', 29005, `${exams}/allotSeat`, async () => undefined],
    [
      'seatStatus',
      25007,
      `${exams}/allotSeat`,
      async ({ examId }) => {
        for (let i = 0; i < 7; i++) await passed(t, examId)
      },
    ],
    [
      'seatStatus',
      29005,
      `${exams}/lockAllot`,
      async ({ examId, itemId }) => {
        await passed(t, examId)
        await put(itemId, { seatStatus: 1 })
      },
    ],
    ['seatStatus', 25011, `${exams}/unlockAllot`, ({ itemId }) => put(itemId, { seatStatus: 2, ticketRelease: 1 })],
    ['ticketRelease', 29009, `${at}/releaseTicket`, async () => undefined],
    ['resultRelease', 29009, `${at}/releaseResult`, async () => undefined],
    ['resultRelease', 26003, `${at}/releaseResult`, ({ itemId }) => put(itemId, held)],
    ['ticketRelease', 29009, `${at}/releaseTicket`, ({ itemId }) => put(itemId, { ...held, seatStatus: 2 })],
    ['seatStatus', 29009, `${exams}/allotSeat`, ({ itemId }) => put(itemId, held)],
    ['seatStatus', 29009, `${exams}/lockAllot`, ({ itemId }) => put(itemId, { ...held, seatStatus: 1 })],
    [
      'resultRelease',
      26003,
      `${at}/releaseResult`,
      async ({ examId, itemId }) => {
        const [one, other] = [await passed(t, examId), await passed(t, examId)]
        for (const signup of [one, other]) await ticketOf(t, itemId, signup)
        await insert(t.app, Result, { examId, itemId, signupId: one.id, score: '60', resultFlag: 1 })
        await put(itemId, held)
      },
    ],
    ['ticketRelease', 21011, `${at}/releaseTicket`, ({ examId }) => archived(examId)],
    ['seatStatus', 21011, `${exams}/allotSeat`, ({ examId }) => archived(examId)],
  ]
  const archived = (id: string) => t.db.updateTable('examination').set({ examStatus: 3 }).where('id', '=', id).execute()

  test.each(blocks)('%s: %i is said beforehand as %s refuses it (%#)', async (field, code, path, spoil) => {
    const made = await makeStage(t, 1)
    await spoil(made)
    const move = (await movesOf(made.itemId))[field]
    const refused = await asCaller(t, admin).post(path, { id: made.itemId, itemId: made.itemId })
    expect(refused.code).toBe(code)
    expect(move?.msg).toBe(refused.msg)
    const english = { 'accept-language': 'en' }
    const said = await asCaller(t, { ...admin, headers: { ...admin.headers, ...english } }).post(path, {
      id: made.itemId,
      itemId: made.itemId,
    })
    expect((await movesOf(made.itemId, english))[field]?.msg).toBe(said.msg)
    expect(said.msg).not.toBe(refused.msg)
  })

  test('what nothing blocks can be done from the list; a side that a stage does not have has no move', async () => {
    const made = await makeStage(t, 1)
    const { itemId } = made
    const act = async (name: string, more: object = {}) =>
      (await asCaller(t, admin).post(`${at}/${name}`, { id: itemId, ...more })).code
    const next = async (field: string) => {
      const move = (await movesOf(itemId))[field]
      return move && [move.next, move.msg]
    }
    expect(await next('payRelease')).toBeUndefined()
    await charged(itemId)
    await fee(made)
    expect(await next('payRelease')).toEqual(['发布缴费', ''])
    expect(await act('releasePay')).toBe(200)
    expect(await next('payRelease')).toEqual(['撤回缴费', ''])
    expect(await act('recallPay')).toBe(200)
    await put(itemId, { seatStatus: 2, needPay: 0 })
    expect(await next('ticketRelease')).toEqual(['发布准考证', ''])
    expect(await act('releaseTicket')).toBe(200)
    expect(await act('recallTicket')).toBe(29005)
    expect(await next('ticketRelease')).toEqual(['撤回准考证', ''])
    expect(await act('recallTicket', { reason: '时间有误' })).toBe(200)
    const signup = await passed(t, made.examId)
    await ticketOf(t, itemId, signup)
    await insert(t.app, Result, { examId: made.examId, itemId, signupId: signup.id, score: '60', resultFlag: 1 })
    await put(itemId, held)
    expect(await next('resultRelease')).toEqual(['发布成绩', ''])
    expect(await act('releaseResult')).toBe(200)
    expect(await act('recallResult', { reason: '复核' })).toBe(200)
    await put(itemId, { needTicket: 0, needSeat: 0 })
    expect(Object.keys(await movesOf(itemId))).toEqual(['itemStatus', 'resultRelease'])
  })

  test('are moved by whoever may, in assigned exams', async () => {
    const made = await makeStage(t, 1)
    const stranger = await signIn(t, { role: 'exam_admin' })
    const reviewer = await signIn(t, { role: 'reviewer' })
    for (const name of ['releasePay', 'releaseTicket', 'recallTicket', 'releaseResult', 'recallResult']) {
      const body = { id: made.itemId, reason: 'x' }
      expect([name, (await asCaller(t, stranger).post(`${at}/${name}`, body)).code]).toEqual([name, 29001])
      expect([name, (await asCaller(t, reviewer).post(`${at}/${name}`, body)).status]).toEqual([name, 403])
    }
  })
})
