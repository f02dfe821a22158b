import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { lookThrough } from '../../src/platform/backup/invariants.ts'
import { limits } from '../../src/platform/config/limits.ts'
import { retryAfter } from '../../src/platform/http/server/unavailable.ts'
import { type TestApp, testApp } from './app.ts'
import { type Caller, signIn } from './person.ts'
import { soon } from './soon.ts'
import { startTwoHosts, type TwoHosts } from './two-hosts.ts'

/** A way to lose a primary: what becomes of it, and how that is done. */
export type Loss = readonly [becomes: string, lose: (hosts: TwoHosts) => unknown]

/** Milliseconds on an idle machine: 99 of 100 refusals, and from the promotion to the next saved row; a loaded one has a multiple. */
const idle = { refusal: 500, back: 1000 }
const loaded = { refusal: 4, back: 8 }

/** Tests a server at two hosts, of which the second takes writes and is lost in each of the ways while three people save. */
export function testLossOfPrimary(losses: readonly Loss[]): void {
  describe('two hosts, of which the second takes writes', () => {
    let hosts: TwoHosts
    let t: TestApp
    let staff: Caller

    beforeEach(async () => {
      hosts = await startTwoHosts()
      t = await testApp({
        url: hosts.url(hosts.standby, hosts.primary),
        config: { dataDir: hosts.dataDir, connectionTime: limits.connection, readinessTime: limits.readiness },
      })
      staff = await signIn(t, { role: 'administrator' })
    })
    afterEach(async () => {
      hosts?.primary.thaw()
      await t?.close()
      await hosts?.close()
    })

    const write = (paramKey: string) =>
      t.app.inject({
        method: 'POST',
        url: '/api/blade-system/param/submit',
        headers: staff.headers,
        payload: { paramName: paramKey, paramKey, paramValue: '1' },
      })

    /** What became of calls of three people who save without a pause. */
    interface Load {
      /** Keys of what was acknowledged. */
      saved: string[]
      /** Statuses, each with its `Retry-After`, of those that were not. */
      refused: Set<string>
      /** How long refusals took, but for the first of each person, whose call was on its way when the primary was lost. */
      times: number[]
      end(): Promise<void>
    }

    function load(): Load {
      const saved: string[] = []
      const refused = new Set<string>()
      const times: number[] = []
      let isOn = true
      const writer = async (name: number) => {
        let isFirst = true
        for (let n = 0; isOn; n++) {
          const key = `hosts.${name}.${n}`
          const since = performance.now()
          const { statusCode, headers } = await write(key)
          if (statusCode === 200) saved.push(key)
          else {
            refused.add(`${statusCode} ${headers['retry-after']}`)
            if (!isFirst) times.push(performance.now() - since)
            isFirst = false
            await sleep(20)
          }
        }
      }
      const writers = [1, 2, 3].map(writer)
      const end = async () => {
        isOn = false
        await Promise.all(writers)
      }
      return { saved, refused, times, end }
    }

    test.each(losses)(
      'the primary %s under load: what was acknowledged is at the other, and calls go on there',
      async (_, lose) => {
        const { saved, refused, times, end } = load()
        await soon(() => expect(saved.length).toBeGreaterThan(20))
        await lose(hosts)
        await sleep(500)
        await hosts.standby.promote()
        const promoted = performance.now()
        const before = saved.length
        await soon(() => expect(saved.length).toBeGreaterThan(before))
        expect(performance.now() - promoted).toBeLessThan(idle.back * loaded.back)
        await soon(() => expect(saved.length).toBeGreaterThan(before + 10))
        await end()
        expect([...refused]).toEqual([`503 ${retryAfter}`])
        const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0
        expect(p99).toBeLessThan(idle.refusal * loaded.refusal)
        const rows = await hosts.standby.query(`SELECT "paramKey" AS key FROM param WHERE "paramKey" LIKE 'hosts.%'`)
        const there = new Set(rows.map(({ key }) => key))
        expect(saved.filter(key => !there.has(key))).toEqual([])
        expect((await lookThrough(t.app)).filter(({ isRight }) => !isRight)).toEqual([])
      },
    )
  })
}
