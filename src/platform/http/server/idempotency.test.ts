import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { soon } from '../../../../tests/helper/soon.ts'
import permissions from '../../access/server/permissions.ts'
import { apart } from '../../database/request-transaction.ts'
import { menus } from '../../tenants/server/seed/menus.ts'
import { isKeyless } from '../rules/keyless.ts'
import idempotency from './idempotency.ts'
import { afterWork, refuse } from './refusal.ts'
import { repetitionOf } from './repetition.ts'

let t: TestApp
let twin: TestApp
let who: Caller
let other: Caller
/** How often the work of `/api/try/add` was begun, and what it waits for. */
let begun = 0
let held: Promise<void> = Promise.resolve()
/** Rows changed by what outlived its request. */
let outliving: Promise<bigint> = Promise.resolve(0n)

const signedIn = { config: { access: 'signed-in' } } as const
const adding = (app: TestApp['app']) => {
  const add = (name: string) =>
    app.db
      .insertInto('param')
      .values({ tenantId: '000000', paramName: name, paramKey: `try.${name}`, paramValue: '1' } as never)
      .execute()
  app.post<{ Body: { name: string; then?: string } }>('/api/try/add', signedIn, async request => {
    begun++
    const { name, then } = request.body
    await add(name)
    await held
    if (then === 'refuse') throw refuse('row.wrongState')
    if (then === 'told') throw afterWork(refuse('row.wrongState'))
    return { code: 200, success: true, data: { name, at: begun }, msg: '' }
  })
  app.post<{ Body: { name: string } }>('/api/try/outlive', signedIn, async request => {
    const { name } = request.body
    await add(name)
    // As a stream does that is still being sent: it goes on while the transaction of its request is being kept.
    outliving = sleep(150).then(async () => {
      const rest = app.db.updateTable('param').set({ paramValue: '2' }).where('paramKey', '=', `try.${name}`)
      return (await rest.executeTakeFirst()).numUpdatedRows
    })
    return { code: 200, success: true, data: {}, msg: '' }
  })
  app.post<{ Body: { name: string } }>('/api/try/file', signedIn, async (request, reply) => {
    await add(request.body.name)
    return reply.type('text/plain').send(`${request.body.name} is kept`)
  })
  app.post<{ Body: { name: string } }>('/api/try/clash', signedIn, async request => {
    const { name } = request.body
    await add(name)
    // A statement that fails, and a transaction that is undone, take nothing else with them.
    await add(name).catch(() => {})
    const undone = app.db.transaction().execute(async trx => {
      await trx.deleteFrom('param').where('paramKey', '=', `try.${name}`).execute()
      throw new Error('undone')
    })
    await undone.catch(() => {})
    await Promise.all([add(`${name}.1`), app.db.transaction().execute(() => add(`${name}.2`)), add(`${name}.3`)])
    await apart(() => add(`${name}.apart`))
    throw refuse('row.wrongState')
  })
}

beforeAll(async () => {
  t = await testApp({ prepare: adding })
  twin = await testApp({ url: t.url, prepare: adding })
  who = await signIn(t, { role: 'admin', permissions: menus.map(one => one.code) })
  other = await signIn(t, { role: 'admin', permissions: menus.map(one => one.code) })
})
afterAll(async () => {
  await twin?.close()
  await t?.close()
})
afterEach(() => {
  held = Promise.resolve()
})

const post = (url: string, payload: object, key?: string, by = who, at = t) =>
  at.call<Record<string, unknown>>({
    method: 'POST',
    url: `/api${url}`,
    payload,
    headers: { ...by.headers, ...(key && { 'idempotency-key': key }) },
  })
const add = (name: string, key?: string, more: object = {}, by = who, at = t) =>
  post('/try/add', { name, ...more }, key, by, at)
const rows = async (name: string) =>
  (await t.db.selectFrom('param').select('paramKey').where('paramKey', 'like', `try.${name}%`).execute())
    .map(one => one.paramKey)
    .sort()

