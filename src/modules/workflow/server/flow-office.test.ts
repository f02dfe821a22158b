import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { FlowCancel, FlowRun } from '#schemas/dictionaries'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { lines } from '../../../../tests/helper/flow-bench.ts'
import { FlowBench } from '../../../../tests/helper/flow-runs.ts'
import { tellOverdue } from './overdue.ts'

// What people do with tasks besides deciding on them.

let t: TestApp
let b: FlowBench
/** `a` begins; `b` and then `c` decide, each with a gateway behind that asks how. */
let plain: string
/** `b`, then `c` and `d` side by side, then `e`. */
let forked: string
/** `b`, `c` and `d` together. */
let together: string

const now = '2026-06-01 08:00:00'
const user = (id: string, who: string) => `<userTask id="${id}" name="步骤${id}" flowable:assignee="${who}"/>`
const inside = (body: string) => `<startEvent id="s"/>${body}<endEvent id="z"/>`

beforeAll(async () => {
  t = await testApp({ now })
  b = await new FlowBench(t).open()
  plain = await b.deploy(
    'plain',
    inside(
      `${user('t', '@b')}<exclusiveGateway id="g" default="g-z"/>${user('u', '@c')}${lines('s>t', 't>g', 'g>u pass', 'g>z', 'u>z')}`,
    ),
  )
  forked = await b.deploy(
    'forked',
    inside(
      `${user('t', '@b')}<parallelGateway id="f"/>${user('x', '@c')}${user('y', '@d')}<parallelGateway id="j"/>${user('w', '@e')}${lines('s>t', 't>f', 'f>x', 'f>y', 'x>j', 'y>j', 'j>w', 'w>z')}`,
    ),
  )
  together = await b.deploy(
    'together',
    inside(
      `<userTask id="t" name="会签" flowable:assignee="#{one}"><multiInstanceLoopCharacteristics flowable:collection="people" flowable:elementVariable="one"/></userTask>${user('u', '@e')}${lines('s>t', 't>u', 'u>z')}`,
    ),
  )
})
afterAll(() => t?.close())
beforeEach(() => t.setNow(now))

const team = () => ({ chosen: { people: ['b', 'c', 'd'].map(b.id) } })

/** Done, said again by the same person, done by somebody else. */
async function once(run: string, act: string, at: string, more: object, refusal = 29011) {
  const taskId = await b.task(run, at)
  const [, who = ''] = at.split(':')
  const call = (by: string) => b.post(`work/${act}`, by, { taskId, ...more })
  expect((await call('f')).code).toBe(refusal)
  expect([act, await call(who)]).toEqual([act, expect.objectContaining({ code: 200 })])
  const open = await b.openOf(run)
  expect([act, (await call(who)).code]).toEqual([act, 200])
  expect(await b.openOf(run)).toBe(open)
  return taskId
}

