import { afterAll, beforeAll, expect, test } from 'vitest'
import { Examsignitems } from '#schemas/exams/examsignitems'
import { Items } from '#schemas/exams/items'
import { School } from '#schemas/exams/school'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { appoint, asCaller, drafting, makeDraft } from '../../../../tests/helper/exam-bench.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert } from '../../../../tests/helper/sample.ts'

let t: TestApp
let officer: Caller
const at = '/blade-signitems/examsignitems'

beforeAll(async () => {
  t = await testApp({ now: drafting })
  officer = await signIn(t, { role: 'exam_admin' })
})
afterAll(() => t.close())

const draft = async () => {
  const made = await makeDraft(t)
  await appoint(t, made.exam.id, officer)
  return made
}
const library = async (...codes: string[]) => {
  const rows = await t.db.selectFrom('items').selectAll().where('itemCode', 'in', codes).execute()
  return codes.map(code => rows.find(row => row.itemCode === code)!)
}
const itemsOf = (examId: string) =>
  t.db
    .selectFrom('examsignitems')
    .selectAll()
    .where('examId', '=', examId)
    .where('isDeleted', '=', 0)
    .orderBy('sort')
    .execute()
const add = (examId: string, itemsIds: unknown) =>
  asCaller(t, officer).post<{ added: number }>(`${at}/addFromLibrary`, { examId, itemsIds })

test('fields of the library come behind those there are, with their rules, and none twice', async () => {
  const { exam } = await draft()
  const [education, nation, jobs] = await library('education', 'nation', 'jobs')
  await t.db.updateTable('examsignitems').set({ sort: 40 }).where('examId', '=', exam.id).execute()
  const added = await add(exam.id, [education!.id, nation!.id, jobs!.id])
  expect(added).toMatchObject({ code: 200, data: { added: 3 } })
  const rows = await itemsOf(exam.id)
  expect(rows.map(row => [row.itemCode, row.sort])).toEqual([
    ['major', 40],
    ['nation', 50],
    ['education', 60],
    ['jobs', 70],
  ])
  expect(rows[1]).toMatchObject({ itemsId: nation!.id, required: 1, inputType: 7, dictCode: 'nation', enable: 1 })
  expect(rows[2]).toMatchObject({ dictCode: 'education', inputType: education!.inputType, createUser: officer.userId })
  expect(rows[3]).toMatchObject({ columns: jobs!.columns, showWhen: { freshGraduate: ['0'] } })
  expect((await add(exam.id, `${education!.id},${nation!.id}`)).data).toEqual({ added: 0 })
  expect(await itemsOf(exam.id)).toHaveLength(4)
})

test('rules of the library row go before those of its JSON', async () => {
  const { exam } = await draft()
  const own = await insert(t.app, Items, {
    itemCode: 'own',
    itemName: '自定义',
    inputType: 1,
    rules: { maxLength: 5, min: 1 },
    maxLength: 9,
    status: 1,
    regex: '^\\d+$',
    regexMsg: '只能是数字',
    builtin: 0,
    sort: 1,
  })
  await add(exam.id, [own.id])
  const made = (await itemsOf(exam.id)).find(row => row.itemCode === 'own')
  expect(made?.rules).toEqual({ maxLength: 9, min: 1, regex: '^\\d+$', regexMsg: '只能是数字' })
})

test('a field switched off, of another tenant or unknown, no field, an exam out of scope: nothing is added', async () => {
  const { exam } = await draft()
  const [nation] = await library('nation')
  const off = await insert(t.app, Items, { itemCode: 'offOne', status: 0, builtin: 0 })
  const foreign = await insert(t.app, Items, { itemCode: 'foreignOne', status: 1, builtin: 0, tenantId: '000009' })
  for (const id of [off.id, foreign.id, '1']) expect((await add(exam.id, [nation!.id, id])).code).toBe(29001)
  for (const none of [[], '', ["x' or 1=1"]]) expect((await add(exam.id, none)).code).toBe(29005)
  const other = await makeDraft(t)
  expect((await add(other.exam.id, [nation!.id])).code).toBe(21001)
  expect(await itemsOf(exam.id)).toHaveLength(1)
  const archived = await makeDraft(t, { exam: { examStatus: 3 } })
  await appoint(t, archived.exam.id, officer)
  expect((await add(archived.exam.id, [nation!.id])).code).toBe(21011)
})

