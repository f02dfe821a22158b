import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Examsignitems } from '#schemas/exams/examsignitems'
import type { TestApp } from '../../../../tests/helper/app.ts'
import { shanghai } from '../../../../tests/helper/app.ts'
import { signIn } from '../../../../tests/helper/person.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import {
  type Applicant,
  applicant,
  at,
  formOf,
  get,
  makeExam,
  post,
  put,
  reviewer,
  rowsOf,
  signApp,
  submit,
  times,
  upload,
} from '../../../../tests/helper/sign-bench.ts'
import { readRows } from '../../../platform/workbook/workbook-read.ts'

let t: TestApp
beforeAll(async () => {
  t = await signApp()
})
afterAll(() => t.close())

describe('handing in', () => {
  it('keeps a draft, then hands it in with a number, a history and the photo bound', async () => {
    const { exam } = await makeExam(t)
    const who = await applicant(t)
    const draft = await post<Record<string, never>>(t, who, 'submit', {
      examId: exam.id,
      draft: 1,
      content: { major: '护理' },
    })
    expect(draft).toMatchObject({ code: 200, data: { signStatus: 0, version: 1 } })
    const { id, version } = draft.data as unknown as { id: string; version: number }
    const done = await submit(t, who, exam.id, { id, version })
    expect(done).toMatchObject({ code: 200, data: { id, signStatus: 1, examine: 0, version: 2 } })
    expect(done.data.signNo).toMatch(new RegExp(`^${exam.examCode}\\d{6}$`))
    const logs = await t.db
      .selectFrom('signuplog')
      .select(['action', 'consentVersion'])
      .where('signupId', '=', id)
      .execute()
    expect(logs).toEqual([
      { action: 1, consentVersion: null },
      { action: 2, consentVersion: '1.0' },
    ])
    const photo = await t.db.selectFrom('attach').select('ownerId').where('id', '=', who.photo).executeTakeFirst()
    expect(photo?.ownerId).toBe(id)
  })

  it.each([
    ['an unknown field', { examine: 1 }, 29005],
    ['another person', { userId: '1' }, 29005],
    ['a state', { signStatus: 1, payState: 1 }, 29005],
    ['no consent', { consentVersion: '' }, 22011],
    ['an old consent', { consentVersion: '0.9' }, 22011],
    ['a missing item', { content: { education: '30' } }, 22006],
    ['a key that is not offered', { content: { education: '99', major: 'x' } }, 22006],
    ['no photo', { files: [] }, 22007],
    ['no position', { code: '' }, 22006],
    ['an unknown position', { code: 'Z99' }, 21007],
    ['a position of another unit', { unit: 'u9' }, 21007],
    ['an old version of nothing', { id: '1' }, 22010],
    ['a NUL', { content: { education: '30', major: 'a\0b' } }, 29005],
    ['half a character', { content: { education: '30', major: '\ud800' } }, 29005],
  ])('refuses %s', async (_, change, code) => {
    const { exam } = await makeExam(t)
    const who = await applicant(t)
    const answer = await submit(t, who, exam.id, change)
    expect(answer.code).toBe(code)
    expect(await rowsOf(t, exam.id)).toEqual([])
  })

  it('refuses what the exam made hard and lets warnings pass', async () => {
    const { exam, first, second } = await makeExam(t)
    const who = await applicant(t)
    const { sex } = (await get<{ applicant: { sex: number } }>(t, who, `getExamInfoOrSignUpInfo?examId=${exam.id}`))
      .data.applicant
    const other = sex === 1 ? 2 : 1
    await t.db.updateTable('examitems').set({ sexReq: other }).where('id', '=', first.id).execute()
    await t.db.updateTable('examitems').set({ eduReq: '10' }).where('id', '=', second.id).execute()
    expect((await submit(t, who, exam.id)).code).toBe(22012)
    expect(await submit(t, who, exam.id, { code: 'A02' })).toMatchObject({ code: 200 })
  })

  it('answers 22013 while the real-name data are incomplete, 21002 for an exam that is not released', async () => {
    const { exam } = await makeExam(t)
    const who = await applicant(t)
    await t.db.updateTable('user').set({ idCard: null, idCardHash: null }).where('id', '=', who.userId).execute()
    expect((await submit(t, who, exam.id)).code).toBe(22013)
    await t.db.updateTable('examination').set({ examStatus: 2 }).where('id', '=', exam.id).execute()
    expect((await submit(t, who, exam.id)).code).toBe(21002)
    expect((await submit(t, who, '999')).code).toBe(21001)
  })

  it('refuses switched-off and cancelled positions, but keeps one chosen before', async () => {
    const { exam, first } = await makeExam(t)
    const who = await applicant(t)
    const { data } = await submit(t, who, exam.id)
    await t.db.updateTable('examitems').set({ enable: 0 }).where('id', '=', first.id).execute()
    const { id, version } = data
    expect(await submit(t, who, exam.id, { id, version })).toMatchObject({ code: 200, data: { version: 2 } })
    expect((await submit(t, await applicant(t), exam.id)).code).toBe(21008)
  })
})