describe('said again by the same person is done once', () => {
  test('sent back', async () => {
    const run = await b.begin(plain)
    await b.agree(run, 't:b')
    await once(run, 'back-task', 'u:c', { targetActivityId: 't', comment: '请补充' })
    expect(await b.openOf(run)).toBe('t:b')
  })

  test('transferred', async () => {
    const run = await b.begin(plain)
    await once(run, 'transfer-task', 't:b', { userId: b.id('d'), comment: '出差' })
    expect(await b.openOf(run)).toBe('t:d')
    const [step] = (await b.history(run)).filter(one => one.historyActivityId === 't')
    expect(step?.acts).toMatchObject([{ act: 'transfer', comment: '出差' }])
  })

  test('delegated, and given back', async () => {
    const run = await b.begin(plain)
    await once(run, 'delegate-task', 't:b', { userId: b.id('d') })
    expect(await b.openOf(run)).toBe('t:d(3)')
    expect((await b.decide(run, 't:d')).code).toBe(29009)
    await once(run, 'resolve-task', 't:d', { comment: '可以' })
    expect(await b.openOf(run)).toBe('t:b')
    await b.agree(run, 't:b')
  })

  test('signed before, and not any more', async () => {
    const run = await b.begin(plain)
    await once(run, 'add-sign', 't:b', { userIds: [b.id('d'), b.id('e')], kind: 'before' })
    expect(await b.openOf(run)).toBe('t:b(4) t:d t:e')
    expect((await b.decide(run, 't:b')).code).toBe(29009)
    const sign = await b.task(run, 't:e')
    expect((await b.post('work/remove-sign', 'd', { taskId: sign })).code).toBe(29011)
    for (let n = 0; n < 2; n++) expect((await b.post('work/remove-sign', 'b', { taskId: sign })).code).toBe(200)
    await b.agree(run, 't:d')
    expect(await b.openOf(run)).toBe('t:b')
  })

  test('taken back', async () => {
    const run = await b.begin(plain)
    const taskId = await b.task(run, 't:b')
    await b.agree(run, 't:b')
    expect((await b.detail(run, 'b')).tasks).toMatchObject([{ taskId, acts: ['withdraw'] }])
    for (let n = 0; n < 2; n++) expect((await b.post('work/withdraw-task', 'b', { taskId })).code).toBe(200)
    expect((await b.post('work/withdraw-task', 'c', { taskId })).code).toBe(29011)
    expect(await b.openOf(run)).toBe('t:b')
    await b.agree(run, 't:b', 'u:c')
    await b.expectOver(run)
  })

  test('given back to the others who could claim it', async () => {
    const model = await b.deploy(
      'claimed',
      inside(`<userTask id="t" flowable:candidateUsers="@b,@c"/>${lines('s>t', 't>z')}`),
    )
    const run = await b.begin(model)
    const taskId = await b.task(run, 't')
    expect((await b.post('work/unclaim-task', 'b', { taskId })).code).toBe(29010)
    expect((await b.detail(run, 'b')).tasks).toMatchObject([{ acts: ['claim'] }])
    expect((await b.post(`work/claim-task?taskId=${taskId}`, 'd')).code).toBe(29010)
    expect((await b.post(`work/claim-task?taskId=${taskId}`, 'b')).code).toBe(200)
    for (let n = 0; n < 2; n++) expect((await b.post('work/unclaim-task', 'b', { taskId })).code).toBe(200)
    expect((await b.post('work/unclaim-task', 'c', { taskId })).code).toBe(29010)
    expect((await b.post(`work/claim-task?taskId=${taskId}`, 'c')).code).toBe(200)
    const assigned = await b.task(await b.begin(plain), 't:b')
    expect((await b.post('work/unclaim-task', 'b', { taskId: assigned })).code).toBe(29009)
  })
})

describe('sending back', () => {
  const targets = async (run: string, at: string) => {
    const taskId = await b.task(run, at)
    const { data } = await b.get<{ activityId: string }[]>(`work/back-targets?taskId=${taskId}`, at.split(':')[1] ?? '')
    return data.map(one => one.activityId).toSorted()
  }

  test('out of one of two branches ends both; straight back it is with who sent it', async () => {
    const run = await b.begin(forked)
    await b.agree(run, 't:b')
    expect(await targets(run, 'x:c')).toEqual(['s', 't'])
    expect((await b.do('back-task', run, 'x:c', { targetActivityId: 't', direct: true })).code).toBe(200)
    expect(await b.openOf(run)).toBe('t:b')
    const states = await t.pool.query('SELECT "nodeId", state FROM flow_task WHERE "instanceId" = $1 ORDER BY id', [
      run,
    ])
    expect(states.rows.map(one => `${one.nodeId}${one.state}`)).toEqual(['t5', 'x6', 'y8', 't2'])
    await b.agree(run, 't:b')
    expect(await b.openOf(run)).toBe('x:c y:d')
    await b.agree(run, 'y:d', 'x:c', 'w:e')
    await b.expectOver(run)
  })

  test('is not possible to where the run has not been, into a branch, or to the end', async () => {
    const run = await b.begin(forked)
    await b.agree(run, 't:b', 'x:c', 'y:d')
    for (const targetActivityId of ['x', 'y', 'z', 'w', 'nowhere']) {
      const answer = await b.do('back-task', run, 'w:e', { targetActivityId })
      expect([answer.code, answer.msg]).toEqual([29005, expect.stringContaining('不能退回到该步骤')])
    }
    expect(await targets(run, 'w:e')).toEqual(['s', 't'])
  })

  test('to who began it brings the form back, whose values count from then on', async () => {
    const model = await b.deploy(
      'formed',
      `<startEvent id="s"><extensionElements><flowable:formProperty id="amount" name="金额" type="double" required="true"/></extensionElements></startEvent>
       ${user('t', '@b')}<exclusiveGateway id="g" default="g-z"/>${user('u', '@c')}<endEvent id="z"/>
       ${lines('s>t', 't>g', 'g>u amount >= 5000', 'g>z')}${lines('u>z')}`,
    )
    expect((await b.start(model, { form: {} })).msg).toContain('金额')
    expect((await b.start(model, { form: { amount: 1, other: 1 } })).msg).toContain('变量other不能修改')
    const run = await b.begin(model, { form: { amount: '4999.99' } })
    expect((await b.do('back-task', run, 't:b', { targetActivityId: 's', comment: '金额有误' })).code).toBe(200)
    const { tasks } = await b.detail(run, 'a')
    expect(tasks).toMatchObject([{ activityId: 's', acts: ['complete'], form: { values: { amount: '4999.99' } } }])
    expect((await b.decide(run, 's:a', true, { variables: { amount: '5000' } })).code).toBe(200)
    expect((await b.detail(run)).form.values).toEqual({ amount: '5000' })
    await b.agree(run, 't:b')
    expect(await b.openOf(run)).toBe('u:c')
    const { rows } = await t.pool.query(
      'SELECT form FROM flow_task_log WHERE "instanceId" = $1 AND form IS NOT NULL ORDER BY id',
      [run],
    )
    expect(rows).toEqual([{ form: { amount: '4999.99' } }])
  })
})

