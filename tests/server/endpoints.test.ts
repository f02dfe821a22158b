import { readFileSync } from 'node:fs'
import type { HTTPMethods } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../helper/app.ts'
import { loginAs, type Session } from '../helper/login.ts'

interface Endpoint {
  method: HTTPMethods
  path: string
  /** page, list, tree, detail, submit, remove, action, export, import, upload, auth or other. */
  kind: string
}

/** The calls that clients of this system know, a line each: the promise that none is lost. */
const endpoints: Endpoint[] = readFileSync(new URL('endpoints.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map(line => {
    const [method = '', path = '', kind = ''] = line.split('\t')
    return { method: method as HTTPMethods, path, kind }
  })

let t: TestApp
let administrator: Session
let guest: Session

beforeAll(async () => {
  t = await testApp()
  administrator = await loginAs(t, 'administrator')
  guest = await loginAs(t, 'guest')
})
afterAll(() => t.close())

/** Calls that end the session that calls them, or that speak the token protocol: they have tests of their own. */
const apart = /oauth\/(token|logout|captcha)/

const ask = (one: Endpoint, session?: Session) =>
  t.app.inject({
    method: one.method as 'GET',
    url: one.path,
    ...(session && { headers: session.headers }),
    ...(one.method === 'POST' && { payload: {} }),
  })

/** What a list call answers, by kind. */
const shapes: Record<string, (data: unknown) => boolean> = {
  page: data => ['records', 'total', 'size', 'current', 'pages'].every(key => key in Object(data)),
  list: data => Array.isArray(data) || Array.isArray(Object(data).records),
  tree: data => Array.isArray(data) || typeof data === 'object',
}

describe.each(endpoints.map(one => [`${one.method} ${one.path}`, one] as const))('%s', (_name, one) => {
  const access = () => t.app.routeTable.find(({ url, method }) => url === one.path && method === one.method)?.access

  test('stands, and says who may call it', () => {
    expect(t.app.hasRoute({ method: one.method, url: one.path })).toBe(true)
    expect(access()).toBeDefined()
  })

  test('is shut to whoever has no token, and to whoever lacks the right', async () => {
    if (access() === 'public') return
    expect((await ask(one)).statusCode).toBe(401)
    if (access() === 'signed-in') return
    expect((await ask(one, guest)).statusCode).toBe(403)
  })

  test('answers or refuses in words', async () => {
    if (apart.test(one.path)) return
    const answer = await ask(one, administrator)
    expect(answer.statusCode).toBeLessThan(500)
    if (!String(answer.headers['content-type']).startsWith('application/json')) return
    const { code, data, msg } = answer.json()
    // 404 as a code is the answer to an unknown address; a row that is not there has a code of its own.
    expect(code).not.toBe(404)
    if (code === 200) expect(shapes[one.kind]?.(data) ?? true).toBe(true)
    else expect(msg).toMatch(/\p{Script=Han}/u)
  })
})
