import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { FlowRun, WorkState } from '#schemas/dictionaries'
import { TokenState } from '../../src/modules/workflow/rules/run/state.ts'
import { type TestApp, testApp } from './app.ts'
import { type Fleet, type Load, startFleet, underKills } from './fleet.ts'
import { lines } from './flow-bench.ts'
import { FlowBench } from './flow-runs.ts'

/** Two branches, one of them for several people, a join, ten seconds, and another process with a task of its own. */
const long = `<startEvent id="s"/><parallelGateway id="f"/><userTask id="x" flowable:assignee="@b"/>
  <userTask id="y" flowable:assignee="#{one}"><multiInstanceLoopCharacteristics flowable:collection="people" flowable:elementVariable="one">
  <completionCondition>\${nrOfCompletedInstances >= 2}</completionCondition></multiInstanceLoopCharacteristics></userTask>
  <parallelGateway id="j"/><intermediateCatchEvent id="w"><timerEventDefinition><timeDuration>PT10S</timeDuration></timerEventDefinition></intermediateCatchEvent>
  <callActivity id="c" calledElement="killsub"/><endEvent id="z"/>
  ${lines('s>f', 'f>x', 'f>y', 'x>j', 'y>j', 'j>w', 'w>c', 'c>z')}`
const called = `<startEvent id="s"/><userTask id="t" flowable:assignee="@f"/><endEvent id="z"/>${lines('s>t', 't>z')}`

interface Todo {
  records: { taskId: string; processInstanceId: string }[]
}

/**
 * The test of processes that run on two servers which are killed again and again: each ends once, and nothing of it is left.
 * @param runs how many processes, @param kills how often a server is killed
 */
export function flowKills(runs: number, kills: number): void {
  let t: TestApp
  let b: FlowBench
  let fleet: Fleet
  let model: string

  beforeAll(async () => {
    t = await testApp()
    b = await new FlowBench(t).open()
    await b.deploy('killsub', called)
    model = await b.deploy('killed', long)
    fleet = await startFleet(t)
  })
  afterAll(async () => {
    await fleet?.stop()
    await t?.close()
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
      expect(fleet.faults).toEqual([])
    },
    240_000 + runs * 4000,
  )
}
