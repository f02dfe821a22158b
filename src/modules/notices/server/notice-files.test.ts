import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnswerOf } from '#engine'
import { Notice } from '#schemas/notices/notice'
import { shanghai, type TestApp } from '../../../../tests/helper/app.ts'
import { pdf as crafted } from '../../../../tests/helper/crafted.ts'
import { asCaller } from '../../../../tests/helper/exam-bench.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import { applicant, makeExam, signApp, submit, times } from '../../../../tests/helper/sign-bench.ts'
import type { noticeFiles } from '../contract.ts'

let t: TestApp
let staff: Caller
beforeAll(async () => {
  t = await signApp()
  staff = await signIn(t, { role: 'admin' })
})
afterAll(() => t.close())

const base = '/blade-desk/notice'
const pdf = crafted('x')
const values = (more: object = {}) => ({
  title: '招聘公告',
  category: 1,
  noticeType: 1,
  scope1: 5,
  content: '<p>正文</p>',
  releaseTime: times.start,
  ...more,
})

/** Sends a notice as a form with files beside it. */
async function send(who: Caller, fields: object, files: readonly (readonly [string, Buffer])[]) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value))
  for (const [name, bytes] of files) form.append('files', new Blob([new Uint8Array(bytes)]), name)
  const payload = form as never
  return t.call<{ id: string }>({ method: 'POST', url: `/api${base}/submit`, headers: who.headers, payload })
}

type Hung = AnswerOf<typeof noticeFiles>[number]

const filesOf = async (who: Caller, noticeId: string) =>
  asCaller(t, who).get<Hung[]>(`${base}/getNoticeFiles?noticeId=${noticeId}`)
const fetch = async (id: string, who?: Caller) =>
  (await t.app.inject({ url: `/api/blade-resource/attach/download?id=${id}`, headers: who?.headers ?? {} })).statusCode
const release = (id: string) => asCaller(t, staff).post(`${base}/release?id=${id}`)

/** Sends a file before the notice that it is for. @returns its id */
async function upload(who: Caller, name = '附件.pdf'): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(pdf)]), name)
  const url = '/api/blade-resource/attach/upload?owner=notice'
  const payload = form as never
  return (await t.call<{ attachId: string }>({ method: 'POST', url, headers: who.headers, payload })).data.attachId
}