/** Does something at every commit of a new parameter. */
async function withTrigger(body: string, test: () => Promise<void>): Promise<void> {
  await t.pool.query(`CREATE FUNCTION at_commit() RETURNS trigger LANGUAGE plpgsql
    AS $$BEGIN ${body}; RETURN NULL; END$$;
    CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON param DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION at_commit()`)
  await test()
  await t.pool.query('DROP TRIGGER at_commit ON param; DROP FUNCTION at_commit')
}

/** A row that may be there any number of times. */
const position = { category: 1, postCode: 'once', postName: '一次', sort: 1 }

test('pages know at which of their calls no key is looked at', () => {
  const posts = t.app.routeTable.flatMap(({ method, url }) => (method === 'POST' ? [url] : []))
  const ofPages = posts.filter(url => !/^(\/api)?\/sandbox\/|\/channel\/|\/wxpay\/\w+otify$/.test(url))
  const without = ofPages.filter(url => repetitionOf(url)?.by === 'itself')
  expect(without.length).toBeGreaterThan(2)
  expect(ofPages.filter(isKeyless).toSorted()).toEqual(without.toSorted())
})

describe('a key', () => {
  test('sent six times at once makes one, and all are answered alike, in both processes', async () => {
    const before = begun
    const answers = await Promise.all([t, twin, t, twin, t, twin].map(at => add('six', 'key-six', {}, who, at)))
    expect(await rows('six')).toEqual(['try.six'])
    for (const one of answers) expect(one).toMatchObject({ status: 200, data: { name: 'six' } })
    expect(new Set(answers.map(one => JSON.stringify(one.data))).size).toBe(1)
    // Some may have begun beside the first; what they did is undone.
    expect(begun - before).toBeGreaterThan(0)
    expect((await add('six', 'key-six')).data).toEqual(answers[0]?.data)
  })

  test('of work that is not done yet is told to wait', async () => {
    let free = () => {}
    held = new Promise(done => {
      free = done
    })
    const before = begun
    const first = add('slow', 'key-slow')
    await expect.poll(() => begun).toBeGreaterThan(before)
    const answer = await t.app.inject({
      method: 'POST',
      url: '/api/try/add',
      payload: { name: 'slow' },
      headers: { ...who.headers, 'idempotency-key': 'key-slow' },
    })
    expect([answer.statusCode, answer.json().code, answer.headers['retry-after']]).toEqual([409, 29006, '1'])
    free()
    expect(await first).toMatchObject({ status: 200 })
    expect((await add('slow', 'key-slow')).data).toEqual((await first).data)
    expect(await rows('slow')).toEqual(['try.slow'])
  })

  test('with something else is refused in words, and belongs to its sender and address', async () => {
    const first = await add('own', 'key-own')
    expect(await add('own2', 'key-own')).toMatchObject({
      status: 409,
      code: 29006,
      msg: 'Idempotency-Key已用于内容不同的请求，请更换后重试',
    })
    expect(await rows('own2')).toEqual([])
    expect((await add('own3', 'key-own', {}, other)).code).toBe(200)
    expect(
      (await post('/blade-system/param/submit', { paramName: 'x', paramKey: 'try.own4', paramValue: '1' }, 'key-own'))
        .code,
    ).toBe(200)
    expect((await add('own', 'key-own')).data).toEqual(first.data)
    expect((await add('own5', 'x'.repeat(65))).code).toBe(29005)
  })

  test('of what was refused may be sent again, corrected', async () => {
    expect((await add('again', 'key-again', { then: 'refuse' })).code).toBe(29009)
    expect(await rows('again')).toEqual([])
    expect((await add('again', 'key-again')).code).toBe(200)
    expect(await rows('again')).toEqual(['try.again'])
  })

  test('is kept for a day, sealed, and then forgotten', async () => {
    await add('day', 'key-day')
    const kept = () => t.db.selectFrom('idempotency').selectAll().where('key', '=', 'key-day').execute()
    expect((await kept())[0]?.response).toMatch(/^v\d+:/)
    t.setNow(new Date(Date.now() + 25 * 3600_000))
    const session = await signIn(t, { role: 'admin', permissions: [] })
    t.setNow(new Date())
    expect(session.headers).toBeDefined()
    await t.db
      .updateTable('idempotency')
      .set({ expireTime: new Date(0) })
      .where('key', '=', 'key-day')
      .execute()
    expect((await add('day.2', 'key-day')).code).toBe(200)
  })

  test('six times makes one row by a generated call', async () => {
    const answers = await Promise.all(
      [1, 2, 3, 4, 5, 6].map(() => post('/blade-system/post/submit', position, 'key-row')),
    )
    expect(answers.map(one => one.code)).toEqual([200, 200, 200, 200, 200, 200])
    const made = await t.db.selectFrom('post').select('id').where('postName', '=', position.postName).execute()
    expect(made).toHaveLength(1)
  })
})

