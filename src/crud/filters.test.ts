import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resources } from '#resources'
import { Examination } from '#schemas/exams/examination'
import { User } from '#schemas/system/user'
import { type TestApp, testApp } from '../../tests/helper/app.ts'
import { type Caller, signIn } from '../../tests/helper/person.ts'
import { insert, sampleIdCard } from '../../tests/helper/sample.ts'
import { filterField, listNames } from './filter.ts'
import { resourceOf } from './lookup.ts'

let t: TestApp
let admin: Caller
let deptId: string
const at = (text: string) => new Date(`${text.replace(' ', 'T')}+08:00`)

interface Page {
  records: Record<string, string>[]
  total: number
  size: number
  current: number
  pages: number
}

beforeAll(async () => {
  t = await testApp({ now: '2026-06-01 08:00:00' })
  admin = await signIn(t, { role: 'administrator' })
  const { rows } = await t.pool.query<{ id: string }>('SELECT id FROM dept LIMIT 1')
  deptId = rows[0]?.id ?? '1'
  const exams = [
    ['2025年公开招聘', 'A1', 2025, '2026-01-01 00:00:00', null],
    ['2026年公开招聘', 'A2', 2026, '2026-02-01 12:00:00', '2026-06-15'],
    ['100%_统考', 'B%1', 2026, '2026-03-01 23:59:59', ''],
    ['100x统考', 'B21', 20, '2026-04-01 00:00:00', '2026-06-16'],
  ] as const
  for (const [examName, examCode, examYear, time, ageBaseDate] of exams)
    await insert(t.app, Examination, {
      examName,
      examCode,
      examYear,
      deptId,
      createTime: at(time),
      updateTime: at(time),
      ageBaseDate: ageBaseDate || null,
    })
  const people = { p1: '1,2', p2: '12', p3: '2' }
  for (const [account, depts] of Object.entries(people)) await insert(t.app, User, { account, deptId: depts })
})
afterAll(() => t.close())

const page = async (path: string, query: Record<string, string>) => {
  const url = `/api${path}?${new URLSearchParams({ size: '100', ...query })}`
  return t.call<Page>({ url, headers: admin.headers })
}
const exams = (query: Record<string, string>) => page('/blade-exam/examination/page', query)
const codes = async (query: Record<string, string>) =>
  (await exams({ ascs: 'examCode', ...query })).data.records?.map(row => row.examCode)

describe('every operator', () => {
  test.each<[string, string, string[]]>([
    ['examName', '公开', ['A1', 'A2']],
    ['examName_like', '统考', ['B%1', 'B21']],
    ['examName_likeleft', '公开招聘', ['A1', 'A2']],
    ['examName_likeleft', '公开', []],
    ['examName_likeright', '2025', ['A1']],
    ['examName_likeright', '年', []],
    ['examName_notlike', '公开', ['B%1', 'B21']],
    ['examName_equal', '2025年公开招聘', ['A1']],
    ['examName_equal', '2025年', []],
    ['examName_notequal', '2025年公开招聘', ['A2', 'B%1', 'B21']],
    ['examYear', '20', ['B21']],
    ['examYear_like', '20', ['A1', 'A2', 'B%1', 'B21']],
    ['examYear_equal', '2025', ['A1']],
    ['examYear_notequal', '2026', ['A1', 'B21']],
    ['examYear_ge', '2025', ['A1', 'A2', 'B%1']],
    ['examYear_gt', '2025', ['A2', 'B%1']],
    ['examYear_le', '2025', ['A1', 'B21']],
    ['examYear_lt', '2025', ['B21']],
    ['createTime_datege', '2026-02-01 12:00:00', ['A2', 'B%1', 'B21']],
    ['createTime_dategt', '2026-02-01 12:00:00', ['B%1', 'B21']],
    ['createTime_datele', '2026-02-01 12:00:00', ['A1', 'A2']],
    ['createTime_datelt', '2026-02-01 12:00:00', ['A1']],
    ['createTime_dateequal', '2026-02-01 12:00:00', ['A2']],
    ['createTime', '2026-03-01', ['B%1']],
    ['createTime', '2026-02-01 12:00:00', ['A2']],
    ['createTime_gt', '2026-03-31', ['B21']],
    ['examType_null', '1', []],
    ['examType_notnull', '1', ['A1', 'A2', 'B%1', 'B21']],
    ['examName_ignore', 'nothing like it', ['A1', 'A2', 'B%1', 'B21']],
    ['examName', '', ['A1', 'A2', 'B%1', 'B21']],
    ['examName', '100%', ['B%1']],
    ['examName', '0_', []],
    ['examName', '%_', ['B%1']],
    ['examName', '\\', []],
  ])('%s=%s', async (key, value, found) => expect(await codes({ [key]: value })).toEqual(found))

  test('all conditions hold together', async () =>
    expect(await codes({ examName: '公开', examYear: '2026' })).toEqual(['A2']))

  test.each([
    ['2', ['p1', 'p3']],
    ['12', ['p2']],
    ['1', ['p1']],
  ])('references in a list are found whole: %s', async (value, found) => {
    const answer = await page('/blade-system/user/page', { deptId: value, ascs: 'account' })
    expect(answer.data.records.map(row => row.account)).toEqual(found)
  })

  test('a sealed field is found by its whole value only and shown masked', async () => {
    const idCard = sampleIdCard(4321)
    await insert(t.app, User, { account: 'sealed', idCard, phone: '13912345678' })
    const whole = await page('/blade-system/user/page', { idCard })
    expect(whole.data.records.map(row => [row.account, row.idCard, row.phone])).toEqual([
      ['sealed', `${idCard.slice(0, 6)}********${idCard.slice(-4)}`, '139****5678'],
    ])
    expect((await page('/blade-system/user/page', { idCard: idCard.slice(0, 17) })).data.total).toBe(0)
    expect((await page('/blade-system/user/page', { idCard_like: '3501' })).code).toBe(29005)
    expect(JSON.stringify(whole)).not.toContain(idCard)
  })
})