test('the same fields added twice at once are there once', async () => {
  const { exam } = await draft()
  const ids = (await library('nation', 'politics', 'address')).map(row => row.id)
  const answers = await Promise.all([add(exam.id, ids), add(exam.id, ids), add(exam.id, ids)])
  expect(answers.map(one => one.data.added).sort()).toEqual([0, 0, 3])
  expect(await itemsOf(exam.id)).toHaveLength(4)
})

test('rows take each other’s places in the order given, also a part of them, and rows of another exam keep theirs', async () => {
  const { exam } = await draft()
  const other = await draft()
  const field = (itemCode: string) => insert(t.app, Examsignitems, { examId: exam.id, itemCode, sort: 5 })
  const [b, c, d] = [await field('b'), await field('c'), await field('d')]
  await t.db.updateTable('examsignitems').set({ sort: 5 }).where('examId', '=', exam.id).execute()
  const before = await itemsOf(other.exam.id)
  const arrange = (...ids: string[]) => asCaller(t, officer).post(`${at}/arrange`, { ids })
  const order = async () => (await itemsOf(exam.id)).map(row => `${row.itemCode} ${row.sort}`)
  expect((await arrange(d.id, b.id)).code).toBe(200)
  expect(await order()).toEqual(['major 10', 'd 20', 'c 30', 'b 40'])
  await Promise.all([arrange(c.id, d.id), arrange(c.id, d.id)])
  expect(await order()).toEqual(['major 10', 'c 20', 'd 30', 'b 40'])
  expect((await arrange(b.id, before[0]!.id)).code).toBe(29005)
  const [hidden] = await itemsOf((await makeDraft(t)).exam.id)
  expect((await arrange(b.id, hidden!.id)).code).toBe(29001)
  const reviewer = await signIn(t, { role: 'reviewer' })
  expect((await asCaller(t, reviewer).post(`${at}/arrange`, { ids: [b.id] })).status).toBe(403)
  await t.db.updateTable('examination').set({ examStatus: 3 }).where('id', '=', exam.id).execute()
  expect((await arrange(b.id, c.id)).code).toBe(21011)
  expect(await order()).toEqual(['major 10', 'c 20', 'd 30', 'b 40'])
  expect(await itemsOf(other.exam.id)).toEqual(before)
})

test('the form shows its fields, files and every dictionary they use', async () => {
  const { exam, photo } = await draft()
  const chosen = await library('education', 'studies', 'politics')
  await add(
    exam.id,
    chosen.map(row => row.id),
  )
  const { data } = await asCaller(t, officer).get<{
    exam: object
    items: { itemCode: string }[]
    files: { id: string }[]
    dicts: Record<string, { key: string; value: string }[]>
  }>(`/blade-exam/examination/getFormInfo?id=${exam.id}`)
  expect(data.exam).toEqual({ id: exam.id, examName: exam.examName, examStatus: 0 })
  expect(data.items.map(item => item.itemCode)).toEqual(['major', 'politics', 'education', 'studies'])
  expect(data.files.map(file => file.id)).toEqual([photo.id])
  expect(Object.keys(data.dicts).sort()).toEqual(['education', 'politics'])
  expect(data.dicts.education).toContainEqual({ key: '30', value: '大学本科' })
  expect(data.dicts.education?.some(entry => entry.key === '-1')).toBe(false)
  const hidden = await makeDraft(t)
  expect((await asCaller(t, officer).get(`/blade-exam/examination/getFormInfo?id=${hidden.exam.id}`)).code).toBe(21001)
})

