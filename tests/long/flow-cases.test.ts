import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { FlowRun } from '#schemas/dictionaries'
import { type TestApp, testApp } from '../helper/app.ts'
import { type Fleet, startFleet } from '../helper/fleet.ts'
import { lines } from '../helper/flow-bench.ts'
import { FlowBench } from '../helper/flow-runs.ts'
import { soon } from '../helper/soon.ts'

// What an office draws, over HTTP on two built servers that are killed again and again meanwhile.

let t: TestApp
let fleet: Fleet
let b: FlowBench
let isOver = false
let kills = 0
let killing: Promise<void>

const user = (id: string, who: string) => `<userTask id="${id}" name="步骤${id}" flowable:assignee="${who}"/>`
const inside = (body: string) => `<startEvent id="s"/>${body}<endEvent id="z"/>`
const field = (id: string, type: string) => `<flowable:formProperty id="${id}" name="${id}" type="${type}"/>`
const formed = (fields: string, body: string) =>
  `<startEvent id="s"><extensionElements>${fields}</extensionElements></startEvent>${body}<endEvent id="z"/>`
const timer = (at: string, cancels: boolean) =>
  `<boundaryEvent id="w" attachedToRef="${at}" cancelActivity="${cancels}"><timerEventDefinition>
   <timeDuration>PT10S</timeDuration></timerEventDefinition></boundaryEvent>`
const together = (id: string, more = '', done = '') =>
  `<userTask id="${id}" name="会签" flowable:assignee="#{one}"><multiInstanceLoopCharacteristics ${more} flowable:collection="people" flowable:elementVariable="one">${
    done ? `<completionCondition><![CDATA[\${${done}}]]></completionCondition>` : ''
  }</multiInstanceLoopCharacteristics></userTask>`
const ask = (...names: string[]) => ({ chosen: { people: names.map(b.id) } })

/** Waits until the open tasks of a run are these: what follows a move is done by whichever server comes to it. */
const waitFor = (run: string, open: string) =>
  vi.waitFor(async () => expect(await b.openOf(run)).toBe(open), { timeout: 90_000, interval: 250 })
const waitOver = (run: string) =>
  vi.waitFor(
    async () => {
      const row = await t.db.selectFrom('flow_instance').select('status').where('id', '=', run).executeTakeFirst()
      expect(row?.status).toBe(FlowRun.finished)
      await b.expectOver(run)
    },
    { timeout: 90_000, interval: 250 },
  )

beforeAll(async () => {
  t = await testApp()
  fleet = await startFleet(t)
  const call: TestApp['call'] = async request => {
    const { url, headers, method, payload } = request as InjectOptions
    const question = { headers: headers as Record<string, string>, method: method === 'POST' ? 'POST' : 'GET' } as const
    const body = payload as object | undefined
    return (await fleet.insist(String(url).replace(/^\/api/, ''), { ...question, ...(body && { body }) })) as never
  }
  b = await new FlowBench({ ...t, call }).open()
  killing = (async () => {
    while (!isOver) {
      await sleep(randomInt(1000, 5000))
      if (isOver) return
      await fleet.kill(randomInt(2))
      kills += 1
    }
  })()
}, 180_000)

afterAll(async () => {
  isOver = true
  await killing
  expect(fleet.faults).toEqual([])
  expect(kills).toBeGreaterThan(3)
  console.log(`${kills} kills`)
  await fleet?.stop()
  await t?.close()
}, 120_000)

const patience = 240_000

test('a leave as the Flowable modeler exports it', { timeout: patience }, async () => {
  const file = path.join(import.meta.dirname, '../../src/modules/workflow/rules/models/leave-deputy.bpmn')
  const account = async (name: string) =>
    (await t.db.selectFrom('user').select('account').where('id', '=', b.id(name)).executeTakeFirstOrThrow()).account
  const xml = (await readFile(file, 'utf8')).replace('assignee="kaowu"', `assignee="${await account('b')}"`)
  const model = await b.deployXml(xml)
  const form = { kind: 'annual', beginDate: '2026-12-01', days: 5, deputy: await account('c'), reason: '探亲' }
  const run = await b.begin(model, { form })
  const step = (n: number, who: string) => `sid-6A1F0B0E-0D55-4C0E-9C77-0C7B6A3B1B0${n}:${who}`
  expect(await b.openOf(run)).toBe(step(1, 'a'))
  await b.agree(run, step(1, 'a'), step(2, 'c'), step(3, 'b'))
  const claimed = await b.task(run, step(5, '?'))
  expect((await b.post(`work/claim-task?taskId=${claimed}`, 'chief')).code).toBe(200)
  await b.agree(run, step(5, 'chief'))
  await waitOver(run)
})

