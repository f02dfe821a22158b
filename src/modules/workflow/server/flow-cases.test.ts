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

const together = (id: string, more = '', done = '') =>
  `<userTask id="${id}" name="会签" flowable:assignee="#{one}"><multiInstanceLoopCharacteristics ${more} flowable:collection="people" flowable:elementVariable="one">${
    done ? `<completionCondition><![CDATA[\${${done}}]]></completionCondition>` : ''
  }</multiInstanceLoopCharacteristics></userTask>`
const ask = (...names: string[]) => ({ chosen: { people: names.map(b.id) } })

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

describe('deciding', () => {
  test('an amount goes its way; without one the step is refused and waits', async () => {
    const form = (required: boolean) =>
      `<startEvent id="s"><extensionElements><flowable:formProperty id="amount" name="金额" type="double" required="${required}"/></extensionElements></startEvent>`
    const model = await b.deploy(
      'expenses',
      `${form(false)}${user('t', '@b')}<exclusiveGateway id="g" default="g-z"/>${user('u', '@c')}<endEvent id="z"/>
       ${lines('s>t', 't>g', 'g>u amount >= 5000', 'g>z', 'u>z')}`,
    )
    const [dear, cheap, none] = [
      await b.begin(model, { form: { amount: '6000' } }),
      await b.begin(model, { form: { amount: '4999.99' } }),
      await b.begin(model),
    ]
    await b.agree(dear, 't:b')
    expect(await b.openOf(dear)).toBe('u:c')
    await b.agree(cheap, 't:b')
    await b.expectOver(cheap)
    const refused = await b.decide(none, 't:b')
    expect([refused.code, refused.msg]).toEqual([29005, expect.stringContaining('缺少流程变量：amount')])
    expect(await b.openOf(none)).toBe('t:b')
    const put = { processInstanceId: none, name: 'amount', value: '1' }
    expect((await b.post('follow/set-variable', 'chief', put)).code).toBe(200)
    await b.agree(none, 't:b')
    await b.expectOver(none)
  })

  test.each([
    [{ amount: 1 }, '变量amount不能修改'],
    [{ people: 'x' }, '变量people不能修改'],
    [{ constructor: 1 }, '变量constructor不能修改'],
    [{ one: 1 }, '变量one不能修改'],
  ])('nobody sets %j', async (variables, words) => {
    const model = await b.deploy('guarded', inside(`${together('t')}${lines('s>t', 't>z')}`))
    const run = await b.begin(model, { chosen: { people: [b.id('b')] } })
    await t.pool.query(`UPDATE flow_instance SET facts = facts || '{"amount": "1"}' WHERE id = $1`, [run])
    const answer = await b.decide(run, 't:b', true, { variables })
    expect([answer.code, answer.msg]).toEqual([29005, expect.stringContaining(words)])
  })

  test('two branches at the same moment on two servers: one end each, and the history has both', async () => {
    const model = await b.deploy(
      'side',
      inside(
        `<parallelGateway id="f"/>${user('x', '@b')}${user('y', '@c')}<parallelGateway id="j"/>${lines('s>f', 'f>x', 'f>y', 'x>j', 'y>j', 'j>z')}`,
      ),
    )
    for (let n = 0; n < 10; n++) {
      const run = await b.begin(model)
      const answers = await Promise.all([b.decide(run, 'x:b'), b.decide(run, 'y:c', true, {}, second)])
      expect(answers.map(one => one.code)).toEqual([200, 200])
      await b.expectOver(run)
      const steps = (await b.history(run)).map(one => one.historyActivityId)
      expect(steps.filter(id => ['x', 'y', 'z', 'j'].includes(id)).toSorted()).toEqual(['j', 'x', 'y', 'z'])
    }
  })
})

