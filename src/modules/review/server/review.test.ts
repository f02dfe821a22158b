import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Examinationitem } from '#schemas/exams/examinationitem'
import { Examuser } from '#schemas/exams/examuser'
import { Exampay } from '#schemas/payment/exampay'
import { Payrecord } from '#schemas/payment/payrecord'
import { Payrecordmain } from '#schemas/payment/payrecordmain'
import { Examinationticket } from '#schemas/tickets/examinationticket'
import { shanghai, type TestApp } from '../../../../tests/helper/app.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import { give, makeTemplate } from '../../../../tests/helper/send-bench.ts'
import {
  type Applicant,
  applicant,
  at,
  get,
  makeExam,
  post,
  put,
  reviewer,
  rowsOf,
  signApp,
  submit,
  times,
} from '../../../../tests/helper/sign-bench.ts'
import { type WorkChip, workChips } from '../rules/work-chips.ts'
import { chained, cutActs, firstHash, namedActs, unsaltedDigest, verifyActs } from './log-chain.ts'

let t: TestApp
beforeAll(async () => {
  t = await signApp()
})
afterAll(() => t.close())

const base = '/api/blade-signup/examine'

/** An exam with a first and a second reviewer, an administrator, and one sign-up. */
async function scene(more: Parameters<typeof makeExam>[1] = {}) {
  await at(t, times.inside)
  const { exam } = await makeExam(t, { ...more, exam: { examineMode: 2, ...more.exam } })
  const [first, second, admin] = [
    await reviewer(t, exam.id, 2),
    await reviewer(t, exam.id, 3),
    await reviewer(t, exam.id, 1),
  ]
  const who = await applicant(t)
  const { id } = (await submit(t, who, exam.id)).data
  return { exam, first, second, admin, who, id }
}

const act = (who: Caller, signUpId: string, examineResult: number, examineResultRemark = '', more: object = {}) =>
  post<{ nextId: string; version: number }>(t, who, `${base}/examine`, {
    signUpId,
    examineResult,
    examineResultRemark,
    ...more,
  })
const again = (who: Caller, signUpId: string, reviewResult: number, reviewRemark = '') =>
  post(t, who, `${base}/reviewInfo`, { signUpId, reviewResult, reviewRemark })
const undo = (who: Caller, signUpId: string, reason = '误操作') => post(t, who, `${base}/revoke`, { signUpId, reason })
const undone = (who: Caller, signUpId: string) =>
  post(t, who, `${base}/revoke`, { signUpId, reason: '10 秒内撤销', undo: true })
const rowOf = async (examId: string) => (await rowsOf(t, examId))[0]!

describe('first review (R1)', () => {
  it.each([
    ['passes', {}, times.inside, 1, '', 200],
    ['refuses with a remark', {}, times.inside, 2, '专业不符', 200],
    ['returns with a remark', {}, times.inside, 3, '请补证书', 200],
    ['refuses without a remark', {}, times.inside, 2, ' ', 22030],
    ['returns without a remark', {}, times.inside, 3, '', 22030],
    ['has an unknown result', {}, times.inside, 4, 'x', 22036],
    ['comes 1 ms too late', {}, times.examineEnd, 1, '', 22033],
    ['comes after a pass', { examine: 1 }, times.inside, 1, '', 22031],
    ['comes after a refusal', { examine: 2 }, times.inside, 1, '', 22031],
    ['comes after a return', { examine: 3 }, times.inside, 1, '', 22031],
    ['meets one taken back', { signStatus: 0 }, times.inside, 1, '', 22010],
    ['meets one given up', { signStatus: 2 }, times.inside, 1, '', 22037],
    ['meets one disqualified', { signStatus: 9 }, times.inside, 1, '', 22037],
  ])('%s', async (_, state, time, result, remark, code) => {
    const { exam, first, id } = await scene()
    await put(t, id, { reviewStatus: 0, ...state })
    const before = await rowOf(exam.id)
    await at(t, time)
    expect((await act(first, id, result, remark)).code).toBe(code)
    const after = await rowOf(exam.id)
    if (code === 200) expect(after).toMatchObject({ examine: result, examineUser: first.userId, version: 2 })
    else expect(after).toEqual(before)
  })

  it('takes the opinions on single items for the remark when there is none', async () => {
    const { exam, first, id } = await scene()
    const advisementList = [
      { target: 'item', code: 'education', ok: true, opinion: '' },
      { target: 'item', code: 'major', ok: false, opinion: '与证书不符' },
      { target: 'file', code: 'degree', ok: false, opinion: '请补传' },
    ]
    expect((await act(first, id, 3, '', { advisementList })).code).toBe(200)
    expect(await rowOf(exam.id)).toMatchObject({ examine: 3, examineRemark: '与证书不符；请补传' })
  })

  it('answers success when the same person says the same again, and the next one waiting', async () => {
    const { exam, first, id } = await scene()
    const next = (await submit(t, await applicant(t), exam.id)).data.id
    expect(await act(first, id, 1)).toMatchObject({ code: 200, data: { nextId: next } })
    expect(await act(first, id, 1)).toMatchObject({ code: 200 })
    expect((await act(first, id, 2, 'x')).code).toBe(22031)
    expect(await t.db.selectFrom('examinelog').selectAll().where('signupId', '=', id).execute()).toHaveLength(1)
  })

  it('lets one of two reviewers win; the other learns who and when', async () => {
    const { exam, first, id } = await scene()
    const rival = await reviewer(t, exam.id, 2)
    const answers = await Promise.all([act(first, id, 1), act(rival, id, 2, '不符')])
    expect(answers.map(answer => answer.code).sort()).toEqual([200, 22031])
    const loser = answers.find(answer => answer.code === 22031)!
    expect(loser.msg).toMatch(/^该报名已由测试\d+于2026-12-02 10:00:00处理，请刷新$/)
  })

  it('refuses what the candidate changed meanwhile', async () => {
    const { exam, first, who, id } = await scene()
    const info = await get<{ version: number }>(t, first, `${base}/getExamineInfo?signUpId=${id}`)
    await submit(t, who, exam.id, { id, content: { education: '20', major: '护理学' } })
    expect((await act(first, id, 1, '', { version: info.data.version })).code).toBe(22037)
    const fresh = await get<{ version: number; diff: object[] }>(t, first, `${base}/getExamineInfo?signUpId=${id}`)
    expect(fresh.data.diff).toMatchObject([
      { code: 'education', label: '学历', from: '大学本科', to: '硕士研究生' },
      { code: 'major', label: '专业', from: '临床医学', to: '护理学' },
    ])
    expect((await act(first, id, 1, '', { version: fresh.data.version })).code).toBe(200)
  })

  it('keeps a race of candidate and reviewer whole', async () => {
    for (let i = 0; i < 5; i++) {
      const { exam, first, who, id } = await scene()
      const content = { education: '20', major: '护理学' }
      const [review, save] = await Promise.all([
        act(first, id, 1, '', { version: 1 }),
        submit(t, who, exam.id, { id, version: 1, content }),
      ])
      const row = await rowOf(exam.id)
      const changed = (row.content as { major: string }).major === '护理学'
      if (review.code === 200)
        expect([save.code, row.examine, changed]).toEqual([
          expect.toSatisfy((c: number) => c === 22008 || c === 29002),
          1,
          false,
        ])
      else expect([review.code, save.code, row.examine, changed]).toEqual([22037, 200, 0, true])
    }
  })
})