test('an amount at a gateway', { timeout: patience }, async () => {
  const model = await b.deploy(
    'amount',
    formed(
      field('amount', 'double'),
      `${user('t', '@b')}<exclusiveGateway id="g" default="g-z"/>${user('u', '@c')}${lines('s>t', 't>g', 'g>u amount >= 5000', 'g>z', 'u>z')}`,
    ),
  )
  const dear = await b.begin(model, { form: { amount: '6000' } })
  await b.agree(dear, 't:b', 'u:c')
  await waitOver(dear)
  const cheap = await b.begin(model, { form: { amount: '4999.99' } })
  await b.agree(cheap, 't:b')
  await waitOver(cheap)
  const none = await b.begin(model)
  expect(await b.decide(none, 't:b')).toMatchObject({
    code: 29005,
    msg: expect.stringContaining('缺少流程变量：amount'),
  })
  expect(await b.openOf(none)).toBe('t:b')
})

test('half of three are enough, and a veto ends a row of people', { timeout: patience }, async () => {
  const half = await b.deploy(
    'half',
    inside(`${together('t', '', 'nrOfCompletedInstances/nrOfInstances >= 0.5')}${lines('s>t', 't>z')}`),
  )
  const run = await b.begin(half, ask('b', 'c', 'd'))
  await b.agree(run, 't:b', 't:d')
  await waitOver(run)
  const states = (await b.history(run)).flatMap(one => (one.taskState ? [one.taskState] : []))
  expect(states.toSorted()).toEqual([5, 5, 8])
  const veto = `${together('t', 'isSequential="true"', 'nrOfRejected > 0')}<exclusiveGateway id="g" default="g-z"/>${user('u', '@e')}${lines('s>t', 't>g', 'g>u !pass', 'g>z', 'u>z')}`
  const second = await b.begin(await b.deploy('veto', inside(veto)), ask('b', 'c', 'd'))
  await b.agree(second, 't:b')
  expect((await b.decide(second, 't:c', false)).code).toBe(200)
  expect(await b.openOf(second)).toBe('u:e')
})

test('both branches at the same moment, fifty times: one end each', { timeout: patience * 2 }, async () => {
  const model = await b.deploy(
    'side',
    inside(
      `<parallelGateway id="f"/>${user('x', '@b')}${user('y', '@c')}<parallelGateway id="j"/>${lines('s>f', 'f>x', 'f>y', 'x>j', 'y>j', 'j>z')}`,
    ),
  )
  for (let n = 0; n < 50; n++) {
    const run = await b.begin(model)
    const answers = await Promise.all([b.decide(run, 'x:b'), b.decide(run, 'y:c')])
    expect(answers.map(one => one.code)).toEqual([200, 200])
    await b.expectOver(run)
    const steps = (await b.history(run)).map(one => one.historyActivityId)
    expect(steps.filter(id => ['x', 'y', 'z', 'j'].includes(id)).toSorted()).toEqual(['j', 'x', 'y', 'z'])
  }
})

test('an inclusive gateway waits for the branches that were taken', { timeout: patience }, async () => {
  const model = await b.deploy(
    'some',
    formed(
      field('x', 'long'),
      `<inclusiveGateway id="g" default="g-d"/>${user('p', '@b')}${user('q', '@c')}${user('r', '@d')}${user('d', '@e')}<inclusiveGateway id="j"/>${lines('s>g', 'g>p x > 1', 'g>q x > 2', 'g>r x > 100', 'g>d', 'p>j', 'q>j', 'r>j', 'd>j', 'j>z')}`,
    ),
  )
  const run = await b.begin(model, { form: { x: 5 } })
  expect(await b.openOf(run)).toBe('p:b q:c')
  await b.agree(run, 'p:b')
  expect(await b.openOf(run)).toBe('q:c')
  await b.agree(run, 'q:c')
  await waitOver(run)
  expect(await b.openOf(await b.begin(model, { form: { x: 0 } }))).toBe('d:e')
})

