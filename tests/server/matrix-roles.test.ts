import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { admitted } from '../../src/crud/view.ts'
import type { RouteEntry } from '../../src/platform/access/server/permissions.ts'
import type { Person } from '../../src/platform/http/server/access.ts'
import { type TestApp, testApp } from '../helper/app.ts'
import { inTurns } from '../helper/in-turns.ts'
import { signIn } from '../helper/person.ts'

/** One line of the table: which calls, and who may make them. */
interface Fact {
  calls: string
  pattern: RegExp
  may: ReadonlySet<string>
}

const signs: Readonly<Record<string, string>> = { '*': '.*', '{': '(?:', '}': ')', ',': '|', '.': '\\.' }

function patternOf(calls: string): RegExp {
  const [path = '', method = '\\w+'] = calls.split(' ').reverse()
  return new RegExp(`^${method} ${path.replace(/[*{},.]/g, sign => signs[sign] ?? sign)}$`)
}

// Who may call what, as the specification's roles have it and not as the code computes it: of the lines that fit a call, the
// first one counts. `*` stands for anything, `{a,b}` for one of several.
const [head = [], ...lines] = readFileSync(new URL('matrix.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map(line => line.split('\t'))
const callers = head.slice(1)
const facts: readonly Fact[] = lines.map(([calls = '', ...cells]) => ({
  calls,
  pattern: patternOf(calls),
  may: new Set(callers.filter((_, place) => cells[place] === 'x')),
}))

/** Whom the server takes each caller for. */
const people = new Map<string, Person>()

/** Who is let in to what reads by right of a permission, and has it, need not be answered: all that is decided is decided. */
function stopBehindGuards(message: unknown): void {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('preHandler', async ({ method, routeOptions, headers, person }, reply) => {
    const caller = headers['x-known-as']
    if (typeof caller === 'string' && person) {
      people.set(caller, person)
      return reply.code(204).send()
    }
    if (method === 'GET' && typeof routeOptions.config.access === 'object') return reply.code(204).send()
  })
}

let t: TestApp
const headers = new Map<string, Record<string, string>>()

beforeAll(async () => {
  subscribe('fastify.initialization', stopBehindGuards)
  t = await testApp()
  unsubscribe('fastify.initialization', stopBehindGuards)
  headers.set('nobody', {})
  for (const role of callers.filter(one => one !== 'nobody')) headers.set(role, (await signIn(t, { role })).headers)
  for (const [role, own] of headers)
    await t.app.inject({ url: '/api/blade-system/user/info', headers: { ...own, 'x-known-as': role } })
})
afterAll(() => t.close())

/** The calls; built pages and their pictures, there or not, are no calls. */
const calls = () => t.app.routeTable.filter(({ url }) => /^\/(api|sandbox)(\/|$)/.test(url))

type Call = Pick<RouteEntry, 'method' | 'url' | 'access'>

const nameOf = ({ method, url }: { method: string; url: string }) => `${method} ${url.replace(/^\/api/, '')}`
const factOf = (name: string) => facts.find(({ pattern }) => pattern.test(name))

/** Calls that begin or end a session, and those that want the signature of the payment channel instead of a token. */
const apart = /\/oauth\/(logout|token|authorize|render)|\/sandbox\/wxpay\/v3\/|\/wxpay\/(notify|refundNotify)$/

/** Busy machines turn calls away before anybody asks whose they are; such a call is made again. */
const unavailable = 503

/** Let in is whoever is not told that he is unknown (401) or lacks the right (403); what he is told then is no matter here. */
async function isLetIn(method: string, url: string, caller: string): Promise<boolean> {
  for (let tries = 0; ; tries += 1) {
    const answer = await t.app.inject({
      method: method as 'GET',
      url,
      headers: headers.get(caller) ?? {},
      ...(method === 'POST' && { payload: {} }),
    })
    const isBusy = answer.statusCode === unavailable && answer.json<{ code: number }>().code === unavailable
    if (isBusy && tries < 20) {
      await sleep(500)
      continue
    }
    if (answer.statusCode === 401) return false
    return answer.statusCode !== 403 || answer.json<{ code: number }>().code !== 403
  }
}

/**
 * Whether the permissions of a caller open a call: the guard before all calls decides by them alone, so that of those whom they
 * open it to one need be let in, and of the others one be turned away. Undefined where something else decides.
 */
function isOpened({ access }: Call, caller: string): boolean | undefined {
  const person = people.get(caller)
  if (!person || typeof access !== 'object') return undefined
  const codes = [access.permission].flat()
  return access.views ? admitted(person, codes) !== null : codes.some(code => person.permissions.has(code))
}

/** Whether a caller is one of the two whom a call is asked by, another two from call to call. */
function isAsked(place: number, meant: ReadonlySet<string>, caller: string): boolean {
  const known = callers.filter(one => people.has(one) && meant.has(one) === meant.has(caller))
  return known[place % known.length] === caller
}

describe('the table of who may call what', () => {
  test('has a line for every call, and no line that fits none', () => {
    const names = calls().map(nameOf)
    expect(names.filter(name => !factOf(name))).toEqual([])
    const used = new Set(names.map(name => factOf(name)?.calls))
    expect(facts.filter(({ calls }) => !used.has(calls)).map(({ calls }) => calls)).toEqual([])
  })

  /** The calls whose answer to somebody is not what the table says. */
  const wrongFor = async (caller: string): Promise<string[]> => {
    const routes = calls().filter(({ method, url }) => method !== 'HEAD' && !apart.test(url))
    const wrong = await inTurns(8, routes, async (route, place) => {
      const name = nameOf(route)
      const meant = factOf(name)?.may ?? new Set<string>()
      const opened = isAsked(place, meant, caller) ? undefined : isOpened(route, caller)
      const isIn = opened ?? (await isLetIn(route.method, route.url, caller))
      return isIn === meant.has(caller) ? [] : [`${name} ${isIn ? 'lets in' : 'turns away'} ${caller}`]
    })
    return wrong.flat()
  }

  test('knows whom it asks for: everybody but who has no token', () => {
    expect([...people.keys()]).toEqual(callers.filter(one => one !== 'nobody'))
  })

  test.each(callers.filter(one => one !== 'nobody'))('20 · is kept by the server for every call: %s', async caller =>
    expect(await wrongFor(caller)).toEqual([]),
  )

  test('21 · without a token only those calls answer that the table leaves open', async () => {
    expect(await wrongFor('nobody')).toEqual([])
  })
})
