import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { FlowRun, WorkState } from '#schemas/dictionaries'
import { TokenState } from '../../src/modules/workflow/rules/run/state.ts'
import { type TestApp, testApp } from './app.ts'
import { type Fleet, type Load, startFleet, underKills } from './fleet.ts'
import { lines } from './flow-bench.ts'
import { FlowBench } from './flow-runs.ts'
import { type Pooler, startPooler } from './pooler.ts'

/** Two branches, one of them for several people, a join, ten seconds, another process with a task of its own, and a call of another system. */
const long = (url: string) => `<startEvent id="s"/><parallelGateway id="f"/><userTask id="x" flowable:assignee="@b"/>
  <userTask id="y" flowable:assignee="#{one}"><multiInstanceLoopCharacteristics flowable:collection="people" flowable:elementVariable="one">
  <completionCondition>\${nrOfCompletedInstances >= 2}</completionCondition></multiInstanceLoopCharacteristics></userTask>
  <parallelGateway id="j"/><intermediateCatchEvent id="w"><timerEventDefinition><timeDuration>PT10S</timeDuration></timerEventDefinition></intermediateCatchEvent>
  <callActivity id="c" calledElement="killsub"/><serviceTask id="h" flowable:type="http"><extensionElements>
  <flowable:field name="requestMethod" stringValue="POST"/><flowable:field name="requestUrl" stringValue="${url}"/>
  <flowable:field name="responseVariableName" stringValue="no"/></extensionElements></serviceTask><endEvent id="z"/>
  ${lines('s>f', 'f>x', 'f>y', 'x>j', 'y>j', 'j>w', 'w>c', 'c>h', 'h>z')}`
const called = `<startEvent id="s"/><userTask id="t" flowable:assignee="@f"/><endEvent id="z"/>${lines('s>t', 't>z')}`

interface Todo {
  records: { taskId: string; processInstanceId: string }[]
}

/**
 * Another system, in which a call has an effect once for each key that it comes with. Some calls fail at first: once, since a try that
 * ends with its server counts, too, and whoever has used up all three waits for a manager.
 */
class Ledger {
  /** Numbers of effects, by their keys. */
  readonly effects = new Map<string, number>()
  readonly #tries = new Map<string, number>()
  readonly #server = createServer((request, answer) => {
    const key = String(request.headers['idempotency-key'])
    const tries = (this.#tries.get(key) ?? 0) + 1
    this.#tries.set(key, tries)
    request.resume()
    // Whoever asks again gets the number of the first time.
    if (!this.effects.has(key)) this.effects.set(key, this.effects.size + 1)
    const no = this.effects.get(key) as number
    answer.writeHead(no % 20 === 0 && tries < 2 ? 500 : 200).end(String(no))
  })

  async open(): Promise<string> {
    await new Promise<void>(done => this.#server.listen(0, '127.0.0.1', done))
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** How often it was called in all. */
  get calls(): number {
    return [...this.#tries.values()].reduce((sum, n) => sum + n, 0)
  }

  close(): void {
    this.#server.close()
  }
}

/**
 * The test of processes that run on two servers which are killed again and again: each ends once, and nothing of it is left.
 * @param runs how many processes, @param kills how often a server is killed
 * @param isPooled the servers reach the database through PgBouncer in transaction mode
 */
export function flowKills(runs: number, kills: number, isPooled = false): void {
  let t: TestApp
  let pooler: Pooler | undefined
  let b: FlowBench
  let fleet: Fleet
  let model: string
  const ledger = new Ledger()

  beforeAll(async () => {
    t = await testApp()
    b = await new FlowBench(t).open()
    const host = await ledger.open()
    await t.db.updateTable('param').set({ paramValue: host }).where('paramKey', '=', 'flow.hosts').execute()
    await b.deploy('killsub', called)
    model = await b.deploy('killed', long(`http://${host}/`))
    if (isPooled) pooler = await startPooler(t.url)
    fleet = await startFleet(t, pooler && { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: t.url })
  })
  afterAll(async () => {
    await fleet?.stop()
    await pooler?.stop()
    await t?.close()
    ledger.close()
  })

  test(
    `${runs} processes end once each though a server is killed ${kills} times`,
    async () => {
      let begun = 0
      const starter = async (load: Load) => {
        const { headers } = b.who('a')
        while (begun < runs) {
          begun += 1
          const body = { processDefinitionId: model, chosen: { people: ['c', 'd', 'e'].map(b.id) } }
          const answer = await fleet.insist('/blade-flow/process/start-process', { headers, body })
          expect(answer.code).toBe(200)
          load.done()
        }
      }
      let isOver = false
      const doer = (name: string) => async (load: Load) => {
        const { headers } = b.who(name)
        while (load.goesOn() || !isOver) {
          const { data } = await fleet.insist<Todo>('/blade-flow/work/todo-list?size=20', { headers })
          for (const { taskId, processInstanceId } of data.records) {
            const body = { taskId, processInstanceId, pass: true }
            const { code } = await fleet.insist('/blade-flow/work/complete-task', { headers, body })
            // Of several people two are enough: the task of the third is over.
            expect([200, 29011]).toContain(code)
            load.done()
          }
          if (data.records.length === 0) {
            await sleep(200)
            // Waiting for timers is no standstill.
            load.done()
          }
        }
      }
      const running = async () => {
        const { rows } = await t.pool.query('SELECT count(*)::int AS n FROM flow_instance WHERE status = $1', [
          FlowRun.running,
        ])
        return rows[0].n as number
      }
      const watching = (async () => {
        await vi.waitFor(
          async () => {
            expect(begun).toBe(runs)
            expect(await running()).toBe(0)
          },
          { timeout: 120_000 + runs * 3000, interval: 500 },
        )
      })().finally(() => {
        isOver = true
      })
      const doers = ['b', 'c', 'd', 'e', 'f'].map(doer)
      await Promise.all([underKills(fleet, kills, [starter, starter, ...doers], { pause: [300, 1500] }), watching])
      const { rows: ends } = await t.pool.query(
        `SELECT i.status, count(a.id)::int AS ends, count(*) OVER ()::int AS runs FROM flow_instance i
         LEFT JOIN flow_activity a ON a."instanceId" = i.id AND a.type = 'endEvent' GROUP BY i.id, i.status`,
      )
      // Each with the process that it has called.
      expect(ends).toHaveLength(2 * runs)
      expect(ends.filter(one => one.status !== FlowRun.finished || one.ends !== 1)).toEqual([])
      const { rows: left } = await t.pool.query(
        `SELECT (SELECT count(*)::int FROM flow_token WHERE state < $1) AS tokens,
           (SELECT count(*)::int FROM flow_activity WHERE "endTime" IS NULL) AS steps,
           (SELECT count(*)::int FROM work_item WHERE kind LIKE 'flow.%' AND state IN ($2, $3, $4)) AS work`,
        [TokenState.over, WorkState.waiting, WorkState.running, WorkState.failed],
      )
      expect(left).toEqual([{ tokens: 0, steps: 0, work: 0 }])
      // Each has the number of its own effect, however often it had to ask.
      const { rows: answers } = await t.pool.query(
        `SELECT (variables->>'no')::int AS no FROM flow_instance WHERE "parentInstance" IS NULL ORDER BY no`,
      )
      expect(answers.map(({ no }) => no)).toEqual([...ledger.effects.values()])
      expect(ledger.effects.size).toBe(runs)
      console.log(`${ledger.calls} calls for ${runs} effects`)
      expect(fleet.faults).toEqual([])
    },
    240_000 + runs * 4000,
  )
}
