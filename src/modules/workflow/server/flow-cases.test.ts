import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { shanghai, type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { lines } from '../../../../tests/helper/flow-bench.ts'
import { FlowBench } from '../../../../tests/helper/flow-runs.ts'

// What a process does by its model, on rows: with times, other processes and errors, on two servers.

let t: TestApp
let second: TestApp
let b: FlowBench

const now = '2026-06-01 08:00:00'
const user = (id: string, who: string, more = '') =>
  `<userTask id="${id}" name="步骤${id}" flowable:assignee="${who}"${more}/>`
const inside = (body: string) => `<startEvent id="s"/>${body}<endEvent id="z"/>`
const timer = (id: string, at: string, duration: string, cancels: boolean) =>
  `<boundaryEvent id="${id}" attachedToRef="${at}" cancelActivity="${cancels}"><timerEventDefinition>
   <timeDuration>${duration}</timeDuration></timerEventDefinition></boundaryEvent>`

beforeAll(async () => {
  t = await testApp({ now })
  second = await testApp({ url: t.url, now })
  b = await new FlowBench(t).open()
})
afterAll(async () => {
  await second?.close()
  await t?.close()
})
/** Both servers look at one clock. */
const setNow = (time: string) => {
  t.setNow(time)
  second.setNow(time)
}
beforeEach(() => setNow(now))

const later = (seconds: number) =>
  setNow(
    new Date(shanghai(now).getTime() + seconds * 1000 + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' '),
  )

describe('another process', () => {
  const call = (key: string) =>
    `<callActivity id="c" name="子流程" calledElement="${key}"><extensionElements>
       <flowable:in source="amount" target="amount"/><flowable:out source="note" target="answer"/>
     </extensionElements></callActivity>`
  const caller = (key: string) =>
    inside(
      `${call(key)}<exclusiveGateway id="g" default="g-z"/>${user('u', '@c')}${lines('s>c', 'c>g', 'g>u answer == "x"', 'g>z', 'u>z')}`,
    ).replace(
      '<startEvent id="s"/>',
      '<startEvent id="s"><extensionElements><flowable:formProperty id="amount" name="金额" type="double"/></extensionElements></startEvent>',
    )
  const called = inside(
    `<userTask id="t" name="审" flowable:assignee="@b"><extensionElements><flowable:formProperty id="note" name="意见" type="string"/></extensionElements></userTask>${lines('s>t', 't>z')}`,
  )
  const childOf = async (run: string) =>
    (await t.pool.query('SELECT id FROM flow_instance WHERE "parentInstance" = $1', [run])).rows[0]?.id as string

  test('that is suspended keeps the run from going on; it is tried again once it is there', async () => {
    const child = await b.deploy('sub', called)
    const state = (to: 1 | 2) => b.post(`manager/change-state?processId=${child}&state=${to}`, 'chief')
    await state(2)
    const run = await b.begin(await b.deploy('caller', caller('sub')), { form: { amount: '12.50' } })
    expect(await t.app.queue.workOff()).toBeGreaterThan(0)
    expect(await b.detail(run)).toMatchObject({ incident: '流程sub已挂起', status: 1 })
    interface Runs {
      records: { processInstanceId: string }[]
    }
    const stuck = async () => (await b.get<Runs>('follow/list?incident=1&size=200', 'chief')).data.records
    expect((await stuck()).map(one => one.processInstanceId)).toEqual([run])
    await state(1)
    const retry = (who: string) => b.post('follow/retry', who, { processInstanceId: run })
    expect((await retry('a')).code).toBe(403)
    expect((await retry('chief')).code).toBe(200)
    expect((await retry('chief')).code).toBe(29009)
    await second.app.queue.workOff()
    expect(await stuck()).toEqual([])
    const own = await childOf(run)
    expect((await b.history(run)).find(one => one.historyActivityId === 'c')).toMatchObject({
      calledProcessInstanceId: own,
    })
    expect((await b.detail(own, 'a')).title).toBe((await b.detail(run, 'a')).title)
    const { rows } = await t.pool.query('SELECT variables FROM flow_instance WHERE id = $1', [own])
    expect(rows).toMatchObject([{ variables: { amount: '12.50' } }])
    expect((await b.decide(own, 't:b', true, { variables: { note: 'x' } })).code).toBe(200)
    await b.expectOver(own)
    await t.app.queue.workOff()
    expect(await b.openOf(run)).toBe('u:c')
    await b.agree(run, 'u:c')
    await b.expectOver(run)
  })

  test('ends with the run that has called it', async () => {
    await b.deploy('sub2', called)
    const run = await b.begin(await b.deploy('caller2', caller('sub2')), { form: { amount: 1 } })
    await t.app.queue.workOff()
    const own = await childOf(run)
    const url = `follow/delete-process-instance?processInstanceId=${run}&deleteReason=x`
    expect((await b.post(url, 'chief')).code).toBe(200)
    await b.expectOver(run, 3)
    await b.expectOver(own, 3)
  })

  test('that is not there, or calls itself, is told of', async () => {
    const run = await b.begin(await b.deploy('caller3', caller('nowhere')), { form: { amount: 1 } })
    await t.app.queue.workOff()
    expect((await b.detail(run)).incident).toBe('没有部署流程nowhere')
    const deep = await b.begin(await b.deploy('caller4', caller('caller4')), { form: { amount: 1 } })
    await t.app.queue.workOff()
    const { rows } = await t.pool.query(
      `SELECT max(depth) AS depth, max(incident) AS incident FROM flow_instance WHERE id = $1 OR "rootInstance" = $1`,
      [deep],
    )
    expect(rows).toEqual([{ depth: 10, incident: '流程相互调用不能超过10层' }])
  })
})

test('what waits to be told is tried again once', async () => {
  const run = await b.begin(
    await b.deploy('told', inside(`<receiveTask id="r" name="等待"/>${user('u', '@b')}${lines('s>r', 'r>u', 'u>z')}`)),
  )
  const go = (who: string) => b.post('follow/continue', who, { processInstanceId: run, activityId: 'r' })
  expect((await b.detail(run)).acts).toContain('continue')
  expect((await go('a')).code).toBe(403)
  expect((await go('chief')).code).toBe(200)
  expect((await go('chief')).code).toBe(29009)
  expect(await b.openOf(run)).toBe('u:b')
})

describe('times', () => {
  const escalating = (key: string, cancels: boolean) =>
    b.deploy(
      key,
      inside(
        `${user('t', '@b')}${timer('b1', 't', 'PT60S', cancels)}${user('h', '@c')}${lines('s>t', 't>z', 'b1>h', 'h>z')}`,
      ),
    )

  test('take a task away when it is over, once', async () => {
    const run = await b.begin(await escalating('escalated', true))
    later(59)
    await t.app.queue.workOff()
    expect(await b.openOf(run)).toBe('t:b')
    later(60)
    await Promise.all([t.app.queue.workOff(), second.app.queue.workOff()])
    expect(await b.openOf(run)).toBe('h:c')
    await b.agree(run, 'h:c')
    await b.expectOver(run)
  })

  test('leave a task where they do not interrupt; done before, nothing goes off', async () => {
    const model = await escalating('reminded', false)
    const [run, early] = [await b.begin(model), await b.begin(model)]
    await b.agree(early, 't:b')
    await b.expectOver(early)
    later(61)
    await t.app.queue.workOff()
    expect(await b.openOf(run)).toBe('h:c t:b')
    await b.agree(run, 't:b', 'h:c')
    await b.expectOver(run)
    await b.expectOver(early)
  })

  test('and decisions in the same moment: exactly one counts', async () => {
    const model = await escalating('raced', true)
    for (let n = 0; n < 8; n++) {
      setNow(now)
      const run = await b.begin(model)
      const taskId = await b.task(run, 't:b')
      later(60)
      const body = { taskId, processInstanceId: run, pass: true }
      const [decided] = await Promise.all([
        b.post('work/complete-task', 'b', body, n % 2 ? t : second),
        (n % 2 ? second : t).app.queue.workOff(),
      ])
      await t.app.queue.workOff()
      if (decided.code === 200) await b.expectOver(run)
      else expect([decided.code, await b.openOf(run)]).toEqual([29011, 'h:c'])
    }
  })
})