describe('files of a notice', () => {
  it('arrive with it, are kept in order, and follow its audience', async () => {
    const { exam } = await makeExam(t)
    const [one, stranger] = [await applicant(t), await applicant(t)]
    await submit(t, one, exam.id)
    const files = [['公告.pdf', pdf] as const, ['岗位表.pdf', pdf] as const]
    const { data, code } = await send(staff, values({ scope1: 2, examId: exam.id }), files)
    expect(code).toBe(200)
    const hung = (await filesOf(staff, data.id)).data
    expect(hung.map(file => file.fileName)).toEqual(['公告.pdf', '岗位表.pdf'])
    const id = hung[0]?.attachId ?? ''
    expect([await fetch(id, one), await fetch(id), (await filesOf(one, data.id)).code]).toEqual([404, 404, 29001])
    await release(data.id)
    expect([await fetch(id, one), await fetch(id, stranger), await fetch(id)]).toEqual([200, 404, 404])
    expect((await filesOf(stranger, data.id)).code).toBe(29001)
    expect((await filesOf(one, data.id)).data[0]).toMatchObject({ attachId: id, downNum: 1 })
    const info = await asCaller(t, one).get<{ files: Hung[] }>(`/blade-exam/examination/getNoticeInfo?id=${data.id}`)
    expect(info.data.files).toHaveLength(2)
    expect((await asCaller(t, staff).post(`${base}/remove?ids=${data.id}`)).code).toBe(29009)
  })

  it('are hung and taken off in the form of the notice, in its transaction', async () => {
    const post = (path: string, payload: object) =>
      t.call({ method: 'POST', url: `/api${path}`, headers: staff.headers, payload })
    const [one, two] = [await upload(staff, '一.pdf'), await upload(staff, '二.pdf')]
    const title = '表单里的附件'
    const wrong = await post(`${base}/submit`, values({ title, noticefile: [{ attachId: one }, { sort: 1 }] }))
    expect(wrong).toMatchObject({ code: 29005, data: [{ field: 'noticefile.1.attachId' }] })
    const rows = [
      { attachId: one, sort: 1 },
      { attachId: two, sort: 2 },
    ]
    expect((await post(`${base}/submit`, values({ title, noticefile: rows }))).code).toBe(200)
    const found = await t.db.selectFrom('notice').select('id').where('title', '=', title).execute()
    expect(found).toHaveLength(1)
    const id = found[0]?.id ?? ''
    const hung = (await filesOf(staff, id)).data
    expect(hung.map(file => file.fileName)).toEqual(['一.pdf', '二.pdf'])
    const changed = [
      { id: hung[1]?.id, sort: 0 },
      { id: hung[0]?.id, isDeleted: 1 },
    ]
    expect((await post(`${base}/submit`, { id, title, noticefile: changed })).code).toBe(200)
    expect((await filesOf(staff, id)).data.map(file => file.fileName)).toEqual(['二.pdf'])
  })

  it('of a public one are everybody’s while it is out', async () => {
    const { data } = await send(staff, values(), [['a.pdf', pdf]])
    const [file] = (await filesOf(staff, data.id)).data
    expect(await fetch(file?.attachId ?? '')).toBe(404)
    await release(data.id)
    expect(await fetch(file?.attachId ?? '')).toBe(200)
    const open = await t.call<{ files: Hung[] }>(`/api/public/notice?id=${data.id}`)
    expect(open.data.files.map(one => one.fileName)).toEqual(['a.pdf'])
    await asCaller(t, staff).post(`${base}/recall?id=${data.id}`)
    expect(await fetch(file?.attachId ?? '')).toBe(404)
  })

  it('are ten at most, also when two people add at once; a refused notice leaves nothing', async () => {
    const count = async () => Number((await t.pool.query('SELECT count(*) FROM notice')).rows[0].count)
    const before = await count()
    const many = Array.from({ length: 11 }, (_, i) => [`${i}.pdf`, pdf] as const)
    expect(await send(staff, values(), many)).toMatchObject({ code: 29005 })
    expect((await send(staff, values({ title: '' }), many.slice(0, 1))).code).toBe(29005)
    expect((await send(staff, values(), [['bad.exe', pdf]])).code).toBe(28001)
    expect(await count()).toBe(before)
    const { data } = await send(staff, values(), many.slice(0, 6))
    const rounds = await Promise.all([1, 2, 3].map(() => send(staff, { id: data.id }, many.slice(0, 3))))
    expect(rounds.map(one => one.code).toSorted()).toEqual([200, 29005, 29005])
    expect((await filesOf(staff, data.id)).data).toHaveLength(9)
  })

  it('uploaded before are hung on it by id, once, and only one’s own', async () => {
    const { post, get } = asCaller(t, staff)
    const [mine, foreign] = [await upload(staff), await upload(await signIn(t, { role: 'exam_admin' }))]
    expect((await post(`${base}/submit`, values({ fileIds: foreign }))).code).toBe(28009)
    const { data } = await post<{ id: string }>(`${base}/submit`, values({ fileIds: mine }))
    expect((await post(`${base}/submit`, values({ fileIds: mine }))).code).toBe(28009)
    const second = await upload(staff)
    const file = '/blade-noticeFile/noticefile'
    expect((await post(`${file}/submit`, { noticeId: data.id, attachId: second, fileName: 'x' })).code).toBe(200)
    const rows = (await get<{ records: Hung[] }>(`${file}/page?noticeId=${data.id}`)).data.records
    expect(rows.map(row => row.fileName).toSorted()).toEqual(['附件.pdf', '附件.pdf'])
    const row = rows.find(one => one.attachId === second)
    expect((await post(`${file}/submit`, { id: row?.id, attachId: mine })).code).toBe(29005)
    expect((await post(`${file}/remove?ids=${row?.id}`)).code).toBe(200)
    expect(await fetch(second, staff)).toBe(404)
    expect((await post(`${base}/remove?ids=${data.id}`)).code).toBe(200)
    expect(await fetch(mine, staff)).toBe(404)
  })
})

describe('a notice', () => {
  it('says whom it is for, and asks only people one by one to confirm', async () => {
    const { exam } = await makeExam(t)
    const { post } = asCaller(t, staff)
    const put = async (more: object) => (await post(`${base}/submit`, values(more))).msg
    expect(await put({ scope1: 2 })).toContain('请选择关联考试')
    expect(await put({ scope1: 3, examId: exam.id })).toContain('请选择考试项目')
    expect(await put({ scope1: 3, scope2: 'x' })).toContain('范围对象')
    expect(await put({ endTime: times.start })).toContain('撤下时间')
    const { data } = await post<{ id: string }>(
      `${base}/submit`,
      values({ needSure: 1, scope2: exam.id, scopeState: 2 }),
    )
    const row = await t.db.selectFrom('notice').selectAll().where('id', '=', data.id).executeTakeFirst()
    expect(row).toMatchObject({ needSure: 0, scope2: null, scopeState: null })
  })

  it('can be for those of an exam who are in one state', async () => {
    const { exam } = await makeExam(t)
    const [passed, waiting] = [await applicant(t), await applicant(t)]
    for (const who of [passed, waiting]) await submit(t, who, exam.id)
    await t.pool.query('UPDATE signup SET examine = 1 WHERE "userId" = $1', [passed.userId])
    const { id } = await insert(t.app, Notice, {
      title: 'passed',
      noticeStatus: 1,
      scope1: 2,
      scope2: exam.id,
      scopeState: 1,
      needSure: 0,
      noticeType: 2,
      releaseTime: shanghai(times.start),
      endTime: null,
      examId: null,
    })
    const read = async (who: Caller) =>
      (await asCaller(t, who).get(`/blade-exam/examination/getNoticeInfo?id=${id}`)).code
    expect([await read(passed), await read(waiting)]).toEqual([200, 29001])
  })
})
