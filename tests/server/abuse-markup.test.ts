import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Entity, type Resource, tableOf, writableFields } from '#engine'
import { menus } from '../../src/platform/tenants/server/seed/menus.ts'
import { shanghai, type TestApp, testApp } from '../helper/app.ts'
import { type EveryRow, everyRow } from '../helper/every-row.ts'
import { inTurns } from '../helper/in-turns.ts'
import { harmIn, markup } from '../helper/markup.ts'
import { type Caller, signIn } from '../helper/person.ts'
import { casesOf, type RouteCase, watchSchemas } from '../helper/route-cases.ts'
import { times } from '../helper/sign-bench.ts'

// What somebody hostile writes into texts that others read: every field of formatted text of every resource is given every
// vector, every other text some of them.

const schemas = watchSchemas()
let t: TestApp
let who: Caller
let own: EveryRow
let submits: readonly RouteCase[]

beforeAll(async () => {
  t = await testApp({ now: '2026-06-01 08:00:00' })
  who = await signIn(t, { role: 'admin', permissions: menus.map(one => one.code) })
  const windows = {
    signStartTime: shanghai(times.start),
    signEndTime: shanghai(times.end),
    modifyEndTime: shanghai(times.modifyEnd),
    examineEndTime: shanghai(times.examineEnd),
  }
  own = await everyRow(t.app, {
    tenantId: '000000',
    set: 1,
    rows: { examination: { examStatus: 0, ...windows }, notice: { sendId: null } },
  })
  submits = casesOf(t.app, schemas.schemas).filter(({ url, resource }) => url === `/api${resource?.path}/submit`)
})
afterAll(async () => {
  schemas.stop()
  await t.close()
})

const entityOf = ({ resource }: RouteCase): Entity => (resource as Resource).entity

const fieldsOf = (one: RouteCase, kinds: readonly string[]): string[] => {
  const entity = entityOf(one)
  return writableFields(entity).filter(name => kinds.includes(entity.properties[name]?.kind ?? ''))
}

const rowOf = async (entity: Entity): Promise<Record<string, unknown>> =>
  (await t.pool.query(`SELECT * FROM "${tableOf(entity.name)}" WHERE id = $1`, [own[entity.name]])).rows[0] ?? {}

/** Changes some fields of the own row of a resource. @returns the row as it is stored then, and as it is answered */
async function change(one: RouteCase, values: Record<string, string>) {
  const entity = entityOf(one)
  const id = own[entity.name]
  const version = entity.version ? { version: (await rowOf(entity)).version } : {}
  const { headers } = who
  const saved = await t.call({ method: 'POST', url: one.url, headers, payload: { id, ...version, ...values } })
  const answer = await t.app.inject({ url: `/api${one.resource?.path}/detail?id=${id}`, headers })
  return { code: saved.code, stored: await rowOf(entity), answer }
}

describe('B15 · formatted text', () => {
  test('has nothing in it that runs, whatever was written, in no field of any resource', async () => {
    const rich = submits.filter(one => own[entityOf(one).name] && fieldsOf(one, ['richText']).length > 0)
    expect(rich.map(one => one.resource?.name)).toEqual(expect.arrayContaining(['notice', 'news', 'examination']))
    const wrong = await inTurns(4, rich, async one => {
      const names = fieldsOf(one, ['richText'])
      const found: string[] = []
      for (const html of markup) {
        const text = html.replaceAll('\0', '')
        const { code, stored, answer } = await change(
          one,
          Object.fromEntries(names.map(name => [name, `<p>一</p>${text}`])),
        )
        if (code !== 200) found.push(`${one.name} refuses ${html}: ${code}`)
        const data = answer.json().data as Record<string, unknown>
        for (const name of names)
          for (const kept of [stored[name], data[name]]) {
            if (!String(kept).startsWith('<p>一</p>')) found.push(`${one.name} ${name} lost its text: ${kept}`)
            found.push(...harmIn(String(kept)).map(harm => `${one.name} ${name}: ${harm}`))
          }
      }
      return found
    })
    expect(wrong.flat()).toEqual([])
  })

  test('keeps what an editor makes', async () => {
    const html =
      '<h2 class="ql-align-center">须知</h2><p><strong style="color:#ff0000">一</strong> <a href="https://example.org" rel="noopener noreferrer">甲</a></p><ol><li>乙</li></ol>'
    const notice = submits.find(one => one.resource?.name === 'notice')!
    const [name] = fieldsOf(notice, ['richText'])
    expect((await change(notice, { [name!]: html })).stored[name!]).toBe(html)
  })
})

describe('B15 · other texts', () => {
  test('are answered as data that no browser takes for a page', async () => {
    const wrong = await inTurns(4, submits, async (one, place) => {
      const { properties } = entityOf(one)
      const free = fieldsOf(one, ['text', 'longText']).filter(name => {
        const { pattern, format, enum: keys, maxLength } = properties[name]!
        return !pattern && !format && !keys && (maxLength ?? 255) > 60
      })
      if (free.length === 0 || !own[entityOf(one).name]) return []
      const texts = markup.filter(html => html.length <= 60 && !/\p{Cc}/u.test(html))
      const values = Object.fromEntries(free.map((name, at) => [name, texts[(place + at) % texts.length]!]))
      const { answer } = await change(one, values)
      const { 'content-type': type, 'x-content-type-options': sniff } = answer.headers
      const isData = String(type).startsWith('application/json') && sniff === 'nosniff'
      return isData ? [] : [`${one.name} answers ${type} ${sniff}`]
    })
    expect(wrong.flat()).toEqual([])
  })

  test('come back in a refusal as data, too', async () => {
    const url = `/api/blade-system/param/list?${encodeURIComponent('<script>boom()</script>')}=1`
    for (const headers of [who.headers, { ...who.headers, accept: 'text/html' }]) {
      const answer = await t.app.inject({ url, headers })
      expect(answer.json().code).toBe(29005)
      expect(answer.headers['content-type']).toMatch(/^application\/json/)
      expect(answer.headers['x-content-type-options']).toBe('nosniff')
    }
  })
})

test('B15 · pages run scripts of this server only, and none that stands in them', async () => {
  for (const url of ['/', '/login', '/api/public/site', '/nowhere']) {
    const policy = String((await t.app.inject(url)).headers['content-security-policy'])
    const rule = (name: string) => new RegExp(`(?:^|;)${name} ([^;]*)`).exec(policy)?.[1]
    expect([rule('default-src'), rule('script-src'), rule('object-src'), rule('base-uri')]).toEqual([
      "'self'",
      "'self'",
      "'none'",
      "'self'",
    ])
    expect(rule('frame-ancestors')).toBe("'self'")
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline/)
  }
})