describe('signing', () => {
  test('after: mine is done, and theirs counts before it goes on', async () => {
    const run = await b.begin(plain)
    expect((await b.do('add-sign', run, 't:b', { userIds: [b.id('d')], kind: 'after', pass: true })).code).toBe(200)
    expect(await b.openOf(run)).toBe('t:d')
    expect((await b.decide(run, 't:d', false)).code).toBe(200)
    await b.expectOver(run)
  })

  test('beside others who decide together, and nobody twice', async () => {
    const run = await b.begin(together, team())
    const add = (...names: string[]) => b.do('add-sign', run, 't:b', { userIds: names.map(b.id), kind: 'parallel' })
    expect((await add('e')).code).toBe(200)
    expect((await add('c')).msg).toContain('所选人员已在办理')
    expect((await add('b')).msg).toContain('不能选择本人')
    expect(await b.openOf(run)).toBe('t:b t:c t:d t:e')
    await b.agree(run, 't:b', 't:c', 't:d')
    const [row] = (
      await b.get<{ records: { processInstanceId: string; taskName: string }[] }>('work/send-list?size=200', 'a')
    ).data.records.filter(one => one.processInstanceId === run)
    expect(row?.taskName).toBe('会签（3/4）')
    await b.agree(run, 't:e')
    expect(await b.openOf(run)).toBe('u:e')
    const single = await b.begin(plain)
    const wish = { userIds: [b.id('d')], kind: 'parallel' }
    expect((await b.do('add-sign', single, 't:b', wish)).msg).toContain('并行会签')
  })

  test('takes nobody who could not do it', async () => {
    const run = await b.begin(plain)
    for (const userIds of [[], ['1'], [b.id('d'), b.id('d')]])
      expect((await b.do('add-sign', run, 't:b', { userIds, kind: 'before' })).code).toBe(29005)
  })
})

describe('a whole run', () => {
  test('is taken back by who began it until somebody has decided', async () => {
    const run = await b.begin(plain)
    const cancel = (who: string, id: string) =>
      b.post('process/cancel-process-instance', who, { processInstanceId: id, reason: '不需要了' })
    expect((await b.detail(run, 'a')).acts).toEqual(['cancel', 'urge'])
    expect((await cancel('b', run)).code).toBe(29001)
    for (let n = 0; n < 2; n++) expect((await cancel('a', run)).code).toBe(200)
    await b.expectOver(run, 3)
    const other = await b.begin(plain)
    await b.agree(other, 't:b')
    expect((await cancel('a', other)).code).toBe(29009)
  })

  test('is taken back at any time where what is deployed allows it', async () => {
    const run = await b.begin(plain)
    await b.agree(run, 't:b')
    const allow = (allowCancel: (typeof FlowCancel)[keyof typeof FlowCancel]) =>
      t.db.updateTable('flow_deployment').set({ allowCancel }).where('id', '=', plain).execute()
    expect((await b.detail(run, 'a')).acts).toEqual(['urge'])
    await allow(FlowCancel.always)
    try {
      expect((await b.detail(run, 'a')).acts).toEqual(['cancel', 'urge'])
      const body = { processInstanceId: run, reason: '不需要了' }
      expect((await b.post('process/cancel-process-instance', 'b', body)).code).toBe(29001)
      expect((await b.post('process/cancel-process-instance', 'a', body)).code).toBe(200)
      await b.expectOver(run, FlowRun.terminated)
    } finally {
      await allow(FlowCancel.untilDecided)
    }
  })

  test('asks to hurry once in ten minutes', async () => {
    const run = await b.begin(plain)
    const hurry = (who: string) => b.post('process/urge', who, { processInstanceId: run })
    expect((await hurry('d')).code).toBe(29001)
    expect((await hurry('a')).code).toBe(200)
    expect((await hurry('a')).code).toBe(29007)
    t.setNow('2026-06-01 08:10:00')
    expect((await hurry('chief')).code).toBe(200)
    expect((await b.detail(run)).open).toMatchObject([{ urgeCount: 2 }])
    const told = await t.pool.query(
      `SELECT m."userId" FROM sendmessage m JOIN send s ON s.id = m."sendId" WHERE s.title = '流程催办'`,
    )
    expect(told.rows.map(one => b.name(one.userId))).toEqual(['b', 'b'])
  })

  test('tells people who have nothing to do in it', async () => {
    const run = await b.begin(plain, { copyUsers: [b.id('f')] })
    interface Copies {
      records: { processInstanceId: string; readTime: string }[]
    }
    const list = async (more = '') =>
      (await b.get<Copies>(`work/copy-list?size=200${more}`, 'f')).data.records.filter(
        one => one.processInstanceId === run,
      )
    expect(await list('&isRead=0')).toMatchObject([{ readTime: '' }])
    expect((await b.detail(run, 'f')).tasks).toEqual([])
    expect((await b.post('work/read-copy', 'f', { processInstanceId: run })).code).toBe(200)
    expect(await list('&isRead=0')).toEqual([])
    expect(await list('&isRead=1')).toMatchObject([{ readTime: now }])
    expect((await b.get(`process/detail?processInstanceId=${run}`, 'e')).code).toBe(29001)
  })

  test('goes to somebody else when a manager says so', async () => {
    const run = await b.begin(plain)
    expect((await b.do('transfer-task', run, 't:b', { userId: b.id('d') }, 'chief')).code).toBe(200)
    expect(await b.openOf(run)).toBe('t:d')
    expect((await b.do('transfer-task', run, 't:d', { userId: '1' })).code).toBe(29005)
  })
})