describe('a nationality', () => {
  const asked = async () => {
    const { exam } = await makeExam(t)
    const item = {
      itemCode: 'nation',
      itemName: '民族',
      inputType: 7,
      dictCode: 'nation',
      required: 1,
      sort: 4,
    } as const
    await insert(t.app, Examsignitems, { examId: exam.id, ...item })
    return exam.id
  }
  const content = (nation: string) => ({ education: '30', major: '临床医学', nation })
  const kept = async (examId: string) =>
    (await rowsOf(t, examId)).map(row => (row.content as { nation: string }).nation)

  it.each([
    ['a key', '22', '22'],
    ['the word that a person reads', '畲族', '22'],
    ['the word without its 族', ' 汉 ', '01'],
    ['none of the 56', '其他', '97'],
  ])('is kept as a key when %s is sent', async (_, sent, key) => {
    const examId = await asked()
    expect((await submit(t, await applicant(t), examId, { content: content(sent) })).code).toBe(200)
    expect(await kept(examId)).toEqual([key])
  })

  it('that is in no dictionary is refused by name', async () => {
    const examId = await asked()
    const answer = await submit(t, await applicant(t), examId, { content: content('穿青人') })
    expect(answer).toMatchObject({ code: 22006, data: [{ field: 'nation', msg: '民族不在可选范围内' }] })
  })

  it('is read as a word by reviewers, in files and in tables; what was typed before is read as it is', async () => {
    const examId = await asked()
    const [who, other] = [await applicant(t), await applicant(t)]
    const { id } = (await submit(t, who, examId, { content: content('22') })).data
    const typed = (await submit(t, other, examId, { content: content('22') })).data.id
    const old = JSON.stringify(content('穿青人'))
    await t.db.updateTable('signup').set({ content: old }).where('id', '=', typed).execute()
    const staff = await signIn(t, { role: 'administrator' })
    const sheet = await t.app.inject({
      method: 'POST',
      url: '/api/blade-signup/signup/exportSignUp',
      headers: staff.headers,
      payload: { examId, columns: 'signNo', items: 1, ids: [id, typed] },
    })
    const rows: (string | null)[][] = []
    for await (const row of readRows(sheet.rawPayload)) rows.push(row.cells.map(cell => cell.text))
    const at = rows[0]?.indexOf('民族') ?? -1
    expect(
      rows
        .slice(1, 3)
        .map(row => row[at])
        .toSorted(),
    ).toEqual(['畲族', '穿青人'])
    const text = async (signUpId: string) =>
      (await t.app.inject({ url: `/api/blade-signup/signup/detail?id=${signUpId}`, headers: staff.headers })).payload
    expect([await text(id), await text(typed)]).toEqual([
      expect.stringContaining('畲族'),
      expect.stringContaining('穿青人'),
    ])
    const page = await get<{ dicts: Record<string, object[]> }>(t, who, `getExamInfoOrSignUpInfo?examId=${examId}`)
    expect(page.data.dicts.nation).toHaveLength(58)
  })
})

describe('windows', () => {
  const start = shanghai(times.start).getTime()
  const end = shanghai(times.end).getTime()
  it.each([
    ['1 ms before the start', start - 1, 0, 22001],
    ['at the start', start, 0, 200],
    ['1 ms before the end', end - 1, 0, 200],
    ['at the end', end, 0, 22002],
    ['in the last grace millisecond', end + 59_999, 60, 200],
    ['at the end of the grace', end + 60_000, 60, 22002],
  ])('%s', async (_, time, graceSeconds, code) => {
    await at(t, times.inside)
    const { exam } = await makeExam(t, { exam: { graceSeconds } })
    const who = await applicant(t)
    await at(t, new Date(time))
    expect((await submit(t, who, exam.id)).code).toBe(code)
    await at(t, times.inside)
  })
})