test('times: a reminder once, an escalation, and a decision in the same second', { timeout: patience }, async () => {
  const reminder = `<serviceTask id="n" flowable:expression="\${notice}"><extensionElements><flowable:field name="to" stringValue="@b"/><flowable:field name="title" stringValue="超时提醒"/><flowable:field name="content" stringValue="请办理"/></extensionElements></serviceTask>`
  const reminded = await b.deploy(
    'reminded',
    inside(`${user('t', '@b')}${timer('t', false)}${reminder}${lines('s>t', 't>z', 'w>n', 'n>z')}`),
  )
  const escalated = await b.deploy(
    'escalated',
    inside(`${user('t', '@b')}${timer('t', true)}${user('h', '@c')}${lines('s>t', 't>z', 'w>h', 'h>z')}`),
  )
  const [waits, early, late] = [await b.begin(reminded), await b.begin(reminded), await b.begin(escalated)]
  await b.agree(early, 't:b')
  await waitOver(early)
  const raced = await Promise.all(Array.from({ length: 8 }, () => b.begin(escalated)))
  const tasks = await Promise.all(raced.map(run => b.task(run, 't:b')))
  await sleep(9500)
  const codes = await Promise.all(
    raced.map(async (run, at) => {
      await sleep(at * 150)
      const body = { taskId: tasks[at], processInstanceId: run, pass: true }
      return (await b.post('work/complete-task', 'b', body)).code
    }),
  )
  for (const [at, run] of raced.entries())
    if (codes[at] === 200) await waitOver(run)
    else {
      expect(codes[at]).toBe(29011)
      await waitFor(run, 'h:c')
    }
  await waitFor(late, 'h:c')
  const told = async () =>
    (await t.pool.query(`SELECT count(*)::int AS n FROM send WHERE title = '超时提醒'`)).rows[0].n as number
  await vi.waitFor(async () => expect(await told()).toBe(1), { timeout: 60_000, interval: 250 })
  expect(await b.openOf(waits)).toBe('t:b')
  await b.agree(waits, 't:b')
  await waitOver(waits)
  expect(await told()).toBe(1)
})

test('an error out of a sub-process is caught at its border', { timeout: patience }, async () => {
  const body = `<subProcess id="p"><startEvent id="is"/><parallelGateway id="f"/>${together('t')}${user('y', '@e')}<endEvent id="ie"/>
    <endEvent id="bad"><errorEventDefinition errorRef="E1"/></endEvent>${lines('is>f', 'f>t', 'f>y', 't>ie', 'y>bad')}</subProcess>
    <boundaryEvent id="x" attachedToRef="p"><errorEventDefinition errorRef="E1"/></boundaryEvent>${user('u', '@f')}${lines('s>p', 'p>z', 'x>u', 'u>z')}`
  const run = await b.begin(await b.deploy('caught', inside(body)), ask('b', 'c'))
  await b.agree(run, 'y:e')
  expect(await b.openOf(run)).toBe('u:f')
  await b.agree(run, 'u:f')
  await waitOver(run)
})

test('a process that is called while it is suspended is tried again', { timeout: patience }, async () => {
  const note = `<extensionElements>${field('note', 'string')}</extensionElements>`
  const child = await b.deploy(
    'child',
    inside(`<userTask id="t" flowable:assignee="@b">${note}</userTask>${lines('s>t', 't>z')}`),
  )
  const state = (to: 1 | 2) => b.post(`manager/change-state?processId=${child}&state=${to}`, 'chief')
  expect((await state(2)).code).toBe(200)
  const call = `<callActivity id="c" calledElement="child"><extensionElements><flowable:in source="amount" target="amount"/><flowable:out source="note" target="answer"/></extensionElements></callActivity>`
  const caller = await b.deploy(
    'caller',
    formed(
      field('amount', 'double'),
      `${call}<exclusiveGateway id="g" default="g-z"/>${user('u', '@c')}${lines('s>c', 'c>g', 'g>u answer == "x"', 'g>z', 'u>z')}`,
    ),
  )
  const run = await b.begin(caller, { form: { amount: '12.50' } })
  const incident = async () => (await b.detail(run)).incident
  await vi.waitFor(async () => expect(await incident()).toBe('流程child已挂起'), { timeout: 60_000, interval: 250 })
  expect((await state(1)).code).toBe(200)
  expect((await b.post('follow/retry', 'chief', { processInstanceId: run })).code).toBe(200)
  const own = async () =>
    (await t.pool.query('SELECT id, variables FROM flow_instance WHERE "parentInstance" = $1', [run])).rows
  await vi.waitFor(async () => expect(await own()).toMatchObject([{ variables: { amount: '12.50' } }]), {
    timeout: 60_000,
    interval: 250,
  })
  const [{ id }] = (await own()) as [{ id: string }]
  expect((await b.decide(id, 't:b', true, { variables: { note: 'x' } })).code).toBe(200)
  await waitFor(run, 'u:c')
  await b.agree(run, 'u:c')
  await waitOver(run)
})