describe('scope', () => {
  it('neither lists, counts nor opens what is outside; refuses it by name', async () => {
    const { exam, first, id } = await scene()
    const stranger = await reviewer(t, exam.id, 2, { units: 'u9' })
    const lapsed = await reviewer(t, exam.id, 2, { endTime: new Date('2026-12-01T00:00:00+08:00') })
    const other = await reviewer(t, exam.id, 2, { codes: 'A02' })
    const own = await reviewer(t, exam.id, 2, { units: 'u1,u2', codes: 'A01,A02' })
    for (const who of [stranger, lapsed, other]) {
      const list = await get<object>(t, who, `${base}/getExamineList?examId=${exam.id}`)
      expect(list.data).toMatchObject({ total: 0, records: [], counters: { wait: 0, done: 0 } })
      expect((await get(t, who, `${base}/getExamineInfo?signUpId=${id}`)).code).toBe(22032)
      expect((await act(who, id, 1)).code).toBe(22032)
      expect((await post(t, who, `${base}/claim`, { signUpId: id })).code).toBe(22032)
    }
    for (const who of [first, own]) {
      const list = await get<object>(t, who, `${base}/getExamineList?examId=${exam.id}&examine=0`)
      expect(list.data).toMatchObject({
        total: 1,
        records: [{ signUpId: id, education: '30', educationName: '大学本科' }],
      })
    }
    expect((await get(t, first, `${base}/getExamineInfo?signUpId=4242`)).code).toBe(22010)
    const head = await signIn(t, { role: 'admin', permissions: ['examine_act', 'signup_view'] })
    expect((await get(t, head, `${base}/getExamineInfo?signUpId=${id}`)).code).toBe(200)
    expect((await act(head, id, 1)).code).toBe(22032)
    const candidate: Applicant = await applicant(t)
    expect((await get(t, candidate, `${base}/getExamineList`)).status).toBe(403)
    expect((await act(candidate, id, 1)).status).toBe(403)
  })

  it('shows one sign-up whole, with the ID number masked, and lets one hold it', async () => {
    const { exam, first, id } = await scene()
    const rival = await reviewer(t, exam.id, 2)
    const info = await get<{ signup: { idCard: string } }>(t, first, `${base}/getExamineInfo?signUpId=${id}`)
    expect(info.data.signup.idCard).toMatch(/^\d{6}\*{8}[\dX]{4}$/)
    expect(info.data).toMatchObject({
      groups: [
        {
          items: [
            { code: 'education', text: '大学本科', changed: false },
            { code: 'major', text: '临床医学' },
            { code: 'note' },
          ],
        },
      ],
      files: [
        { fileCode: 'photo', list: [{ name: '扫描件.jpg' }] },
        { fileCode: 'degree', list: [] },
      ],
      position: { code: 'A01', postName: '内科医师' },
      logs: [{ kind: 'sign', label: '提交' }],
      can: { examine: true, review: false, revoke: false },
    })
    expect(await post(t, first, `${base}/claim`, { signUpId: id })).toMatchObject({ data: { mine: true } })
    expect(await post(t, rival, `${base}/claim`, { signUpId: id })).toMatchObject({
      data: { mine: false, userId: first.userId },
    })
    await at(t, '2026-12-02 10:10:00')
    expect(await post(t, rival, `${base}/claim`, { signUpId: id })).toMatchObject({ data: { mine: true } })
    const units = await get(t, first, `${base}/getExamUnits?examId=${exam.id}`)
    expect(units.data).toMatchObject([{ unit: 'u1', wait: 1, codes: [{ code: 'A01', wait: 1, pass: 0 }] }])
    expect((await get(t, first, `${base}/getExamList`)).data).toContainEqual(
      expect.objectContaining({ examId: exam.id, roles: [2], wait: 1 }),
    )
  })
})