describe('the work of a call', () => {
  test('is kept or undone whole, but for what is done apart from it', async () => {
    expect((await post('/try/clash', { name: 'clash' })).code).toBe(29009)
    expect(await rows('clash')).toEqual(['try.clash.apart'])
  })

  test('stays where the refusal tells what was done', async () => {
    expect((await add('told', undefined, { then: 'told' })).code).toBe(29009)
    expect(await rows('told')).toEqual(['try.told'])
  })

  test('is kept before the first byte of a file leaves, and nothing leaves when it cannot be kept', async () => {
    const file = (name: string) =>
      t.app.inject({ method: 'POST', url: '/api/try/file', payload: { name }, headers: who.headers })
    await withTrigger('PERFORM pg_sleep(0.3)', async () => {
      expect((await file('file')).body).toBe('file is kept')
      expect(await rows('file')).toEqual(['try.file'])
    })
    await withTrigger("RAISE EXCEPTION 'no'", async () => {
      const refused = await file('lost')
      expect([refused.statusCode, refused.body.includes('is kept')]).toEqual([500, false])
      expect(await rows('lost')).toEqual([])
    })
  })

  test('is seen whole by what outlives it, however long it takes to be kept', async () => {
    await withTrigger('PERFORM pg_sleep(0.6)', async () => {
      expect((await post('/try/outlive', { name: 'outlive' })).status).toBe(200)
    })
    expect(await outliving).toBe(1n)
  })

  test('gives its connection back, whatever comes of it', async () => {
    await Promise.all(
      Array.from({ length: 60 }, (_, n) => add(`many${n % 3}`, `key-many${n}`, n % 2 ? { then: 'refuse' } : {})),
    )
    // A job of the server may be at work with a connection of its own.
    await soon(() => expect(t.pool.totalCount - t.pool.idleCount).toBe(0))
  })
})

describe('the start', () => {
  test.each([
    { by: 'itself', because: '' } as const,
    { by: 'lease', because: 'another system is asked', again: '' } as const,
  ])('stops where a POST gives no reason for being no single transaction: $by', async repetition => {
    const wrong = testApp({
      prepare: app => {
        const config = { access: 'public', repetition } as const
        app.post('/api/try/silent', { config }, async () => ({}))
      },
    })
    await expect(wrong).rejects.toThrow(/outside the idempotency hook: POST \/api\/try\/silent/)
  })

  test('stops where a POST was there before the hook', async () => {
    const app = Fastify()
    await app.register(permissions)
    app.decorate('vault', {} as never)
    app.post('/api/try/early', { config: { access: 'public' } }, async () => ({}))
    app.register((await import('fastify-plugin')).default(async () => {}, { name: 'vault' }))
    app.register(idempotency)
    await expect(app.ready()).rejects.toThrow(/outside the idempotency hook: POST \/api\/try\/early/)
    await app.close()
  })
})