describe('several people', () => {
  test('half of three are enough; the third has nothing to do any more', async () => {
    const done = 'nrOfCompletedInstances/nrOfInstances >= 0.5'
    const run = await b.begin(
      await b.deploy('half', inside(`${together('t', '', done)}${lines('s>t', 't>z')}`)),
      ask('b', 'c', 'd'),
    )
    await b.agree(run, 't:b', 't:d')
    await b.expectOver(run)
    interface Todo {
      records: { processInstanceId: string }[]
    }
    const { records } = (await b.get<Todo>('work/todo-list?size=200', 'c')).data
    expect(records.some(one => one.processInstanceId === run)).toBe(false)
    const states = (await b.history(run)).flatMap(one => (one.taskState ? [one.taskState] : []))
    expect(states.toSorted()).toEqual([5, 5, 8])
  })

  test('one after the other, until somebody says no', async () => {
    const body = `${together('t', 'isSequential="true"', 'nrOfRejected > 0')}<exclusiveGateway id="g" default="g-z"/>${user('u', '@e')}${lines('s>t', 't>g', 'g>u !pass', 'g>z', 'u>z')}`
    const run = await b.begin(await b.deploy('veto', inside(body)), ask('b', 'c', 'd'))
    expect(await b.openOf(run)).toBe('t:b')
    await b.agree(run, 't:b')
    expect((await b.decide(run, 't:c', false)).code).toBe(200)
    expect(await b.openOf(run)).toBe('u:e')
  })

  test('are people who can do it, and a list', async () => {
    const model = await b.deploy('listed', inside(`${together('t')}${lines('s>t', 't>z')}`))
    expect((await b.start(model, { chosen: {} })).msg).toContain('请选择会签的办理人')
    expect((await b.start(model, { chosen: { people: ['1'] } })).msg).toContain('会签的办理人不能办理流程')
    const candidate = await b.start(model, { chosen: { people: [b.id('b')], other: 1 } })
    expect(candidate.msg).toContain('变量other不能修改')
  })

  test('an error inside of a sub-process is caught at its border, and what waits inside ends', async () => {
    const body = `<subProcess id="p"><startEvent id="is"/><parallelGateway id="f"/>${together('t')}${user('y', '@e')}<endEvent id="ie"/>
      <endEvent id="bad"><errorEventDefinition errorRef="E1"/></endEvent>${lines('is>f', 'f>t', 'f>y', 't>ie', 'y>bad')}</subProcess>
      <boundaryEvent id="x" attachedToRef="p"><errorEventDefinition errorRef="E1"/></boundaryEvent>${user('u', '@f')}${lines('s>p', 'p>z', 'x>u', 'u>z')}`
    const run = await b.begin(await b.deploy('caught', inside(body)), ask('b', 'c'))
    expect(await b.openOf(run)).toBe('t:b t:c y:e')
    await b.agree(run, 'y:e')
    expect(await b.openOf(run)).toBe('u:f')
    await b.agree(run, 'u:f')
    await b.expectOver(run)
  })
})

test('a head of department is asked, or the one above', async () => {
  const dept = async (values: object) =>
    (
      await t.db
        .insertInto('dept')
        .values({ deptName: 'x', fullName: 'x', deptCategory: 2, sort: 1, tenantId: '000000', ...values } as never)
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  const above = await dept({ leaderId: b.id('c') })
  const own = await dept({ parentId: above })
  await t.db.updateTable('user').set({ deptId: own }).where('id', '=', b.id('a')).execute()
  const model = await b.deploy('led', inside(`${user('t', '${leader(initiator)}')}${lines('s>t', 't>z')}`))
  expect(await b.openOf(await b.begin(model))).toBe('t:c')
  await t.db
    .updateTable('dept')
    .set({ leaderId: b.id('d') })
    .where('id', '=', own)
    .execute()
  expect(await b.openOf(await b.begin(model))).toBe('t:d')
  expect((await b.start(model, {}, 'e')).msg).toContain('步骤t的办理人不能办理流程')
})

test('a new version and a suspension leave what runs as it is', async () => {
  const make = (end: string) =>
    b.deploy('versions', inside(`${user('t', '@b')}${user(end, '@c')}${lines('s>t', `t>${end}`, `${end}>z`)}`))
  const model = await make('old')
  const run = await b.begin(model)
  await make('fresh')
  expect((await b.post(`manager/change-state?processId=${model}&state=2`, 'chief')).code).toBe(200)
  expect((await b.start(model)).code).toBe(29012)
  await b.agree(run, 't:b', 'old:c')
  await b.expectOver(run)
})

test('only those whom the model names may begin it', async () => {
  const xml = inside(`${user('t', '@b')}${lines('s>t', 't>z')}`)
  const model = await b.deploy('mine', xml)
  const named = JSON.stringify({ candidateUsers: [{ user: b.id('c') }], candidateGroups: [] })
  await t.pool.query(`UPDATE flow_version SET graph = jsonb_set(graph, '{starters}', $1) WHERE "deploymentId" = $2`, [
    named,
    model,
  ])
  expect((await b.start(model, {}, 'a')).code).toBe(403)
  await b.begin(model, {}, 'c')
  interface Offered {
    records: { processDefinitionKey: string }[]
  }
  const offered = async (who: string) =>
    (await b.get<Offered>('work/start-list?size=200', who)).data.records.some(
      one => one.processDefinitionKey === 'mine',
    )
  expect([await offered('a'), await offered('c')]).toEqual([false, true])
})