describe('counts and lists', () => {
  it('each number of a list is the total of the list it leads to, in every stage and under every filter', async () => {
    const { exam, first, second, id } = await scene()
    const others = await Promise.all([applicant(t), applicant(t), applicant(t)])
    for (const who of others) await submit(t, who, exam.id)
    const ids = (await rowsOf(t, exam.id)).map(row => row.id).filter(one => one !== id)
    await act(first, id, 1)
    await act(first, ids[0]!, 1)
    await again(second, id, 1)
    await act(first, ids[1]!, 3, '请重新上传')
    await put(t, ids[1]!, { examine: 0 })
    type Counters = Record<'wait' | 'again' | 'done', number> & { chips: Record<WorkChip, number> }
    type List = { total: number; chip: WorkChip | ''; counters: Counters }
    const list = async (who: Caller, query: string) => (await get<List>(t, who, `${base}/getExamineList?${query}`)).data
    for (const [who, stage] of [
      [first, 1],
      [second, 2],
      [first, 3],
    ] as const)
      for (const filter of ['', '&name=查无此人', '&code=A02'])
        for (const part of ['wait', 'again', 'done'] as const) {
          const query = `stage=${stage}&examId=${exam.id}${filter}`
          const { counters } = await list(who, query)
          expect([stage, filter, part, (await list(who, `${query}&part=${part}`)).total]).toEqual([
            stage,
            filter,
            part,
            counters[part],
          ])
        }
    const { counters } = await list(first, `stage=1&examId=${exam.id}`)
    expect(counters).toMatchObject({ wait: 2, again: 1, done: 2 })
    const chips: Partial<Record<WorkChip, number>> = {
      fresh: 1,
      again: 1,
      late: 0,
      today: 2,
      mine: 2,
      rejected: 0,
      returned: 0,
    }
    expect(counters.chips).toMatchObject(chips)
    for (const [part, of] of [
      ['wait', workChips.waiting],
      ['done', workChips.done],
    ] as const)
      for (const chip of of) {
        const { total } = await list(first, `stage=1&examId=${exam.id}&part=${part}&chip=${chip}`)
        expect([chip, total]).toEqual([chip, counters.chips[chip]])
      }
    // The first of the named filters that has rows, and all of it where none has.
    const opened = async (query: string) => {
      const { chip, total } = await list(first, `stage=1&examId=${exam.id}&chip=first&${query}`)
      return [chip, total]
    }
    expect(await opened('part=wait')).toEqual(['own', 1])
    expect(await opened('part=done')).toEqual(['today', 2])
    expect(await opened('part=wait&name=查无此人')).toEqual(['', 0])
    // Whoever is appointed to the whole exam has of one's own what one has returned and what one looks at; of named units all that waits there.
    expect(counters.chips.own).toBe(1)
    await post(t, first, `${base}/claim`, { signUpId: ids[2]! })
    expect((await list(first, `stage=1&examId=${exam.id}&part=wait&chip=own`)).total).toBe(2)
    const named = (units: string | null) =>
      t.db
        .updateTable('examuser')
        .set({ units })
        .where('examId', '=', exam.id)
        .where('userId', '=', first.userId)
        .execute()
    const [one] = await rowsOf(t, exam.id)
    await named(one!.unit)
    expect((await list(first, `stage=1&examId=${exam.id}`)).counters.chips.own).toBe(2)
    await named(null)
    type Rows = { records: { signUpId: string; canRevoke: boolean }[] }
    const revocable = async (who: Caller) =>
      (await get<Rows>(t, who, `${base}/getExamineList?stage=1&examId=${exam.id}&part=done`)).data.records
        .filter(one => one.canRevoke)
        .map(one => one.signUpId)
    expect((await revocable(first)).toSorted()).toEqual([id, ids[0]!].toSorted())
    const decided = new Date(t.app.now().getTime() - 11 * 60_000)
    await t.db.updateTable('signup').set({ examineTime: decided }).where('id', '=', ids[0]!).execute()
    expect(await revocable(first)).toEqual([id])

    const before = new Date(t.app.now().getTime() - 25 * 3_600_000)
    await t.db.updateTable('signup').set({ submitTime: before }).where('id', '=', ids[1]!).execute()
    expect((await list(first, `stage=1&examId=${exam.id}&part=wait&chip=late`)).total).toBe(1)
    // What is decided under a filter gives way to the next one of that filter; the others wait longer or not.
    const info = `${base}/getExamineInfo?stage=1&signUpId=${ids[2]}&examId=${exam.id}`
    const nextOf = async (filter: string) => (await get<{ nextId: string }>(t, first, `${info}${filter}`)).data.nextId
    expect(await nextOf('&chip=fresh')).toBe('')
    expect(await nextOf('&chip=late')).toBe(ids[1])
    expect(await nextOf('')).toBe(ids[1])
    expect((await list(second, `stage=2&examId=${exam.id}`)).counters).toMatchObject({ wait: 1, done: 1 })
    expect((await list(first, `examId=${exam.id}&examine=0&again=0`)).total).toBe(1)
    const exams = (await get<{ examId: string; wait: number; check: number }[]>(t, second, `${base}/getExamList`)).data
    expect(exams.find(one => one.examId === exam.id)).toMatchObject({ wait: 0, check: 1 })
  })
})

