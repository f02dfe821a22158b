import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { limits } from '../../src/platform/config/limits.ts'
import { type TestApp, testApp } from './app.ts'
import { type Caller, signIn } from './person.ts'
import { soon } from './soon.ts'
import { startTwoHosts, type TwoHosts } from './two-hosts.ts'

/** A way to lose a primary: what becomes of it, and how that is done. */
export type Loss = readonly [becomes: string, lose: (hosts: TwoHosts) => unknown]

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
      t.call({
        method: 'POST',
        url: '/api/blade-system/param/submit',
        headers: staff.headers,
        payload: { paramName: paramKey, paramKey, paramValue: '1' },
      })

    /** What became of calls of three people who save without a pause. */
    interface Load {
      /** Keys of what was acknowledged. */
      saved: string[]
      refused: Set<number>
      end(): Promise<void>
    }

    function load(): Load {
      const saved: string[] = []
      const refused = new Set<number>()
      let isOn = true
      const writer = async (name: number) => {
        for (let n = 0; isOn; n++) {
          const key = `hosts.${name}.${n}`
          const { status } = await write(key)
          if (status === 200) saved.push(key)
          else {
            refused.add(status)
            await sleep(20)
          }
        }
      }
      const writers = [1, 2, 3].map(writer)
      const end = async () => {
        isOn = false
        await Promise.all(writers)
      }
      return { saved, refused, end }
    }

    test.each(losses)(
      'the primary %s under load: what was acknowledged is at the other, and calls go on there',
      async (_, lose) => {
        const { saved, refused, end } = load()
        await soon(() => expect(saved.length).toBeGreaterThan(20))
        await lose(hosts)
        await sleep(500)
        await hosts.standby.promote()
        const before = saved.length
        await soon(() => expect(saved.length).toBeGreaterThan(before + 10))
        await end()
        expect([...refused]).toEqual([503])
        const rows = await hosts.standby.query(`SELECT "paramKey" AS key FROM param WHERE "paramKey" LIKE 'hosts.%'`)
        const there = new Set(rows.map(({ key }) => key))
        expect(saved.filter(key => !there.has(key))).toEqual([])
      },
    )
  })
}