describe('changing a submitted one', () => {
  /** Reviewed state, time, whether the position changes, the code expected. */
  const edges: [string, Record<string, number>, string, object, number][] = [
    ['S3 unreviewed, everything', { examine: 0 }, times.inside, { code: 'A02' }, 200],
    ['S3 unreviewed after the end', { examine: 0 }, times.afterEnd, {}, 22002],
    ['S4 returned', { examine: 3 }, times.afterEnd, {}, 200],
    ['S4 returned, other position after the end', { examine: 3 }, times.afterEnd, { code: 'A02' }, 22008],
    ['S4 returned, other position before the end', { examine: 3 }, times.inside, { code: 'A02' }, 200],
    ['S4 after the end of corrections', { examine: 3 }, times.modifyEnd, {}, 22040],
    ['S5 refused, other position', { examine: 2 }, times.inside, { code: 'A02' }, 200],
    ['S5 refused, after the end', { examine: 2 }, times.end, {}, 22008],
    ['passed', { examine: 1 }, times.inside, {}, 22008],
    ['disqualified', { signStatus: 9 }, times.inside, {}, 22008],
    ['being moved', { reduceState: 1 }, times.inside, {}, 22008],
    ['back to a draft by saving', { examine: 0 }, times.inside, { draft: 1 }, 22008],
    ['S8 given up', { signStatus: 2 }, times.inside, {}, 200],
    ['S8 given up, after the end', { signStatus: 2 }, times.end, {}, 22002],
    ['an old version', { examine: 0 }, times.inside, { version: 77 }, 29002],
  ]
  it.each(edges)('%s', async (_, state, time, change, code) => {
    await at(t, times.inside)
    const { exam } = await makeExam(t)
    const who = await applicant(t)
    const { id } = (await submit(t, who, exam.id)).data
    await put(t, id, state)
    const [before] = await rowsOf(t, exam.id)
    await at(t, time)
    const answer = await submit(t, who, exam.id, { id, content: { education: '20', major: '临床医学' }, ...change })
    expect(answer.code).toBe(code)
    const [after] = await rowsOf(t, exam.id)
    if (code === 200) expect(after).toMatchObject({ signStatus: 1, examine: 0, submitCount: 2, version: 2 })
    else expect(after).toEqual(before)
    await at(t, times.inside)
  })

  it('S6, S7: takes back, gives up, removes; each only in its states', async () => {
    const { exam } = await makeExam(t)
    const who = await applicant(t)
    const { id } = (await submit(t, who, exam.id)).data
    await put(t, id, { examine: 1 })
    expect((await post(t, who, 'withdraw', { id })).code).toBe(22009)
    await put(t, id, { examine: 0 })
    await at(t, times.end)
    const late = await post(t, who, 'withdraw', { id })
    expect(late.code).toBe(22009)
    expect(late.msg).toMatch(/^报名已于.+截止，不能再撤回修改$/)
    await at(t, times.inside)
    expect(await post(t, who, 'withdraw', { id })).toMatchObject({ code: 200, data: { signStatus: 0 } })
    expect((await submit(t, who, exam.id, { id })).code).toBe(200)
    expect(await post(t, who, 'giveUp', { id })).toMatchObject({ code: 200, data: { signStatus: 2 } })
    expect(await post(t, who, 'giveUp', { id })).toMatchObject({ code: 200, data: { signStatus: 2 } })
    const again = await submit(t, who, exam.id)
    expect(again.data).toMatchObject({ id, signStatus: 1 })
    await put(t, id, { signStatus: 9 })
    expect((await post(t, who, 'giveUp', { id })).code).toBe(22009)
    await put(t, id, { signStatus: 0 })
    expect((await post(t, who, `remove?ids=${id}`, {})).code).toBe(200)
    expect(await rowsOf(t, exam.id)).toEqual([])
  })

  it('opens only what the reviewer marked', async () => {
    const { exam } = await makeExam(t)
    const who = await applicant(t)
    const { id } = (await submit(t, who, exam.id)).data
    await put(t, id, { examine: 3 })
    const marks = JSON.stringify([{ target: 'item', code: 'major', ok: false, opinion: '与证书不符' }])
    const line = {
      result: 3,
      stage: 1,
      snapshot: '{}',
      userId: who.userId,
      time: t.app.now(),
      prevHash: '',
      hash: '',
    } as const
    await t.db
      .insertInto('examinelog')
      .values({ ...line, signupId: id, advisementList: marks })
      .execute()
    const page = await get<{ editScope: string[] }>(t, who, `getExamInfoOrSignUpInfo?examId=${exam.id}`)
    expect(page.data).toMatchObject({ canEdit: true, editScope: ['item:major'] })
    const other = await submit(t, who, exam.id, { id, content: { education: '10', major: '临床医学' } })
    expect(other.code).toBe(22008)
    const marked = await submit(t, who, exam.id, { id, content: { education: '30', major: '儿科学' } })
    expect(marked).toMatchObject({ code: 200, data: { examine: 0 } })
  })
})