describe('second review (R2–R4)', () => {
  it('passes, refuses or sends back what passed the first, never by the same person', async () => {
    const { exam, first, second, id } = await scene()
    expect((await again(second, id, 1)).code).toBe(29009)
    await act(first, id, 1)
    expect((await again(first, id, 1)).code).toBe(22032)
    const both = await reviewer(t, exam.id, 3)
    await t.db.updateTable('signup').set({ examineUser: both.userId }).where('id', '=', id).execute()
    expect((await again(both, id, 1)).code).toBe(22034)
    const list = (who: Caller) => get<{ total: number }>(t, who, `${base}/getExamineList?stage=2&examId=${exam.id}`)
    expect((await list(both)).data.total).toBe(0)
    expect((await list(second)).data.total).toBe(1)
    expect((await again(second, id, 3, ' ')).code).toBe(22030)
    expect(await again(second, id, 3, '请再看学历')).toMatchObject({ code: 200, data: { reviewStatus: 3 } })
    expect(await rowOf(exam.id)).toMatchObject({ examine: 0, reviewStatus: 3 })
    await act(first, id, 1, '已核')
    expect(await rowOf(exam.id)).toMatchObject({ examine: 1, reviewStatus: 0 })
    expect((await again(second, id, 2, '不符')).code).toBe(200)
    expect((await again(second, id, 1)).code).toBe(22031)
  })

  it('said again by the same person is no conflict, by another it is', async () => {
    const { exam, first, second, id } = await scene()
    await act(first, id, 1)
    expect((await again(second, id, 2, '不符')).code).toBe(200)
    const decided = await rowOf(exam.id)
    expect((await again(second, id, 2, '不符')).code).toBe(200)
    expect((await again(await reviewer(t, exam.id, 3), id, 2, '不符')).code).toBe(22031)
    expect(await rowOf(exam.id)).toEqual(decided)
  })

  it('is refused where the exam has one review', async () => {
    const { first, second, id } = await scene({ exam: { examineMode: 1 } })
    await act(first, id, 1)
    expect((await again(second, id, 1)).code).toBe(29009)
  })
})

describe('what is owed', () => {
  it('begins with the review that decides, and ends when it is taken back', async () => {
    const { exam, first, second, admin, id } = await scene({ exam: { needPay: 1 } })
    const stage = { examId: exam.id, itemName: '笔试', needPay: 1, itemStatus: 1, candidateRule: 1 } as const
    const item = await insert(t.app, Examinationitem, stage)
    await t.db.updateTable('examitems').set({ itemIds: item.id }).where('examId', '=', exam.id).execute()
    const window = { startTime: shanghai(times.start), endTime: shanghai('2026-12-20 09:00:00') }
    const fee = await insert(t.app, Exampay, {
      examId: exam.id,
      itemId: item.id,
      amount: 8000,
      payStatus: 1,
      ...window,
    })
    await insert(t.app, Payrecordmain, { examId: exam.id, itemId: item.id, exampayId: fee.id, mainStatus: 1 })
    const dues = async () =>
      (await t.db.selectFrom('payrecord').select(['amount', 'payState']).where('signupId', '=', id).execute()).map(
        one => [one.amount, one.payState],
      )
    await act(first, id, 1)
    expect(await dues()).toEqual([])
    await again(second, id, 1)
    expect(await dues()).toEqual([[8000, 0]])
    expect((await undo(admin, id)).code).toBe(200)
    expect(await dues()).toEqual([[8000, 5]])
  })
})