describe('order and pages', () => {
  test.each([
    [{ descs: 'createTime' }, ['B21', 'B%1', 'A2', 'A1']],
    [{ descs: 'create_time' }, ['B21', 'B%1', 'A2', 'A1']],
    [{ ascs: 'exam_year', descs: 'examCode' }, ['B21', 'A1', 'B%1', 'A2']],
    [{ ascs: 'examYear,examCode' }, ['B21', 'A1', 'A2', 'B%1']],
    [{ descs: 'releaseTime,createTime' }, ['B21', 'B%1', 'A2', 'A1']],
  ])('%o', async (query, found) => {
    const answer = await exams(query)
    expect(answer.data.records.map(row => row.examCode)).toEqual(found)
  })

  test('pages tell where they are and never wrap around', async () => {
    const first = await exams({ ascs: 'examCode', size: '3' })
    expect(first.data).toMatchObject({ total: 4, size: 3, current: 1, pages: 2 })
    const second = await exams({ ascs: 'examCode', size: '3', current: '2' })
    expect(second.data.records.map(row => row.examCode)).toEqual(['B21'])
    expect((await exams({ size: '3', current: '9' })).data.records).toEqual([])
    expect((await exams({ size: '9999' })).data.size).toBe(500)
  })
})

describe('what is not understood is refused by name', () => {
  test.each<[string, string]>([
    ['nothing', '1'],
    ['examName_in', '1'],
    ['examDesc', 'x'],
    ['isDeleted', '1'],
    ['examName_datege', '2026-01-01'],
    ['examYear', 'two'],
    ['examYear_ge', '99999999999'],
    ['createTime_dategt', 'yesterday'],
    ['createTime_dategt', '2026-13-01 00:00:00'],
    ['createTime_dategt', "' or 1=1 --"],
    ["examName' or '1'='1", '1'],
    ['"examName"', '1'],
    ['examName;drop table examination', '1'],
    ['examName_like)', '1'],
    ['current', '-1'],
    ['size', 'all'],
    ['id', '99999999999999999999'],
    ['descs', '(select 1)'],
    ['descs', 'examName desc; drop table examination'],
    ['ascs', 'examName,pg_sleep(5)'],
    ['ascs', 'password'],
    ['ascs', 'tenantId'],
  ])('%s=%s', async (key, value) => {
    const answer = await exams({ [key]: value })
    expect([answer.status, answer.code]).toEqual([400, 29005])
    expect(answer.msg).toContain(key)
  })

  test.each([
    "' or '1'='1",
    "'; drop table examination; --",
    '1) or (1=1',
    'x\' union select password from "user" --',
    '$1',
    '%27 or 1=1',
    '\u0027\u0027',
  ])('a value stays a value: %s', async value => {
    for (const key of ['examName', 'examName_like', 'examName_equal', 'examName_notlike', 'examCode_likeleft']) {
      const answer = await exams({ [key]: value })
      const none = key === 'examName_notlike' ? 4 : 0
      expect([key, answer.status, answer.data.total]).toEqual([key, 200, none])
    }
  })
})

test('every list that a filter names rows of has a resource, so that they can be called by name', () => {
  const refs = resources.flatMap(one => [...listNames(one)].flatMap(name => filterField(one, name)?.ref ?? []))
  expect(refs.length).toBeGreaterThan(50)
  for (const ref of new Set(refs)) expect(() => resourceOf(ref)).not.toThrow()
})