test('a library field is put out of use and back, a built-in one too, one of another tenant not', async () => {
  const admin = await signIn(t, { role: 'administrator' })
  const [nation] = await library('nation')
  const foreign = await insert(t.app, Items, { itemCode: 'farOne', status: 1, tenantId: '000009' })
  const change = (id: string, status: unknown) =>
    asCaller(t, admin).post(`/blade-items/items/changeStatus?id=${id}&status=${status}`)
  const statusOf = async (id: string) =>
    (await t.db.selectFrom('items').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status
  expect((await change(nation!.id, 0)).code).toBe(200)
  expect(await statusOf(nation!.id)).toBe(0)
  expect((await change(nation!.id, 1)).code).toBe(200)
  expect(await statusOf(nation!.id)).toBe(1)
  for (const wrong of ['2', '', 'x']) expect((await change(nation!.id, wrong)).code).toBe(29005)
  expect((await change(foreign.id, 0)).code).toBe(29001)
  expect(await statusOf(foreign.id)).toBe(1)
})

test('dictionaries to choose from are the headings of the tenant, for staff', async () => {
  const path = '/blade-items/items/getAllDictCodeBiz'
  const { data } = await asCaller(t, officer).get<{ code: string; dictValue: string }[]>(path)
  expect(data.map(one => one.code)).toEqual(expect.arrayContaining(['politics', 'recruit_unit', 'post_type']))
  expect(new Set(data.map(one => one.code)).size).toBe(data.length)
  const candidate = await signIn(t, { role: 'candidate' })
  expect((await asCaller(t, candidate).get(path)).status).toBe(403)
})

test('a pattern that cannot be run is refused where it is written', async () => {
  const { exam } = await draft()
  const [major] = await itemsOf(exam.id)
  const bad = 'a(?=b)'
  const { post } = asCaller(t, officer)
  const inForm = (rules: object) => post(`${at}/submit`, { id: major!.id, rules })
  expect(await inForm({ regex: bad })).toMatchObject({ code: 29005, data: [{ field: 'rules' }] })
  expect((await inForm({ regex: '\\d+' })).code).toBe(200)
  const own = { itemCode: 'tried', itemName: '编号', inputType: 1, sensitive: 0, required: 0 }
  const inLibrary = (more: object) => post('/blade-items/items/submit', { ...own, ...more })
  expect(await inLibrary({ regex: bad })).toMatchObject({ code: 29005, data: [{ field: 'regex' }] })
  expect((await inLibrary({ regex: '[A-Z]+' })).code).toBe(200)
})

test('a site is shown with its place on the map that the parameter names', async () => {
  const site = { schoolName: '望湖中学', schoolCode: 'K1', schoolType: 2, address: '望湖路 66 号', enable: 1 } as const
  await insert(t.app, School, site)
  const map = async () => {
    const path = '/blade-school/school/page?schoolCode=K1'
    return (await asCaller(t, officer).get<{ records: { map: string }[] }>(path)).data.records[0]?.map
  }
  expect(await map()).toBe(`https://uri.amap.com/search?keyword=${encodeURIComponent('望湖路 66 号 望湖中学')}`)
  await t.pool.query(`UPDATE param SET "paramValue" = '-' WHERE "paramKey" = 'map.search'`)
  expect(await map()).toBe('')
})

test('schools are found by any part of their name, with wildcards as letters', async () => {
  const names = ['福建医科大学', '厦门大学', '百分百%学院', '下划_线学院']
  for (const [i, schoolName] of names.entries())
    await insert(t.app, School, { schoolName, schoolCode: `S${i}`, schoolType: 1, enable: 1 })
  await insert(t.app, School, { schoolName: '停办大学', schoolCode: 'S8', schoolType: 1, enable: 0 })
  await insert(t.app, School, { schoolName: '第一中学大学城', schoolCode: 'S9', schoolType: 2, enable: 1 })
  const find = async (schoolName: string, more = '') => {
    const path = `/blade-school/school/getSchoolList?schoolName=${encodeURIComponent(schoolName)}${more}`
    const { data } = await asCaller(t, officer).get<{ schoolName: string }[]>(path)
    return data.map(one => one.schoolName)
  }
  expect(await find('大学')).toEqual(['福建医科大学', '厦门大学'])
  expect(await find('大学', '&limit=1')).toEqual(['福建医科大学'])
  expect(await find('大学', '&schoolType=2')).toEqual(['第一中学大学城'])
  expect(await find('%')).toEqual(['百分百%学院'])
  expect(await find('_')).toEqual(['下划_线学院'])
  expect(await find('\\')).toEqual([])
  expect(await find('', '&limit=100000')).toHaveLength(4)
})

test('the whole of an exam is looked at before it is out, as candidates will see it', async () => {
  const { exam } = await draft()
  const path = `/blade-exam/examination/getPreview?id=${exam.id}`
  const open = async () => (await t.app.inject({ url: `/api/public/exam?id=${exam.id}` })).json()
  expect((await open()).code).toBe(21001)
  const { data } = await asCaller(t, officer).get<Record<string, unknown>>(path)
  expect(data).toMatchObject({ examName: exam.examName, examStatus: 0, positions: [{ planNum: expect.any(Number) }] })
  await t.db.updateTable('examination').set({ examStatus: 1 }).where('id', '=', exam.id).execute()
  const released = (await asCaller(t, officer).get<Record<string, unknown>>(path)).data
  expect(released).toEqual({ ...(await open()).data, examStatus: 1 })
})