describe('a returned one that holds what the form would not keep', () => {
  const complete = { education: '30', major: '临床医学' }
  const returned = async (content: object, marked: readonly string[] = ['major'], files?: object) => {
    await at(t, times.inside)
    const made = await makeExam(t)
    const who = await applicant(t)
    const { id } = (await submit(t, who, made.exam.id)).data
    const kept = { content: JSON.stringify(content), ...(files ? { files: JSON.stringify(files) } : {}) }
    await t.db.updateTable('signup').set(kept).where('id', '=', id).execute()
    const advice = marked.map(code => ({ target: 'item', code, ok: false, opinion: '请更正' }))
    const first = await reviewer(t, made.exam.id, 2)
    const back = { signUpId: id, examineResult: 3, examineResultRemark: '请更正', advisementList: advice }
    expect((await post(t, first, '/api/blade-signup/examine/examine', back)).code).toBe(200)
    return { ...made, who, id }
  }
  const scope = async (who: Applicant, examId: string) =>
    (await get<{ editScope: string[] }>(t, who, `getExamInfoOrSignUpInfo?examId=${examId}`)).data.editScope

  it.each([
    ['a blank', { note: '' }],
    ['nothing', { note: null }],
    ['blank text', { note: ' \u3000' }],
    ['an empty list', { note: [] }],
    ['spaces around', { education: ' 30 ' }],
    ['a field the form does not have', { certificates: '执业医师', gone: '' }],
  ])('is corrected with %s', async (_, odd) => {
    const { exam, who, id } = await returned({ ...complete, ...odd })
    expect(await scope(who, exam.id)).toEqual(['item:major'])
    const answer = await submit(t, who, exam.id, { id, content: { ...complete, major: '儿科学' } })
    expect(answer).toMatchObject({ code: 200, data: { examine: 0 } })
    const log = await t.db
      .selectFrom('signuplog')
      .select('diff')
      .where('signupId', '=', id)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(log.diff).toEqual([{ target: 'item', code: 'major', from: '临床医学', to: '儿科学' }])
  })

  it('lets what the form asks today be filled in beside the marks, and nothing else', async () => {
    const { exam, who, id } = await returned({ major: '临床医学', education: '' })
    expect(await scope(who, exam.id)).toEqual(['item:major', 'item:education'])
    const other = { ...complete, major: '儿科学', note: '另一处' }
    expect((await submit(t, who, exam.id, { id, content: other })).code).toBe(22008)
    expect((await submit(t, who, exam.id, { id, content: { ...complete, major: '儿科学' } })).code).toBe(200)
  })

  it('lets go of files nobody asks for any more', async () => {
    const { exam, who, id } = await returned(complete)
    const degree = { fileCode: 'gone', list: [{ attachId: '4', name: 'x.jpg', size: 1, ext: 'jpg' }] }
    const [row] = await rowsOf(t, exam.id)
    const files = JSON.stringify([...(row!.files as object[]), degree])
    await t.db.updateTable('signup').set({ files }).where('id', '=', id).execute()
    expect((await submit(t, who, exam.id, { id, content: { ...complete, major: '儿科学' } })).code).toBe(200)
  })
})

describe('files', () => {
  it("refuses somebody else's, another sign-up's, a wrong kind and an unknown one alike", async () => {
    const { exam } = await makeExam(t)
    const [one, other] = [await applicant(t), await applicant(t)]
    const scan = await upload(t, one)
    const used = await upload(t, one)
    await t.db.updateTable('attach').set({ ownerId: '5' }).where('id', '=', used).execute()
    const slot = (fileCode: string, attachId: string) => ({ files: [{ fileCode, list: [{ attachId }] }] })
    const tried = [slot('photo', other.photo), slot('photo', scan), slot('degree', used), slot('photo', '123456')]
    const answers = await Promise.all(tried.map(files => submit(t, one, exam.id, files)))
    expect(answers.map(answer => [answer.code, answer.msg])).toEqual(tried.map(() => [28009, '文件不存在']))
    expect(await rowsOf(t, exam.id)).toEqual([])
  })
})

describe("somebody else's", () => {
  it('answers as for a missing one', async () => {
    const { exam } = await makeExam(t)
    const [one, other] = [await applicant(t), await applicant(t)]
    const { id } = (await submit(t, one, exam.id)).data
    const calls = (which: string) => [
      get(t, other, `detail?id=${which}`),
      post(t, other, 'withdraw', { id: which }),
      post(t, other, 'giveUp', { id: which }),
      post(t, other, `remove?ids=${which}`, {}),
      post(t, other, 'exportPDFView', { signupId: which }),
      post(t, other, 'submit', formOf(other, exam.id, { id: which })),
    ]
    const [foreign, missing] = await Promise.all([Promise.all(calls(id)), Promise.all(calls('4242'))])
    expect(foreign).toEqual(missing)
    expect(new Set(foreign.map(answer => answer.code))).toEqual(new Set([22010]))
    const elsewhere = await applicant(t, '000042')
    expect((await submit(t, elsewhere, exam.id)).code).toBe(21001)
  })
})