describe('taking back (R5)', () => {
  it('is for administrators and second reviewers, and for ten minutes for oneself', async () => {
    const { exam, first, admin, id } = await scene()
    await act(first, id, 2, '不符')
    expect((await undo(first, id, ' ')).code).toBe(29005)
    expect((await undo(first, id)).code).toBe(200)
    expect(await rowOf(exam.id)).toMatchObject({ examine: 0, examineUser: null })
    await act(first, id, 1)
    await at(t, '2026-12-02 10:10:01')
    expect((await undo(first, id)).code).toBe(22032)
    expect((await undo(admin, id)).code).toBe(200)
  })

  it.each([
    [1, ''],
    [2, '不符'],
    [3, '请补证书'],
  ])('takes result %i back, as the exam administrator every installation has', async (result, remark) => {
    const { exam, first, id } = await scene({ exam: { examineMode: 1 } })
    const officer = await signIn(t, { role: 'exam_admin' })
    await act(first, id, result, remark)
    expect((await undo(officer, id)).code).toBe(22010)
    await insert(t.app, Examuser, { examId: exam.id, userId: officer.userId, examRole: 1, enable: 1 })
    const seen = await get<{ can: object }>(t, officer, `${base}/getExamineInfo?signUpId=${id}`)
    expect(seen.data.can).toMatchObject({ revoke: true })
    const byList = await post(t, officer, `/api/blade-signup/signup/revoke?id=${id}`, { reason: '误操作' })
    expect(byList.code).toBe(200)
    expect(await rowOf(exam.id)).toMatchObject({ examine: 0, examineUser: null, examineRemark: null })
    const logs = await t.db.selectFrom('examinelog').select(['stage', 'result']).where('signupId', '=', id).execute()
    expect(logs).toContainEqual({ stage: 4, result })
  })

  it('answers success to the one who has done it, and a refusal to others', async () => {
    const { exam, first, admin, id } = await scene()
    await act(first, id, 2, '不符')
    await undo(admin, id)
    const before = await rowOf(exam.id)
    expect((await undo(admin, id)).code).toBe(200)
    expect((await undo(await reviewer(t, exam.id, 1), id)).code).toBe(29009)
    expect(await rowOf(exam.id)).toEqual(before)
    expect(await t.db.selectFrom('examinelog').selectAll().where('signupId', '=', id).execute()).toHaveLength(2)
  })

  it.each(['a payment', 'a ticket'])('is refused after %s', async after => {
    const { exam, first, id } = await scene()
    await act(first, id, 1)
    const own = { examId: exam.id, itemId: '77', signupId: id }
    if (after === 'a payment') await insert(t.app, Payrecord, { ...own, payState: 1 })
    else await insert(t.app, Examinationticket, { ...own, ticketStatus: 1, ticketNo: `T${id}` })
    expect((await undo(first, id)).code).toBe(22035)
    expect(await rowOf(exam.id)).toMatchObject({ examine: 1 })
  })

  it.each([
    ['the first review: passed', 1, 1],
    ['the first review: refused', 1, 2],
    ['the first review: returned', 1, 3],
    ['the second review: passed', 2, 1],
    ['the second review: refused', 2, 2],
    ['the second review: sent back', 2, 3],
  ] as const)('undoes one step within ten seconds, %s, and leaves what was before', async (_, stage, result) => {
    const { exam, first, second, admin, id } = await scene()
    await act(first, id, 3, '请补证书')
    await put(t, id, { examine: 0 })
    if (stage === 2) await act(first, id, 1)
    const before = await rowOf(exam.id)
    const who = stage === 1 ? first : second
    const other = stage === 1 ? await reviewer(t, exam.id, 2) : admin
    expect((await (stage === 1 ? act : again)(who, id, result, '意见')).code).toBe(200)
    const decided = await rowOf(exam.id)
    expect((await undone(other, id)).code).toBe(stage === 1 ? 29009 : 22032)
    await at(t, '2026-12-02 10:00:13')
    expect((await undone(who, id)).code).toBe(22038)
    expect(await rowOf(exam.id)).toEqual(decided)
    await at(t, '2026-12-02 10:00:10')
    const twice = await Promise.all([undone(who, id), undone(who, id)])
    expect(twice.map(one => one.code).sort()).toEqual([200, expect.toSatisfy(code => code === 200 || code === 29002)])
    const row = await rowOf(exam.id)
    expect({ ...row, version: 0, updateTime: null, updateUser: null }).toEqual({
      ...before,
      version: 0,
      updateTime: null,
      updateUser: null,
    })
    expect(row.version).toBe(decided.version + 1)
    expect((await undone(who, id)).code).toBe(200)
    expect(await rowOf(exam.id)).toEqual(row)
  })

  it('tells the candidate of what stands after ten minutes, and of nothing that was undone', async () => {
    const { first, id } = await scene({ exam: { examineMode: 1 } })
    const queued = async () =>
      (await t.db.selectFrom('work_item').select('state').where('kind', '=', 'review.tell').execute()).length
    const before = await queued()
    await act(first, id, 1)
    // Without a template of that name nobody is told, and nothing waits.
    expect(await queued()).toBe(before)
    await undone(first, id)
    await makeTemplate(t, { smsCode: 'review', templateContent: '{exam}{number}：{result}' })
    await give(t, 100)
    const sendings = async () =>
      (await t.db.selectFrom('send').select('id').where('title', '=', '审核结果').execute()).length
    await act(first, id, 2, '不符')
    await undone(first, id)
    await at(t, '2026-12-02 10:00:20')
    await t.app.queue.workOff()
    expect(await sendings()).toBe(0)
    await act(first, id, 1)
    await t.app.queue.workOff()
    expect(await sendings()).toBe(0)
    await at(t, '2026-12-02 10:10:19')
    await t.app.queue.workOff()
    expect(await sendings()).toBe(0)
    await at(t, '2026-12-02 10:10:21')
    await t.app.queue.workOff()
    expect(await sendings()).toBe(1)
  })

  it('needs a place for one that was refused', async () => {
    const { exam, first, id } = await scene({ post: { maxSignup: 1 } })
    await act(first, id, 2, '不符')
    expect((await submit(t, await applicant(t), exam.id)).code).toBe(200)
    expect((await undo(first, id)).code).toBe(22005)
  })
})

