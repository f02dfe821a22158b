import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../tests/helper/app.ts'
import { signIn } from '../../../tests/helper/person.ts'
import { soon } from '../../../tests/helper/soon.ts'
import { lockDouble } from '../../../tests/helper/without-locks.ts'
import { refuse } from '../http/server/refusal.ts'
import { claim, renew } from './claim.ts'
import {
  FinalFailure,
  type Item,
  type Kind,
  type Lane,
  type Leaving,
  LostLease,
  type Piece,
  Postponed,
} from './piece.ts'

declare module './piece.ts' {
  interface WorkKinds {
    'test.job': { n: number }
    'test.flow': { n: number }
  }
}

type Tried = Piece<'test.job'> | Piece<'test.flow'>

let one: TestApp
let two: TestApp
/** Where the second says what it has counted. */
let metrics: string

/** What the work of these tests does; each test says. */
let during: (piece: Tried, app: TestApp['app']) => Promise<unknown>
let begun: { n: number; node: string }[] = []
let left: { item: Item; leaving: Leaving }[] = []
let retried: string[] = []
let onLeft: () => Promise<unknown>

const kindOf = (kind: 'test.job' | 'test.flow', lane: Lane, app: TestApp['app']): Kind<'test.job' | 'test.flow'> => ({
  kind,
  lane,
  mostTries: 3,
  async perform(piece) {
    begun.push({ n: piece.payload.n, node: app.queue.node })
    return during(piece as Tried, app)
  },
  isFinal: error => String(error).includes('exams.notFound') || (error as { code?: number }).code === 20001,
  async left(_trx, item, leaving) {
    left.push({ item, leaving })
    await onLeft()
  },
  async retried(_trx, { id }) {
    retried.push(id)
  },
})

const prepare = (app: TestApp['app']) => {
  app.queue.add(kindOf('test.job', 'job', app))
  app.queue.add(kindOf('test.flow', 'flow', app))
}

beforeAll(async () => {
  one = await testApp({ now: '2026-06-01 08:00:00', prepare })
  two = await testApp({ now: '2026-06-01 08:00:00', prepare, url: one.url, config: { metricsPort: 0 } })
  metrics = (await two.app.serveMetrics())!
})
afterAll(async () => {
  await two?.close()
  await one?.close()
})
beforeEach(async () => {
  during = async () => undefined
  begun = []
  left = []
  retried = []
  onLeft = async () => undefined
  await one.pool.query('DELETE FROM work_item')
})

let n = 0
type More = Partial<Parameters<TestApp['app']['queue']['enter']>[1]>
const enter = async (more: More = {}, on: TestApp['app'] | Parameters<typeof one.app.queue.enter>[0] = one.app) =>
  one.app.queue.enter(on, { kind: 'test.job', tenantId: '000000', payload: { n: ++n }, ...more } as never)
const rowOf = (id: string | null) =>
  one.db.selectFrom('work_item').selectAll().where('id', '=', String(id)).executeTakeFirstOrThrow()
const pass = (seconds: number) => {
  const time = new Date(one.app.now().getTime() + seconds * 1000)
  one.setNow(time)
  two.setNow(time)
}
/** The process that has a piece no longer answers. */
const expire = (id: string | null) =>
  one.pool.query(`UPDATE work_item SET "leaseUntil" = clock_timestamp() - interval '1 second' WHERE id = $1`, [id])
const take = (t: TestApp, room = 5) =>
  claim(t.db, {
    node: t.app.queue.node,
    kinds: ['test.job', 'test.flow'],
    rooms: new Map([['job', room]]),
    now: t.app.now(),
  })

