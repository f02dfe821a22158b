import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { integer, permissionOf, permissionsOf, type Resource, readCall, tableOf } from '#engine'
import { resources } from '#resources'
import { unanswered } from '../src/crud/routes.ts'
import { type TestApp, testApp } from './helper/app.ts'
import { type Caller, signIn } from './helper/person.ts'

let t: TestApp
let admin: Caller
let candidate: Caller
let nobody: Caller

beforeAll(async () => {
  t = await testApp()
  admin = await signIn(t, {
    permissions: resources.flatMap(one => [one.code, ...permissionsOf(one).map(p => p.code)]),
    role: 'administrator',
  })
  candidate = await signIn(t, { role: 'candidate' })
  nobody = await signIn(t, { permissions: [] })
})
afterAll(() => t.close())

const all = resources.map(one => [one.name, one] as const)

/** The calls every resource has, as requests. */
function callsOf(resource: Resource): InjectOptions[] {
  const { list, submit, remove } = resource.calls
  const at = (call: string) => `/api${resource.path}/${call}`
  const [first, write, drop] = [list, submit, remove].map(call => readCall(call as never))
  const reads = ['page', 'list', first?.path ?? 'page', 'select'].map(
    path => ({ method: 'GET', url: at(path) }) as const,
  )
  const more: InjectOptions[] = [{ method: 'GET', url: `${at('detail')}?${resource.entity.key}=1` }]
  if (resource.can.includes('add')) more.push({ method: 'POST', url: at(write?.path ?? 'submit'), payload: {} })
  if (resource.can.includes('remove')) more.push({ method: 'POST', url: `${at(drop?.path ?? 'remove')}?ids=1&id=1` })
  if (resource.can.includes('export')) more.push({ method: 'GET', url: at('export') })
  if (resource.can.includes('import')) more.push({ method: 'GET', url: at('template') })
  return [...reads, ...more]
}

/** Look-ups that need no token: forms before the login use them. */
const lookUps = ['/api/blade-system/region/select']

/** Lists in which all staff find what they did themselves; tests of their own say that it is nothing else. */
const ownLists = ['exporttask']

/** A row that is not there for the caller is as good as a closed door. */
const isClosed = (code: number, call: InjectOptions) =>
  code === 403 || (code === 404 && String(call.url).includes('/detail?'))

const status = async (options: InjectOptions, caller?: Caller) =>
  (await t.app.inject({ ...options, headers: caller?.headers })).statusCode

describe.each(all)('%s', (_, resource) => {
  test('has a table with every field', async () => {
    const { rows } = await t.pool.query<{ column_name: string }>(
      'SELECT column_name FROM information_schema.columns WHERE table_name = $1',
      [tableOf(resource.entity.name)],
    )
    const columns = rows.map(row => row.column_name)
    expect(columns).toEqual(expect.arrayContaining(Object.keys(resource.entity.properties)))
  })

  test('answers its lists to an administrator', async () => {
    for (const call of callsOf(resource).slice(0, 4)) {
      const answer = await t.call({ ...call, headers: admin.headers })
      expect([call.url, answer.status, answer.success]).toEqual([call.url, 200, true])
    }
    const page = await t.call({ url: `/api${resource.path}/page`, headers: admin.headers })
    expect(page.data).toMatchObject({ records: expect.any(Array), total: expect.any(Number), size: 10, current: 1 })
  })

  test('asks for a token everywhere', async () => {
    for (const call of callsOf(resource).filter(one => !lookUps.includes(String(one.url))))
      expect([call.url, await status(call)]).toEqual([call.url, 401])
  })

  test('lets nobody without its permissions in', async () => {
    for (const call of callsOf(resource).filter(one => !String(one.url).endsWith('/select'))) {
      const code = await status(call, nobody)
      expect([call.url, isClosed(code, call) || (ownLists.includes(resource.name) && code === 200)]).toEqual([
        call.url,
        true,
      ])
    }
  })

  test('shows candidates nothing but their own', async () => {
    for (const call of callsOf(resource).filter(one => !lookUps.includes(String(one.url)))) {
      const isRead = resource.owner && /\/(page|list|detail)(\?|$)/.test(String(call.url))
      const found = await status(call, candidate)
      if (!isRead) expect([call.url, isClosed(found, call)]).toEqual([call.url, true])
      else expect([call.url, [200, 404].includes(found)]).toEqual([call.url, true])
    }
  })

  test('refuses an unknown filter by name', async () => {
    const answer = await t.call({ url: `/api${resource.path}/page?colour=red`, headers: admin.headers })
    expect([answer.code, answer.msg]).toEqual([29005, expect.stringContaining('colour')])
  })
})

test('every list has a permission of its own', () => {
  const codes = resources.map(one => one.code)
  expect(new Set(codes).size).toBe(codes.length)
  expect(permissionOf(resources[0] as Resource, 'add')).toBe(`${resources[0]?.code}_add`)
})

test('every action is answered', () => expect(unanswered(t.app)).toEqual([]))

describe('the server does not start', () => {
  /** Takes something out of a definition, and puts it back. */
  async function without(name: string, change: Partial<Resource>, message: RegExp): Promise<void> {
    const resource = resources.find(one => one.name === name)!
    const before = { ...resource }
    Object.assign(resource, change)
    try {
      await expect(testApp()).rejects.toThrow(message)
    } finally {
      Object.assign(resource, before)
    }
  }

  test('while rows of an exam do not say who meets them', () =>
    without('payorder', { scope: null }, /resources: payorder: has no scope, but «bizId» refers to payrecord/))

  test('while an owned resource does not say what its owner reads', () =>
    without('payrecord', { owner: 'userId' as never }, /resources: payrecord: owner does not say what its owner reads/))

  test('while a scope names a rule that nobody has written', () =>
    without(
      'exampay',
      { scope: { by: 'office', of: 'examination', field: 'examId', options: {} } },
      /resources: exampay: scope names the rule «office»/,
    ))

  test('while an action has neither a handler nor a route', () =>
    without(
      'role',
      { actions: { shine: { label: '擦亮', call: 'POST shine?id' } } as never },
      /rules: role: action shine has neither a handler nor a route/,
    ))

  test('while a handler belongs to no action', () =>
    without('auditlog', { actions: {} }, /rules: auditlog: «verify» is no action of the resource/))

  test('while nothing works out what is derived', () =>
    without('role', { derived: { people: integer('人数') } }, /rules: role: nothing works out «people»/))

  test('while an action is said to have a route and none is there', () =>
    without(
      'exampay',
      { path: '/blade-exam/exampays' },
      /These actions have no handler: exampay.releasePay \(POST releasePay\?/,
    ))
})
