import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { askToken, loginAs, type Session } from '../../../../tests/helper/login.ts'
import { sampleIdCard, samplePhone } from '../../../../tests/helper/sample.ts'

let t: TestApp
let admin: Session
let auditor: Session

beforeAll(async () => {
  t = await testApp({
    prepare: app => {
      app.post('/api/test/break', { config: { access: 'staff' } }, async () => {
        throw new TypeError('a fault of ours')
      })
    },
  })
  admin = await loginAs(t, 'administrator')
  auditor = await loginAs(t, 'auditor')
})
afterAll(() => t?.close())

interface Line {
  id: string
  title: string
  method: string
  requestUri: string
  httpStatus: number
  type: number
  traceId: string
  createBy: string
  params?: string
  stackTrace?: string
  exceptionName: string
}

async function lines(log: 'api' | 'error' | 'usual', query = ''): Promise<Line[]> {
  await t.app.journal.flush()
  const url = `/api/blade-log/${log}/list?size=100&${query}`
  const answer = await t.call<{ records: Line[] }>({ url, headers: auditor.headers })
  expect(answer.code).toBe(200)
  return answer.data.records
}

const post = (url: string, payload: object = {}, who = admin) =>
  t.call({ method: 'POST', url: `/api${url}`, headers: who.headers, payload })

test('a call that changes something is there with its title, and one that only reads is not', async () => {
  await post('/blade-system/param/submit', { paramName: '名', paramKey: 'journal.test', paramValue: '1' })
  await t.call({ url: '/api/blade-system/param/list', headers: admin.headers })
  const [line, ...more] = await lines('api', 'requestUri=blade-system/param')
  expect(more).toEqual([])
  expect(line).toMatchObject({ title: '系统参数：新增或修改', method: 'POST', httpStatus: 200, type: 1 })
  expect(line?.createBy).toMatch(/^administrator/)
})

test('a refused call is there, even one that reads', async () => {
  await t.call({ url: '/api/blade-system/param/list?colour=red', headers: admin.headers })
  expect((await lines('api', 'requestUri=colour'))[0]).toMatchObject({ method: 'GET', httpStatus: 400 })
  await t.call('/api/blade-system/param/list?shape=round')
  expect(await lines('api', 'requestUri=shape')).toEqual([])
})

test('B30 · 29 · what it was sent with is in the detail only, and masked', async () => {
  const [idCard, phone] = [sampleIdCard(55), samplePhone(55)]
  const secret = 'Journal@2026'
  const body = { account: 'journal', password: secret, idCard, phone, email: `to ${idCard} and ${phone}` }
  await post('/blade-system/user/submit', body)
  await askToken(t, idCard, secret)
  const [line] = await lines('api', 'requestUri=user/submit')
  expect(line).not.toHaveProperty('params')
  const url = `/api/blade-log/api/detail?id=${line?.id}`
  const { data } = await t.call<Line>({ url, headers: auditor.headers })
  expect(JSON.parse(data.params ?? '')).toMatchObject({ account: 'journal', password: '***', idCard: '***' })
  const all = JSON.stringify(await t.db.selectFrom('log_api').selectAll().execute())
  for (const one of [idCard, phone, secret]) expect(all).not.toContain(one)
})

test('of what a candidate fills in nothing is kept', async () => {
  const candidate = await loginAs(t, 'candidate')
  const content = { family: [{ name: '张三丰', work: '武当' }] }
  await post('/blade-signup/signup/submit', { examId: '1', content }, candidate)
  expect((await lines('api', 'requestUri=signup/submit')).length).toBe(1)
  const rows = await t.db.selectFrom('log_api').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain('武当')
})

test('a fault is found by the number the person was told', async () => {
  const answer = await post('/test/break')
  expect(answer.code).toBe(500)
  const trace = /（(.+)）/.exec(answer.msg)?.[1]
  const [line] = await lines('error', `traceId=${trace}`)
  expect(line).toMatchObject({ exceptionName: 'TypeError', requestUri: '/api/test/break' })
  expect(line).not.toHaveProperty('stackTrace')
  const url = `/api/blade-log/error/detail?id=${line?.id}`
  const { data } = await t.call<Line>({ url, headers: auditor.headers })
  expect(data.stackTrace).toContain('a fault of ours')
})

test('nothing is lost when the server ends', async () => {
  const other = await testApp({ url: t.url })
  for (let i = 0; i < 30; i++) other.app.journal.note('info', 'ending', { i })
  await other.close()
  expect((await lines('usual', 'logId=ending')).length).toBe(30)
})

test('nobody writes or removes a line by hand', async () => {
  for (const log of ['usual', 'api', 'error', 'audit'])
    for (const path of ['submit', 'remove?ids=1']) expect((await post(`/blade-log/${log}/${path}`)).status).toBe(404)
})