it('B28 · tells the reviewer which characters of a name print as their numbers', async () => {
  const { first, id } = await scene()
  const lines = async () =>
    (
      await t.call<{ precheck: { rule: string; level: number; msg: string }[] }>({
        url: `${base}/getExamineInfo?signUpId=${id}`,
        headers: first.headers,
      })
    ).data.precheck
  expect((await lines()).filter(one => one.rule === 'glyph')).toEqual([])
  await t.db.updateTable('signup').set({ name: '𠮷\u{31350}' }).where('id', '=', id).execute()
  const [line] = (await lines()).filter(one => one.rule === 'glyph')
  expect(line).toMatchObject({
    level: 2,
    msg: expect.stringContaining('「\u{31350}」没有可用字体，准考证上将印作 U+31350'),
  })
})

it('a required paper that is missing is unfit: on the page, in the list, and for those passed together', async () => {
  const { exam, first, id } = await scene()
  await t.db.updateTable('examsignfiles').set({ required: 1 }).where('examId', '=', exam.id).execute()
  const info = await get<{ precheck: object[]; place: object }>(t, first, `${base}/getExamineInfo?signUpId=${id}`)
  expect(info.data.precheck).toContainEqual({ rule: 'paper', level: 3, msg: expect.stringMatching(/^缺少必传材料：/) })
  expect(info.data.place).toEqual({ at: 1, of: 1 })
  const list = await get<{ records: object[] }>(t, first, `${base}/getExamineList?examId=${exam.id}`)
  expect(list.data.records).toMatchObject([{ precheckMax: 3 }])
  const lines = await post(t, first, `${base}/examineBatch`, { ids: [id] })
  expect(lines.data).toMatchObject([{ ok: false, code: 29009 }])
})

