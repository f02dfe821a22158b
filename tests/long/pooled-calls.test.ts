import { afterAll, beforeAll, expect, test } from 'vitest'
import { menus } from '../../src/platform/tenants/server/seed/menus.ts'
import { type TestApp, testApp } from '../helper/app.ts'
import { everyRow } from '../helper/every-row.ts'
import { inTurns } from '../helper/in-turns.ts'
import { type Caller, signIn } from '../helper/person.ts'
import { casesOf, type RouteCase, watchSchemas } from '../helper/route-cases.ts'

// Every call by two servers whose every transaction meets another session of the database than the one before.

const schemas = watchSchemas()

let t: TestApp
let other: TestApp
let staff: Caller
beforeAll(async () => {
  t = await testApp({ now: '2026-06-01 08:00:00', pooled: true })
  other = await testApp({ now: '2026-06-01 08:00:00', pooled: true, url: t.url })
  // The sandbox of payments is asked at the own address.
  for (const { app } of [t, other]) await app.listen({ port: 0, host: '127.0.0.1' })
  staff = await signIn(t, { role: 'admin', permissions: menus.map(one => one.code) })
})
afterAll(async () => {
  schemas.stop()
  await other?.close()
  await t?.close()
})

test('no call fails unexpectedly, whatever it reads or changes', async () => {
  const sealed = t.app.vault.seal('hash')
  const rows = {
    idclaim: { idCard: '11010519491231002X', password: sealed },
    wechat: { appSecret: sealed, pushToken: sealed },
  }
  const own = await everyRow(t.app, { tenantId: '000000', set: 1, rows })
  const all = casesOf(t.app, schemas.schemas, 'public')
  // What reads first: what changes may remove the rows, and a session.
  const cases = [...all.filter(({ method }) => method === 'GET'), ...all.filter(({ method }) => method === 'POST')]
  const bagOf = (one: RouteCase) =>
    Object.fromEntries(
      one.ids.flatMap(name => (own[one.entityOf(name) ?? ''] ? [[name, own[one.entityOf(name) ?? '']!]] : [])),
    )
  const found = await inTurns(8, cases, async (one, at) => {
    const { statusCode, payload } = await (at % 2 ? t : other).app.inject(one.request(bagOf(one), staff.headers))
    // What others do not answer to is refused with a code of its own.
    const isFault = statusCode >= 500 && JSON.parse(payload).code === statusCode
    return isFault ? [`${statusCode} ${one.name} ${payload.slice(0, 200)}`] : []
  })
  expect(cases.length).toBeGreaterThan(400)
  expect(found.flat()).toEqual([])
})
