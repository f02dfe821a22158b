import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { menus } from '../../src/platform/tenants/server/seed/menus.ts'
import { shanghai, type TestApp, testApp } from '../helper/app.ts'
import { everyRow } from '../helper/every-row.ts'
import { stayLoggedIn } from '../helper/login.ts'
import { type Caller, signIn } from '../helper/person.ts'
import { casesOf, watchSchemas } from '../helper/route-cases.ts'
import { applicant, makeExam, submit } from '../helper/sign-bench.ts'
import { unzip } from '../helper/unzip.ts'

// What somebody does who is let in: a candidate copies lists, staff look at more personal data than their work needs or take it
// home.

const schemas = watchSchemas()
const now = shanghai('2026-12-02 10:00:00')
let t: TestApp
let twin: TestApp
let staff: Caller

beforeAll(async () => {
  t = await testApp({ now })
  twin = await testApp({ url: t.url, now })
  staff = await signIn(t, { role: 'insider', permissions: menus.map(one => one.code) })
})
afterAll(async () => {
  schemas.stop()
  await twin?.close()
  await t?.close()
})

describe('B31 · a candidate who copies lists', () => {
  const lists = [
    '/api/blade-signup/signup/examList',
    '/api/blade-signup/signup/getExamInfoOrSignUpInfo?examId=1',
    '/api/blade-exam/examination/getNoticeList',
    '/api/blade-exam/examination/getNoticeInfo?id=1',
    '/api/blade-exam/examination/getIndexNotice',
  ]
  const ask = (who: Caller, url: string, at = t) => at.app.inject({ url, headers: who.headers })

  test('gets sixty in a minute, of all of them together and from all processes; then he is told when to come again', async () => {
    const who = await signIn(t, { role: 'candidate' })
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) => ask(who, lists[n % lists.length]!, n % 2 ? twin : t)),
    )
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toEqual([])
    for (const [n, url] of lists.entries()) {
      const answer = await ask(who, url, n % 2 ? twin : t)
      expect([url, answer.statusCode, answer.json().code]).toEqual([url, 429, 29007])
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
      expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60)
    }
  })

  test('is not in the way of his own papers, of others, of staff, or of the next minute', async () => {
    const who = await signIn(t, { role: 'candidate' })
    for (let n = 0; n < 61; n++) await ask(who, lists[2]!)
    expect((await ask(who, lists[0]!)).statusCode).toBe(429)
    expect((await ask(who, '/api/blade-signup/signup/myExamList')).statusCode).toBe(200)
    expect((await ask(await signIn(t, { role: 'candidate' }), lists[0]!)).statusCode).toBe(200)
    for (let n = 0; n < 62; n++) expect((await ask(staff, lists[2]!)).statusCode).toBe(200)
    t.setNow(new Date(now.getTime() + 60_000))
    expect((await ask(who, lists[0]!)).statusCode).toBe(200)
    t.setNow(now)
  })
})