describe('entered', () => {
  test('in a transaction that is undone it is not there; in one that is kept it is done once', async () => {
    const undone = one.db.transaction().execute(async trx => {
      await enter({}, trx)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await one.app.queue.workOff()).toBe(0)
    const id = await one.db.transaction().execute(trx => enter({}, trx))
    expect(await Promise.all([one.app.queue.workOff(), two.app.queue.workOff()])).toSatisfy(
      ([a = 0, b = 0]) => a + b === 1,
    )
    expect(begun).toHaveLength(1)
    expect(await rowOf(id)).toMatchObject({ state: 5, tries: 1, leaseBy: null, leaseUntil: null })
  })

  test('its payload is sealed', async () => {
    const id = await enter({ payload: { n: 4711 } })
    const { payload } = await rowOf(id)
    expect(payload).toMatch(/^v\d+:/)
    expect(payload).not.toContain('4711')
  })

  test('under a key that is open it is not entered a second time, by whichever of two at once', async () => {
    const both = await Promise.all([enter({ key: 'a' }), enter({ key: 'a' })])
    expect(both.filter(Boolean)).toHaveLength(1)
    expect(await enter({ key: 'b' })).not.toBeNull()
    expect(await enter({ kind: 'test.flow', key: 'a' })).not.toBeNull()
    during = async () => expect(await enter({ key: 'a' })).toBeNull()
    await one.app.queue.workOff()
    expect((await rowOf(both.find(Boolean)!)).state).toBe(5)
    expect(await enter({ key: 'a' })).not.toBeNull()
  })

  test('for later it waits for its time, by the clock of the server', async () => {
    await enter({ runAt: new Date(one.app.now().getTime() + 60_000) })
    expect(await one.app.queue.workOff()).toBe(0)
    pass(61)
    expect(await one.app.queue.workOff()).toBe(1)
  })

  test('for one process it is done by that one', async () => {
    const id = await enter({ forNode: two.app.queue.node })
    expect(one.app.queue.node).not.toBe(two.app.queue.node)
    expect(await one.app.queue.workOff()).toBe(0)
    expect(await two.app.queue.workOff()).toBe(1)
    expect((await rowOf(id)).state).toBe(5)
  })

  test('of a kind that nobody knows it is refused, and one that only others know is left to them', async () => {
    await expect(enter({ kind: 'test.unknown' as never })).rejects.toThrow('no kind of work')
    const id = await enter()
    await one.pool.query(`UPDATE work_item SET kind = 'test.newer' WHERE id = $1`, [id])
    expect(await one.app.queue.workOff()).toBe(0)
    expect(() => one.app.queue.add(kindOf('test.job', 'job', one.app))).toThrow('two kinds')
  })
})

describe('taken', () => {
  test('the more urgent first, then the older', async () => {
    const [late, early, urgent] = [
      await enter({ runAt: new Date(one.app.now().getTime() - 1000) }),
      await enter({ runAt: new Date(one.app.now().getTime() - 9000) }),
      await enter({ priority: 5 }),
    ]
    const order = [...(await take(one, 1)), ...(await take(one, 1)), ...(await take(one, 1))].map(row => row.id)
    expect(order).toEqual([urgent, early, late])
  })

  test('of many that reach for the same pieces each gets others', async () => {
    for (let i = 0; i < 30; i++) await enter()
    const got = await Promise.all(Array.from({ length: 16 }, (_, i) => take(i % 2 ? one : two, 2)))
    const ids = got.flat().map(row => row.id)
    expect(ids).toHaveLength(30)
    expect(new Set(ids).size).toBe(30)
  })

  test('nobody waits for a piece that another is just taking', async () => {
    const [first, second] = [await enter(), await enter()]
    await one.db.transaction().execute(async trx => {
      await trx.selectFrom('work_item').select('id').where('id', '=', String(first)).forUpdate().execute()
      const since = performance.now()
      expect((await take(two)).map(row => row.id)).toEqual([second])
      expect(performance.now() - since).toBeLessThan(1500)
    })
  })

  test('the lock decides who gets a piece: without it two get the same', async () => {
    const reach = async (unlocked: boolean) => {
      await one.pool.query('DELETE FROM work_item')
      await enter()
      const db = slowly(one, unlocked)
      const look = () => claim(db, { node: 'x', kinds: ['test.job'], rooms: new Map([['job', 1]]), now: one.app.now() })
      return (await Promise.all([look(), look()])).flat().length
    }
    expect(await reach(true)).toBe(2)
    expect(await reach(false)).toBe(1)
  })
})

/** A handle whose claims rest between looking and taking. @param unlocked they lock nothing while they look */
const slowly = (t: TestApp, unlocked: boolean) => {
  const change = (text: string) =>
    text
      .replace('AS MATERIALIZED (SELECT id FROM', 'AS MATERIALIZED (SELECT id, pg_sleep(0.3) FROM')
      .replaceAll(unlocked ? ' FOR NO KEY UPDATE OF i SKIP LOCKED' : '\0', '')
  const connect = async () => {
    const client = await t.pool.connect()
    const query = (text: string, values: unknown[]) => client.query(change(text), values)
    return { query, release: () => client.release() }
  }
  return lockDouble({ pool: { connect } as never }, { unlocked: false, after: /^never$/, pause: async () => undefined })
}

describe('at once in one process', () => {
  test('each lane has so many, and one lane does not keep another waiting', async () => {
    for (let i = 0; i < 12; i++) await enter()
    await enter({ kind: 'test.flow' })
    let now = 0
    let most = 0
    let release = () => {}
    const held = new Promise<void>(done => {
      release = done
    })
    let flow = false
    during = async piece => {
      if (piece.kind === 'test.flow') {
        flow = true
        return
      }
      most = Math.max(most, ++now)
      await held
      now--
    }
    const all = one.app.queue.workOff()
    await soon(() => expect([now, flow]).toEqual([5, true]))
    release()
    expect(await all).toBe(13)
    expect(most).toBe(5)
  })
})

test('statements of its transactions have two minutes, all others half a minute', async () => {
  await enter()
  const asked = sql<{ statement_timeout: string }>`SHOW statement_timeout`
  const limitOf = async ({ db }: Pick<TestApp['app'], 'db'>) => (await asked.execute(db)).rows[0]?.statement_timeout
  const found: unknown[] = []
  during = async (_piece, app) => {
    found.push(await app.db.transaction().execute(trx => limitOf({ db: trx })), await limitOf(app))
  }
  await one.app.queue.workOff()
  expect([...found, await one.db.transaction().execute(trx => limitOf({ db: trx }))]).toEqual(['2min', '30s', '30s'])
})

describe('a failure', () => {
  test('is tried again after longer and longer pauses, with what was noted, then given up', async () => {
    const id = await enter()
    const seen: unknown[] = []
    during = async piece => {
      seen.push([piece.tries, piece.isLast, piece.memo])
      await piece.note({ at: piece.tries })
      throw new Error('no luck')
    }
    expect(await one.app.queue.workOff()).toBe(1)
    expect(await rowOf(id)).toMatchObject({ state: 1, tries: 1, result: 'no luck', leaseBy: null })
    for (const seconds of [20, 40]) {
      pass(seconds - 1)
      expect(await one.app.queue.workOff()).toBe(0)
      pass(2)
      expect(await two.app.queue.workOff()).toBe(1)
    }
    pass(3600)
    expect(await one.app.queue.workOff()).toBe(0)
    expect(seen).toEqual([
      [1, false, {}],
      [2, false, { at: 1 }],
      [3, true, { at: 2 }],
    ])
    expect(left.map(({ leaving }) => leaving.how)).toEqual(['again', 'again', 'failed'])
    expect(await rowOf(id)).toMatchObject({ state: 4, result: 'no luck' })
    const told = await (await fetch(metrics)).text()
    expect(told).toContain('juxian_work_failed_total{kind="test.job"} 1\n')
  })

  test.each([
    ['that says so', () => new FinalFailure('never')],
    ['that its kind says so of', () => Object.assign(new Error('x'), { code: 20001 })],
  ])('%s is final', async (_, error) => {
    const id = await enter()
    during = () => Promise.reject(error())
    await one.app.queue.workOff()
    expect(await rowOf(id)).toMatchObject({ state: 4, tries: 1 })
  })

  test('shows no personal data', async () => {
    const id = await enter()
    during = () => Promise.reject(new FinalFailure('13812345678 is not reached'))
    await one.app.queue.workOff()
    expect((await rowOf(id)).result).not.toContain('13812345678')
  })

  test('of what is done when a piece is left leaves the piece to be taken over', async () => {
    const id = await enter()
    during = () => Promise.reject(new Error('no'))
    onLeft = () => Promise.reject(new Error('nor this'))
    await one.app.queue.workOff()
    expect(await rowOf(id)).toMatchObject({ state: 3, tries: 1 })
    onLeft = async () => undefined
    await expire(id)
    await two.app.queue.workOff()
    expect(await rowOf(id)).toMatchObject({ state: 1, tries: 2 })
  })

  test('that ends its process each time does not end all others', async () => {
    const id = await enter()
    for (let i = 0; i < 3; i++) {
      expect(await take(one)).toHaveLength(1)
      await expire(id)
    }
    await two.app.queue.workOff()
    expect(begun).toEqual([])
    expect(await rowOf(id)).toMatchObject({ state: 4, result: '多次中断' })
    expect(left.map(({ leaving }) => leaving.how)).toEqual(['failed'])
  })
})

test('what is put off goes on later as if it had not been begun', async () => {
  const id = await enter()
  const until = new Date(one.app.now().getTime() + 30_000)
  during = piece => (one.app.now() < until ? Promise.reject(new Postponed(until)) : Promise.resolve(`${piece.tries}`))
  expect(await one.app.queue.workOff()).toBe(1)
  expect(await rowOf(id)).toMatchObject({ state: 1, tries: 0, runAt: until })
  pass(31)
  expect(await one.app.queue.workOff()).toBe(1)
  expect(await rowOf(id)).toMatchObject({ state: 5, result: '1' })
})

describe('a lease', () => {
  test('that is renewed is kept, with how far the work is', async () => {
    const id = await enter()
    const [row] = await take(one)
    await one.pool.query(`UPDATE work_item SET "leaseUntil" = clock_timestamp() + interval '1 second' WHERE id = $1`, [
      id,
    ])
    expect(await renew(one.db, [{ id: row!.id, leaseBy: row!.leaseBy, progress: 3, total: 9 }])).toEqual(new Set([id]))
    const { leaseUntil, progress, total } = await rowOf(id)
    expect([Number(leaseUntil) - Date.now() > 50_000, progress, total]).toEqual([true, 3, 9])
    expect(await take(two)).toEqual([])
  })

  test('that is over is taken over, and who comes back changes nothing', async () => {
    const id = await enter()
    let second: Promise<unknown> | undefined
    during = async (piece, app) => {
      if (app !== one.app) return 'theirs'
      await expire(id)
      second ??= two.app.queue.workOff()
      await second
      await expect(piece.note({ mine: true })).rejects.toThrow(LostLease)
      await expect(one.db.transaction().execute(trx => piece.hold(trx))).rejects.toThrow(LostLease)
      const handOver = one.db.transaction().execute(async trx => {
        await trx
          .insertInto('throttle')
          .values({ key: `queue ${id}`, count: 1, until: new Date() })
          .execute()
        await piece.end(trx, 'mine')
      })
      await expect(handOver).rejects.toThrow(LostLease)
      return 'mine'
    }
    await one.app.queue.workOff()
    expect(begun).toHaveLength(2)
    expect(await rowOf(id)).toMatchObject({ state: 5, result: 'theirs', tries: 2 })
    expect((await one.pool.query('SELECT 1 FROM throttle WHERE key = $1', [`queue ${id}`])).rows).toEqual([])
  })

  test('that another has meanwhile keeps its work from being ended, noted, kept or given back by who lost it', async () => {
    const id = await enter()
    let theirs: string | undefined
    during = async piece => {
      await expire(id)
      theirs = (await take(two))[0]?.leaseBy
      await expect(piece.note({ mine: true })).rejects.toThrow(LostLease)
      await expect(one.db.transaction().execute(trx => piece.hold(trx))).rejects.toThrow(LostLease)
      await expect(one.db.transaction().execute(trx => piece.end(trx, 'mine'))).rejects.toThrow(LostLease)
      throw new Error('given back')
    }
    await one.app.queue.workOff()
    expect(theirs).toBeDefined()
    expect(await rowOf(id)).toMatchObject({ state: 3, leaseBy: theirs, result: null, memo: null, tries: 2 })
    expect(left).toEqual([])
  })

  test('of a process that took its own piece again is another', async () => {
    const id = await enter()
    const [first] = await take(one)
    await expire(id)
    const [again] = await take(one)
    expect(again!.id).toBe(first!.id)
    expect(await renew(one.db, [{ id: first!.id, leaseBy: first!.leaseBy, progress: null, total: null }])).toEqual(
      new Set(),
    )
    expect((await rowOf(id)).leaseBy).toBe(again!.leaseBy)
  })

  test('that is lost calls the work off', async () => {
    const id = await enter()
    during = async piece => {
      await one.app.queue.cancel(one.app, { id: String(id) })
      await new Promise((_, reject) => piece.signal.addEventListener('abort', () => reject(piece.signal.reason)))
    }
    await one.app.queue.workOff()
    expect((await rowOf(id)).state).toBe(9)
    expect(left).toEqual([])
  })
})

test('work that ends its piece itself does both or neither', async () => {
  const id = await enter()
  let fail = true
  during = piece =>
    one.db.transaction().execute(async trx => {
      await piece.end(trx, 'whole')
      if (fail) throw new Error('after all not')
    })
  await one.app.queue.workOff()
  expect(await rowOf(id)).toMatchObject({ state: 1, result: 'after all not' })
  fail = false
  pass(21)
  await one.app.queue.workOff()
  expect(await rowOf(id)).toMatchObject({ state: 5, result: 'whole' })
})

test('what is cancelled is not begun, by its key or its id', async () => {
  const id = await enter({ key: 'c' })
  expect(await one.app.queue.cancel(one.app, { kind: 'test.job', key: 'c' })).toBe(1)
  expect(await one.app.queue.cancel(one.app, { id: String(id) })).toBe(0)
  expect(await one.app.queue.workOff()).toBe(0)
  expect(await rowOf(id)).toMatchObject({ state: 9 })
})

describe('what was given up', () => {
  const giveUp = async (more: More = {}) => {
    const id = await enter(more)
    during = () => Promise.reject(new FinalFailure('no'))
    await one.app.queue.workOff()
    during = async () => 'now'
    return id as string
  }

  test('is tried again when somebody says so, as if it were new', async () => {
    const id = await giveUp()
    expect(await one.db.transaction().execute(trx => one.app.queue.retry(trx, { id }))).toBe(true)
    expect(retried).toEqual([id])
    await one.app.queue.workOff()
    expect(await rowOf(id)).toMatchObject({ state: 5, tries: 1, result: 'now' })
    expect(await one.db.transaction().execute(trx => one.app.queue.retry(trx, { id }))).toBe(false)
  })

  test('stays so while the same work is open', async () => {
    const id = await giveUp({ key: 'again' })
    await enter({ key: 'again' })
    expect(await one.db.transaction().execute(trx => one.app.queue.retry(trx, { id }))).toBe(false)
  })

  test('is listed, and retried there by an administrator; by nobody else', async () => {
    const id = await giveUp({ key: 'listed' })
    const { headers } = await signIn(one, { role: 'administrator' })
    // The words of kinds are the product's.
    await one.pool.query(`UPDATE work_item SET kind = 'job.run' WHERE id = $1`, [id])
    const list = await one.call<{ records: Record<string, unknown>[] }>({
      url: '/api/blade-job/work-item/page?state=4',
      headers,
    })
    expect(list.data.records).toMatchObject([{ id, kind: 'job.run', state: 4, result: 'no', key: 'listed' }])
    await one.pool.query(`UPDATE work_item SET kind = 'test.job' WHERE id = $1`, [id])
    for (const hidden of ['payload', 'memo', 'leaseBy']) expect(list.data.records[0]).not.toHaveProperty(hidden)
    const retry = (by: object) =>
      one.call({ method: 'POST', url: `/api/blade-job/work-item/retry?id=${id}`, headers: by as never })
    expect((await retry((await signIn(one, { role: 'exam_admin' })).headers)).status).toBe(403)
    expect(
      (
        await retry(
          (
            await signIn(one, {
              tenantId: '000077',
              permissions: [
                'workitem',
                'workitem_retry',
                'work-item',
                'work-item_retry',
                'work_item',
                'work_item_retry',
              ],
            })
          ).headers,
        )
      ).code,
    ).toBe(29001)
    const same = await enter({ key: 'listed' })
    expect((await retry(headers)).code).toBe(29009)
    await one.app.queue.cancel(one.app, { id: String(same) })
    expect((await retry(headers)).code).toBe(200)
    expect([(await rowOf(id)).state, retried]).toEqual([1, [id]])
    await one.app.queue.workOff()
    expect((await rowOf(id)).state).toBe(5)
  })
})

describe('a server that ends', () => {
  test('gives its pieces back at once, as if never begun', async () => {
    const third = await testApp({ now: one.app.now(), url: one.url, prepare })
    const id = await enter()
    during = piece =>
      new Promise((_, reject) => piece.signal.addEventListener('abort', () => reject(piece.signal.reason)))
    const ended = third.app.queue.workOff()
    await soon(() => expect(begun).toHaveLength(1))
    await third.close()
    await ended
    expect(await rowOf(id)).toMatchObject({ state: 1, tries: 0, leaseBy: null })
    expect(left.map(({ leaving }) => leaving.how)).toEqual(['back'])
    during = async () => 'elsewhere'
    expect(await one.app.queue.workOff()).toBe(1)
    expect(await rowOf(id)).toMatchObject({ state: 5, tries: 1, result: 'elsewhere' })
  })
})

test('by the clock work is found without being told of, and at once when told', async () => {
  const busy = await testApp({ now: one.app.now(), url: one.url, prepare, config: { jobs: true } })
  try {
    const id = await enter()
    await soon(async () => expect((await rowOf(id)).state).toBe(5))
    // Of more pieces than a lane holds, the next is begun when one ends, not at the next look.
    during = () => sleep(20)
    for (let i = 0; i < 120; i++) await enter()
    const since = performance.now()
    busy.app.queue.nudge()
    const open = `SELECT count(*)::int AS n FROM work_item WHERE state IN (1, 3)`
    await soon(async () => expect((await one.pool.query(open)).rows[0].n).toBe(0))
    expect(performance.now() - since).toBeLessThan(10_000)
  } finally {
    await busy.close()
  }
})

test('what ended is forgotten: done after a week, given up and called off after a month', async () => {
  const day = 86_400
  const done = await enter()
  await one.app.queue.workOff()
  during = () => Promise.reject(new FinalFailure('no'))
  const failed = await enter()
  await one.app.queue.workOff()
  const cancelled = await enter()
  await one.app.queue.cancel(one.app, { id: String(cancelled) })
  const waiting = await enter({ runAt: new Date(one.app.now().getTime() + 90 * day * 1000) })
  const kept = async () => {
    await one.app.jobs.run('work-items')
    const { rows } = await one.pool.query('SELECT id::text FROM work_item ORDER BY id')
    return rows.map(row => row.id)
  }
  pass(6 * day)
  expect(await kept()).toEqual([done, failed, cancelled, waiting])
  pass(2 * day)
  expect(await kept()).toEqual([failed, cancelled, waiting])
  pass(23 * day)
  expect(await kept()).toEqual([waiting])
})

test('a refusal is told in its words', async () => {
  const id = await enter({ maxTries: 1 })
  during = () => Promise.reject(refuse('exams.notFound'))
  await one.app.queue.workOff()
  expect(await rowOf(id)).toMatchObject({ state: 4, result: '考试不存在', tries: 1 })
})