test('sent back out of one of two branches, straight to who sent it afterwards', { timeout: patience }, async () => {
  const model = await b.deploy(
    'forked',
    inside(
      `${user('t', '@b')}<parallelGateway id="f"/>${user('x', '@c')}${user('y', '@d')}<parallelGateway id="j"/>${lines('s>t', 't>f', 'f>x', 'f>y', 'x>j', 'y>j', 'j>z')}`,
    ),
  )
  const run = await b.begin(model)
  await b.agree(run, 't:b')
  expect((await b.do('back-task', run, 'x:c', { targetActivityId: 't', direct: true })).code).toBe(200)
  expect(await b.openOf(run)).toBe('t:b')
  await b.agree(run, 't:b')
  expect(await b.openOf(run)).toBe('x:c y:d')
  await b.agree(run, 'y:d', 'x:c')
  await waitOver(run)
})

test('handed on, delegated, signed, taken back and urged: once each', { timeout: patience }, async () => {
  const model = await b.deploy(
    'plain',
    inside(
      `${user('t', '@b')}<exclusiveGateway id="g" default="g-z"/>${user('u', '@c')}${lines('s>t', 't>g', 'g>u pass', 'g>z', 'u>z')}`,
    ),
  )
  const run = await b.begin(model)
  expect((await b.do('transfer-task', run, 't:b', { userId: b.id('d') }, 'e')).code).toBe(29011)
  expect((await b.do('transfer-task', run, 't:b', { userId: b.id('d') })).code).toBe(200)
  expect((await b.do('delegate-task', run, 't:d', { userId: b.id('e') })).code).toBe(200)
  expect((await b.decide(run, 't:e')).code).toBe(29009)
  expect((await b.do('resolve-task', run, 't:e', { comment: '可以' })).code).toBe(200)
  expect((await b.do('add-sign', run, 't:d', { userIds: [b.id('e'), b.id('f')], kind: 'before' })).code).toBe(200)
  const sign = await b.task(run, 't:f')
  expect((await b.post('work/remove-sign', 'd', { taskId: sign })).code).toBe(200)
  await b.agree(run, 't:e')
  const own = await b.task(run, 't:d')
  await b.agree(run, 't:d')
  expect(await b.openOf(run)).toBe('u:c')
  expect((await b.post('process/urge', 'a', { processInstanceId: run })).code).toBe(200)
  await soon(async () => {
    const body = { processInstanceId: run }
    expect((await fleet.ask('/blade-flow/process/urge', { headers: b.who('a').headers, body })).code).toBe(29007)
  })
  expect((await b.post('work/withdraw-task', 'd', { taskId: own })).code).toBe(200)
  expect(await b.openOf(run)).toBe('t:d')
  await b.agree(run, 't:d', 'u:c')
  await waitOver(run)
  const claims = await b.deploy(
    'claims',
    inside(`<userTask id="t" flowable:candidateUsers="@b,@c"/>${lines('s>t', 't>z')}`),
  )
  for (let n = 0; n < 5; n++) {
    const taskId = await b.task(await b.begin(claims), 't')
    const codes = await Promise.all(
      ['b', 'c'].map(async who => (await b.post(`work/claim-task?taskId=${taskId}`, who)).code),
    )
    expect(codes.toSorted()).toEqual([200, 29010])
  }
})

test('a new version and a suspension leave what runs as it is', { timeout: patience }, async () => {
  const make = (end: string) =>
    b.deploy('versions', inside(`${user('t', '@b')}${user(end, '@c')}${lines('s>t', `t>${end}`, `${end}>z`)}`))
  const model = await make('old')
  const run = await b.begin(model)
  await make('fresh')
  expect((await b.post(`manager/change-state?processId=${model}&state=2`, 'chief')).code).toBe(200)
  expect((await b.start(model)).code).toBe(29012)
  await b.agree(run, 't:b', 'old:c')
  await waitOver(run)
})