describe('B32 · staff who look at numbers in full', () => {
  const reveal = (who: Caller, id: string, at = t) =>
    at.call<{ phone: string }>({
      method: 'POST',
      url: '/api/blade-signup/signup/reveal',
      headers: who.headers,
      payload: { id, field: 'phone', reason: '电话核实' },
    })
  const alarms = async () =>
    (await t.pool.query(`SELECT "userId", "targetId", detail FROM auditlog WHERE event = 'alarm' ORDER BY seq`)).rows
  const home = async (who: Caller) => {
    const { data } = await t.call<{ todo: { code: string; num: number }[] }>({
      url: '/api/blade-desk/home/staff',
      headers: who.headers,
    })
    return data.todo.find(one => one.code === 'auditlog.近7天告警')?.num ?? 0
  }

  test('say why, may go on, and from the 201st of a day on the auditor finds it on his first page', async () => {
    const { exam } = await makeExam(t)
    const { id } = (await submit(t, await applicant(t), exam.id)).data
    const [who, other] = [
      await signIn(t, { role: 'admin', permissions: ['signup_reveal'] }),
      await signIn(t, { role: 'admin' }),
    ]
    const auditor = await signIn(t, { role: 'auditor' })
    const unsaid = await t.call({
      method: 'POST',
      url: '/api/blade-signup/signup/reveal',
      headers: who.headers,
      payload: { id, field: 'phone', reason: ' ' },
    })
    expect(unsaid.code).toBe(29005)
    expect((await reveal(who, id)).data.phone).toMatch(/^1\d{10}$/)
    await t.pool.query(`UPDATE throttle SET count = 198 WHERE key = 'reveal:' || $1`, [who.userId])
    for (const at of [t, twin]) expect((await reveal(who, id, at)).code).toBe(200)
    expect([await alarms(), await home(auditor)]).toEqual([[], 0])
    expect((await reveal(who, id)).code).toBe(200)
    expect(await alarms()).toMatchObject([{ userId: who.userId, targetId: who.userId, detail: { looks: 200 } }])
    expect((await reveal(who, id)).code).toBe(200)
    expect((await reveal(other, id)).code).toBe(200)
    expect(await alarms()).toHaveLength(1)
    expect(await home(auditor)).toBe(1)
    expect(await home(await signIn(t, { role: 'reviewer' }))).toBe(0)
    await t.app.journal.flush()
    const notes = await t.pool.query(`SELECT "logLevel" FROM log_usual WHERE "logId" = 'reveal alarm'`)
    expect(notes.rows).toEqual([{ logLevel: 'warn' }])
    t.setNow(new Date(now.getTime() + 8 * 86_400_000))
    await stayLoggedIn(t)
    expect(await home(auditor)).toBe(0)
    t.setNow(now)
    await stayLoggedIn(t)
  })

  test('and what they take home is found by person and day', async () => {
    const auditor = await signIn(t, { role: 'auditor' })
    const who = await signIn(t, { role: 'admin' })
    await t.app.inject({ url: '/api/blade-system/post/export', headers: who.headers })
    const find = async (query: string) => {
      const url = `/api/blade-log/audit/page?size=50&userId=${who.userId}&${query}`
      return (await t.call<{ records: { event: string; time: string }[] }>({ url, headers: auditor.headers })).data
        .records
    }
    const day = 'time_datege=2026-12-02 00:00:00&time_datelt=2026-12-03 00:00:00'
    expect((await find(`event=export&${day}`)).map(one => one.event)).toEqual(['export'])
    expect(await find('event=export&time_datege=2026-12-03 00:00:00')).toEqual([])
  })
})

test('B32 · whatever leaves as a workbook says below every printed page who took it and when', async () => {
  const rows = {
    examination: { examStatus: 1 },
    examuser: { userId: staff.userId, examRole: 1, units: null, codes: null, enable: 1 },
  }
  const own = await everyRow(t.app, { tenantId: '000000', set: 1, rows })
  const cases = casesOf(t.app, schemas.schemas, 'public').filter(
    ({ url }) => /export|excel$/i.test(url) && !/getExcel|getSchoolExcel|template$/i.test(url),
  )
  const marked: string[] = []
  const bare: string[] = []
  for (const one of cases) {
    const bag = Object.fromEntries(
      one.ids.flatMap(name => (own[one.entityOf(name) ?? ''] ? [[name, own[one.entityOf(name) ?? '']!]] : [])),
    )
    for (const ids of [{}, bag]) {
      const { rawPayload } = await t.app.inject(one.request(ids, staff.headers))
      if (rawPayload.subarray(0, 2).toString() !== 'PK') continue
      const sheet = [...unzip(rawPayload)].find(([name]) => /^xl\/worksheets\/sheet1\.xml$/.test(name))?.[1].toString()
      if (sheet === undefined) continue
      const isMarked = /<oddFooter>&amp;L导出人：测试\d+　导出时间：2026-12-02 10:00:00/.test(sheet)
      const list = isMarked ? marked : bare
      list.push(one.name)
    }
  }
  expect(bare).toEqual([])
  expect(new Set(marked).size).toBeGreaterThan(60)
})