describe('many at once and the record', () => {
  it('passes clean rows only, each on its own', async () => {
    const { exam, first, id } = await scene()
    const unfit = (await submit(t, await applicant(t), exam.id)).data.id
    const level = JSON.stringify([{ rule: 'age', level: 3, msg: '超龄' }])
    await t.db.updateTable('signup').set({ precheck: level }).where('id', '=', unfit).execute()
    const lines = await post(t, first, `${base}/examineBatch`, { ids: [id, unfit, '4242'] })
    expect(lines.data).toMatchObject([
      { id, ok: true },
      { id: unfit, ok: false, code: 29009 },
      { ok: false, code: 22010 },
    ])
    expect((await post(t, first, `${base}/examineBatch`, { ids: Array(51).fill(id) })).code).toBe(29005)
  })

  it('chains the record of every act', async () => {
    const { first, second, id } = await scene()
    await act(first, id, 1)
    await again(second, id, 3, '再看')
    await act(first, id, 1, '已看')
    const logs = await t.db.selectFrom('examinelog').selectAll().where('signupId', '=', id).orderBy('id').execute()
    expect(logs.map(log => [log.stage, log.result])).toEqual([
      [1, 1],
      [2, 3],
      [1, 1],
    ])
    expect(logs.map(log => log.prevHash)).toEqual([firstHash, logs[0]?.hash, logs[1]?.hash])
    expect(await verifyActs(t.db, '000000', [id])).toEqual({ count: 3, broken: null })
  })

  it('finds an act that was changed, before and after what the form held is erased', async () => {
    const { first, second, id } = await scene()
    await act(first, id, 1)
    await again(second, id, 3, '再看')
    await act(first, id, 1, '已看')
    const read = () => t.db.selectFrom('examinelog').selectAll().where('signupId', '=', id).orderBy('id').execute()
    const found = async () => (await verifyActs(t.db, '000000', [id])).broken?.id ?? null
    const [old, one, two] = (await read()) as [Act, Act, Act]
    type Act = Awaited<ReturnType<typeof read>>[number]
    const set = (row: Act, change: string) => t.pool.query(`UPDATE examinelog SET ${change} WHERE id = ${row.id}`)

    // The first was written before forms had salts.
    const hash = unsaltedDigest(firstHash, old)
    const next = chained(hash, one)
    await set(old, `salt = NULL, "contentHash" = NULL, hash = '${hash}'`)
    const link = ({ prevHash, salt, contentHash, hash: own }: typeof next) =>
      `"prevHash" = '${prevHash}', salt = '${salt}', "contentHash" = '${contentHash}', hash = '${own}'`
    await set(one, link(next))
    await set(two, link(chained(next.hash, two)))
    expect(await found()).toBeNull()
    const changes = [
      [old, `result = 2`, `result = 1`],
      [old, `snapshot = snapshot || '{"photo": "5"}'`, `snapshot = '${JSON.stringify(old.snapshot)}'`],
      [one, `snapshot = snapshot || '{"photo": "5"}'`, `snapshot = '${JSON.stringify(one.snapshot)}'`],
      [one, `remark = '不看'`, `remark = '再看'`],
    ] as const
    for (const [row, change, back] of changes) {
      await set(row, change)
      expect(await found()).toBe(row.id)
      await set(row, back)
      expect(await found()).toBeNull()
    }

    const why = { tenantId: '000000', userId: null, targetType: 'signup', targetId: id }
    const erase = () =>
      t.db.transaction().execute(async trx => {
        const rows = await trx.selectFrom('examinelog').selectAll().where('signupId', '=', id).execute()
        const seq = await t.app.audit.erase(trx, why, { examinelog: namedActs(rows) })
        await cutActs(trx, rows, seq)
      })
    await erase()
    expect(await found()).toBeNull()
    for (const row of await read())
      expect([row.snapshot, row.diff, row.salt]).toEqual([
        expect.objectContaining({ content: {}, photo: null }),
        null,
        null,
      ])
    for (const [row, change, back] of [
      [old, `result = 2`, `result = 1`],
      [
        old,
        `snapshot = snapshot || '{"code": "X9"}'`,
        `snapshot = snapshot || '{"code": "${(old.snapshot as { code: string }).code}"}'`,
      ],
      [one, `remark = '不看'`, `remark = '再看'`],
      [two, `snapshot = snapshot || '{"content": {"a": 1}}'`, `snapshot = snapshot || '{"content": {}}'`],
      // Erased, and no entry says so.
      [two, `"cutBy" = NULL`, `"cutBy" = (SELECT "cutBy" FROM examinelog WHERE id = ${one.id})`],
      [two, `"cutBy" = 1`, `"cutBy" = (SELECT "cutBy" FROM examinelog WHERE id = ${one.id})`],
    ] as const) {
      await set(row, change)
      expect(await found()).toBe(row.id)
      await set(row, back)
      expect(await found()).toBeNull()
    }
  })

  it('does not hide what was changed by erasing it', async () => {
    const { first, id } = await scene()
    await act(first, id, 1)
    await t.pool.query(`UPDATE examinelog SET snapshot = snapshot || '{"photo": "5"}' WHERE "signupId" = ${id}`)
    const why = { tenantId: '000000', userId: null, targetType: 'signup', targetId: id }
    await t.db.transaction().execute(async trx => {
      const rows = await trx.selectFrom('examinelog').selectAll().where('signupId', '=', id).execute()
      await cutActs(trx, rows, await t.app.audit.erase(trx, why, { examinelog: namedActs(rows) }))
    })
    expect((await verifyActs(t.db, '000000', [id])).broken?.signupId).toBe(id)
  })

  describe('disqualifying and taking back in (S9, S10), with the roles every installation has', () => {
    const list = '/api/blade-signup/signup'
    const strike = (person: Caller, id: string, reason = '材料造假') =>
      post(t, person, `${list}/cancelQualification?id=${id}`, { reason })
    const restore = (person: Caller, id: string) =>
      post(t, person, `${list}/restoreQualification?id=${id}`, { reason: '复核属实' })
    const asked = { code: 200, data: { message: expect.stringContaining('另一位') } }
    const acts = (id: string) =>
      t.db
        .selectFrom('examinelog')
        .select(['stage', 'result'])
        .where('signupId', '=', id)
        .where('stage', '=', 5)
        .execute()

    /** One exam administrator who is appointed, and the administrator of the institution, who is not. */
    async function two(more: Parameters<typeof scene>[0] = {}) {
      const made = await scene(more)
      const officer = await signIn(t, { role: 'exam_admin' })
      await insert(t.app, Examuser, { examId: made.exam.id, userId: officer.userId, examRole: 1, enable: 1 })
      return { ...made, officer, head: await signIn(t, { role: 'admin' }) }
    }

    it('an exam administrator asks, the administrator of the institution confirms and takes back in', async () => {
      const { exam, first, officer, head, who, id } = await two()
      expect((await strike(first, id)).code).toBe(22010)
      expect([await strike(officer, id), await strike(officer, id)]).toMatchObject([asked, asked])
      const seen = await get<{ strike: object }>(t, head, `${base}/getExamineInfo?signUpId=${id}`)
      expect(seen.data.strike).toMatchObject({ reason: '材料造假', mine: false })
      expect(await strike(head, id)).toMatchObject({ code: 200, data: {} })
      expect(await rowOf(exam.id)).toMatchObject({ signStatus: 9, cancelReason: '材料造假' })
      expect((await submit(t, who, exam.id, { id })).code).toBe(22008)
      expect((await restore(officer, id)).code).toBe(403)
      expect((await restore(head, id)).code).toBe(200)
      expect(await rowOf(exam.id)).toMatchObject({ signStatus: 1, cancelReason: null })
      expect(await strike(officer, id)).toMatchObject(asked)
    })

    it('those who did it may say so again, nobody else', async () => {
      const { exam, officer, head, admin, id } = await two()
      await strike(officer, id)
      await strike(head, id)
      const struck = await rowOf(exam.id)
      expect([(await strike(head, id)).code, (await strike(officer, id)).code]).toEqual([200, 200])
      expect((await strike(admin, id)).code).toBe(29009)
      expect([await rowOf(exam.id), (await acts(id)).length]).toEqual([struck, 1])
      await restore(head, id)
      const back = await rowOf(exam.id)
      expect((await restore(head, id)).code).toBe(200)
      expect((await restore(await signIn(t, { role: 'admin' }), id)).code).toBe(29009)
      expect([await rowOf(exam.id), (await acts(id)).length]).toEqual([back, 2])
    })

    const told = async (id: string) =>
      (
        await t.db
          .selectFrom('event')
          .select(['code', 'facts'])
          .where('subjectId', '=', id)
          .where('code', 'like', 'signup.strike%')
          .orderBy('id')
          .execute()
      ).map(({ code, facts }) => ({ code, facts }))
    const todo = async (person: Caller) =>
      (await get<{ todo: { code: string; num: number }[] }>(t, person, '/api/blade-desk/home/staff')).data.todo
        .filter(({ code }) => code === 'signup.取消待确认')
        .map(({ num }) => num)
    const waitingRows = async (person: Caller) =>
      (
        await get<{ records: { id: string }[] }>(
          t,
          person,
          `/api/blade-signup/signup/page?chip=${encodeURIComponent('取消待确认')}`,
        )
      ).data.records.map(one => one.id)

    it('the candidate is told once that it is asked for, with time to be heard; the second person has it to do', async () => {
      const { officer, head, id } = await two()
      await strike(officer, id)
      await strike(officer, id)
      const until = shanghai(times.inside).getTime() + 3 * 86_400_000
      expect(await told(id)).toEqual([
        { code: 'signup.strikeNotice', facts: { reason: '材料造假', until: new Date(until).toISOString() } },
      ])
      const [of, rows] = [await todo(head), await waitingRows(head)]
      expect([rows.includes(id), of]).toEqual([true, [rows.length]])
      expect([await waitingRows(officer), await todo(officer)]).toEqual([[], []])
      await strike(head, id)
      expect(await waitingRows(head)).not.toContain(id)
      expect(await told(id)).toHaveLength(1)
    })

    it('the candidate is not told beforehand where the exam does not announce it', async () => {
      const { officer, head, id } = await two({ exam: { strikeDays: 0 } })
      await strike(officer, id)
      expect(await told(id)).toEqual([])
      expect(await waitingRows(head)).toContain(id)
    })

    it('what was asked for may drop instead, once', async () => {
      const { exam, first, officer, head, id } = await two()
      const drop = (person: Caller) =>
        post(t, person, `${list}/keepQualification`, { signUpId: id, reason: '申辩成立' })
      expect((await drop(head)).code).toBe(29009)
      await strike(officer, id)
      expect((await drop(first)).code).toBe(22010)
      expect((await drop(head)).code).toBe(200)
      expect((await drop(head)).code).toBe(29009)
      expect(await rowOf(exam.id)).toMatchObject({ signStatus: 1 })
      expect((await told(id)).map(one => one.code)).toEqual(['signup.strikeNotice', 'signup.strikeDropped'])
      expect(await waitingRows(head)).not.toContain(id)
      expect(await strike(head, id)).toMatchObject(asked)
    })

    it('a due that was closed is owed again', async () => {
      const { exam, first, officer, head, id } = await two({ exam: { examineMode: 1 } })
      const item = await insert(t.app, Examinationitem, { examId: exam.id, needPay: 1, fee: 8000, candidateRule: 1 })
      await t.db.updateTable('examitems').set({ itemIds: item.id }).where('examId', '=', exam.id).execute()
      const fee = await insert(t.app, Exampay, {
        examId: exam.id,
        itemId: item.id,
        amount: 8000,
        payStatus: 1,
        startTime: shanghai(times.start),
        endTime: shanghai('2026-12-20 09:00:00'),
      })
      await insert(t.app, Payrecordmain, { examId: exam.id, itemId: item.id, exampayId: fee.id, mainStatus: 1 })
      const due = () => t.db.selectFrom('payrecord').select('payState').where('signupId', '=', id).execute()
      await act(first, id, 1)
      expect(await due()).toEqual([{ payState: 0 }])
      await strike(officer, id)
      await strike(head, id)
      expect(await due()).toEqual([{ payState: 5 }])
      await restore(head, id)
      expect(await due()).toEqual([{ payState: 0 }])
    })

    it.each([
      ['the next stage has no seats yet', 1, 200],
      ['tickets of the next stage are locked', 2, 29009],
    ] as const)('restores as long as %s', async (_, seatStatus, code) => {
      const { exam, officer, head, id } = await two()
      const stage = (startTime: string, status: 0 | 1 | 2) =>
        insert(t.app, Examinationitem, {
          examId: exam.id,
          itemStatus: 1,
          seatStatus: status,
          startTime: shanghai(startTime),
        })
      const written = await stage('2026-12-20 09:00:00', 2)
      await stage('2027-01-20 09:00:00', seatStatus)
      const own = { examId: exam.id, itemId: written.id, signupId: id }
      await insert(t.app, Examinationticket, { ...own, ticketStatus: 1, ticketNo: `T${id}` })
      await strike(officer, id)
      await strike(head, id)
      expect(await restore(head, id)).toMatchObject({ code })
      expect(await rowOf(exam.id)).toMatchObject({ signStatus: code === 200 ? 1 : 9 })
    })

    it('an administrator of another institution finds nothing', async () => {
      const { officer, id } = await two()
      await strike(officer, id)
      const stranger = await signIn(t, { role: 'admin', tenantId: '300001', permissions: ['signup_strike'] })
      expect((await strike(stranger, id)).code).toBe(22010)
    })
  })
})