/** Who was told something in the notices, by its title. */
async function toldOf(title: string): Promise<string[]> {
  const { rows } = await t.pool.query(
    'SELECT m."userId" FROM sendmessage m JOIN send s ON s.id = m."sendId" WHERE s.title = $1 ORDER BY m.id',
    [title],
  )
  return rows.map(one => b.name(one.userId))
}

test('whoever has a task is told once that its time is over; of those who may claim it, all', async () => {
  const model = await b.deploy(
    'due',
    inside(
      `<parallelGateway id="f"/><userTask id="t" flowable:assignee="@b" flowable:dueDate="P1D"/><userTask id="u" flowable:candidateUsers="@c,@d" flowable:dueDate="P2D"/><userTask id="v" flowable:assignee="@e"/><parallelGateway id="j"/>${lines('s>f', 'f>t', 'f>u', 'f>v', 't>j', 'u>j', 'v>j', 'j>z')}`,
    ),
  )
  await b.begin(model)
  const done = await b.begin(model)
  await b.agree(done, 't:b')
  expect(await tellOverdue(t.app, t.app.now())).toBe(0)
  t.setNow('2026-06-02 08:00:01')
  const both = await Promise.all([tellOverdue(t.app, t.app.now()), tellOverdue(t.app, t.app.now())])
  expect(both.toSorted()).toEqual([0, 1])
  expect(await toldOf('流程任务超时')).toEqual(['b'])
  t.setNow('2026-06-03 08:00:01')
  expect(await tellOverdue(t.app, t.app.now())).toBe(2)
  expect((await toldOf('流程任务超时')).toSorted()).toEqual(['b', 'c', 'c', 'd', 'd'])
  expect(await tellOverdue(t.app, t.app.now())).toBe(0)
})

test('a listener learns of everybody who gets a task', async () => {
  const listener = `<extensionElements><flowable:taskListener event="assignment" expression="\${notice}"><flowable:field name="to" stringValue="@f"/><flowable:field name="title" stringValue="换人"/><flowable:field name="content" stringValue="换人"/></flowable:taskListener></extensionElements>`
  const model = await b.deploy(
    'assigned',
    inside(`<userTask id="t" flowable:candidateUsers="@b,@c">${listener}</userTask>${lines('s>t', 't>z')}`),
  )
  const run = await b.begin(model)
  expect(await toldOf('换人')).toEqual([])
  const taskId = await b.task(run, 't')
  const claims = await Promise.all(['b', 'c'].map(who => b.post(`work/claim-task?taskId=${taskId}`, who)))
  expect(claims.map(one => one.code).toSorted()).toEqual([200, 29010])
  const at = await b.openOf(run)
  expect(await toldOf('换人')).toEqual(['f'])
  expect((await b.do('transfer-task', run, at, { userId: b.id('d') })).code).toBe(200)
  expect((await b.do('delegate-task', run, 't:d', { userId: b.id('e') })).code).toBe(200)
  expect((await b.do('resolve-task', run, 't:e', { comment: '好' })).code).toBe(200)
  expect(await toldOf('换人')).toEqual(['f', 'f', 'f', 'f'])
  await b.agree(run, 't:d')
  await b.expectOver(run)
})
