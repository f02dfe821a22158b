import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AnswerOf } from '#engine'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { bpmn, lines, task } from '../../../../tests/helper/flow-bench.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import type { runHistory } from '../contract.ts'

let t: TestApp
let second: TestApp
/** Of the tenant: two administrators, one who asks, one who decides, one with no part in it. */
let chief: Caller
let deputy: Caller
let asker: Caller
let boss: Caller
let stranger: Caller
let leaveProcess: string

const definition = async (key: string) =>
  (await t.db.selectFrom('flow_deployment').select('id').where('modelKey', '=', key).executeTakeFirstOrThrow()).id

beforeAll(async () => {
  t = await testApp({ now: '2026-06-01 08:00:00' })
  second = await testApp({ url: t.url, now: '2026-06-01 08:00:00' })
  const roles = ['admin', 'admin', 'reviewer', 'finance', 'operator']
  const people: Caller[] = []
  for (const role of roles) people.push(await signIn(t, { role }))
  ;[chief, deputy, asker, boss, stranger] = people as [Caller, Caller, Caller, Caller, Caller]
  leaveProcess = await definition('leave')
})
afterAll(async () => {
  await second?.close()
  await t?.close()
})
beforeEach(() => t.setNow('2026-06-01 08:00:00'))

const get = <T = unknown>(path: string, who: Caller) => t.call<T>({ url: `/api/${path}`, headers: who.headers })
const post = <T = unknown>(path: string, who: Caller, payload: object = {}, on = t) =>
  on.call<T>({ method: 'POST', url: `/api/${path}`, headers: who.headers, payload })

interface Row {
  taskId: string
  taskName: string
  processInstanceId: string
  status: number
  assigneeName: string
}
const list = async (name: string, who: Caller, more = '') =>
  (await get<{ records: Row[]; total: number }>(`blade-flow/${name}?size=200${more}`, who)).data.records
const found = async (name: string, who: Caller, run: string) =>
  (await list(name, who)).find(one => one.processInstanceId === run)

const wish = (endTime = '2026-06-12 18:00:00', more: object = {}) => ({
  processDefinitionId: leaveProcess,
  reason: '探亲',
  taskUser: boss.userId,
  startTime: '2026-06-10 08:00:00',
  endTime,
  ...more,
})
const ask = (more: object = {}, who = asker) =>
  post<{ id: string; processInstanceId: string }>('blade-desk/process/leave/start-process', who, wish(undefined, more))
/** A leave that waits for its decision. */
const asked = async (more: object = {}) => {
  const answer = await ask(more)
  expect(answer).toMatchObject({ code: 200 })
  const { data } = answer
  const row = await found('work/todo-list', boss, data.processInstanceId)
  return { ...data, run: data.processInstanceId, taskId: row?.taskId ?? '' }
}
/** A leave of five days to which the boss has agreed, and which waits for an administrator. */
const noted = async () => {
  const one = await asked({ endTime: '2026-06-15 08:00:00' })
  await decide(boss, one, true)
  return { ...one, taskId: (await found('work/claim-list', chief, one.run))?.taskId ?? '' }
}
const decide = (who: Caller, at: { run: string; taskId: string }, pass: boolean, more: object = {}, on = t) =>
  post('blade-flow/work/complete-task', who, { taskId: at.taskId, processInstanceId: at.run, pass, ...more }, on)
const claim = (who: Caller, taskId: string, on = t) => post(`blade-flow/work/claim-task?taskId=${taskId}`, who, {}, on)

type Step = AnswerOf<typeof runHistory>[number]
const history = async (run: string, who: Caller) =>
  (await get<Step[]>(`blade-flow/process/history-flow-list?processInstanceId=${run}`, who)).data
const wayOf = (steps: readonly Step[]) => steps.map(one => one.historyActivityId).join(' ')
const standing = async (id: string, who = asker) =>
  (await get<{ flow: Record<string, unknown> }>(`blade-desk/process/leave/detail?businessId=${id}`, who)).data.flow

describe('a leave', () => {
  test('waits for whoever was chosen, who agrees', async () => {
    const one = await asked()
    expect(await found('work/send-list', asker, one.run)).toMatchObject({ taskName: '审批', status: 1 })
    expect(await standing(one.id)).toMatchObject({ status: 1, taskId: one.taskId, assignee: boss.userId })
    t.setNow('2026-06-01 08:20:30')
    expect((await decide(boss, one, true, { comment: ' 同意 ' })).code).toBe(200)
    expect(await standing(one.id)).toMatchObject({ status: 2, taskId: '', taskName: '已同意' })
    expect(await found('work/todo-list', boss, one.run)).toBeUndefined()
    expect(await found('work/done-list', boss, one.run)).toMatchObject({ taskName: '审批', status: 2 })
    const steps = await history(one.run, boss)
    expect(wayOf(steps)).toBe('apply applied approve judged decided short agreed')
    expect(steps[2]).toMatchObject({ comment: '同意', historyActivityDurationTime: '20分钟30秒' })
  })

  test('that is refused ends, with the reason', async () => {
    const one = await asked()
    await decide(boss, one, false, { flag: 'no', comment: '人手不足' })
    expect(await standing(one.id)).toMatchObject({ status: 2, taskName: '已驳回' })
    expect(wayOf(await history(one.run, asker))).toBe('apply applied approve judged decided no refused')
  })

  test('of more than three days is claimed and noted by an administrator', async () => {
    const one = await noted()
    expect(await found('work/claim-list', deputy, one.run)).toMatchObject({ taskName: '人事备案', assigneeName: '' })
    expect(await found('work/claim-list', stranger, one.run)).toBeUndefined()
    expect((await claim(stranger, one.taskId)).code).toBe(29010)
    expect((await decide(chief, one, true)).code).toBe(29011)
    expect((await claim(chief, one.taskId)).code).toBe(200)
    expect((await claim(deputy, one.taskId)).code).toBe(29010)
    expect((await decide(deputy, one, true)).code).toBe(29011)
    expect((await decide(chief, one, true)).code).toBe(200)
    expect(await standing(one.id)).toMatchObject({ status: 2, taskName: '已同意' })
  })

  test('is decided by what was asked for: whoever does a task cannot change it', async () => {
    const one = await asked({ endTime: '2026-06-30 08:00:00' })
    for (const name of ['days', 'taskUser', 'applicant', 'pass', 'nrOfPassed']) {
      const refused = await decide(boss, one, true, { variables: { note: 'x', [name]: 1 } })
      expect([refused.code, refused.msg]).toEqual([29005, expect.stringContaining(`变量${name}不能修改`)])
    }
    expect((await decide(boss, one, true, { variables: { note: '已电话沟通' } })).code).toBe(200)
    expect(await standing(one.id)).toMatchObject({ status: 1, taskName: '人事备案' })
    const stored = t.db.selectFrom('flow_instance').select('variables').where('id', '=', one.run)
    expect(await stored.executeTakeFirst()).toMatchObject({ variables: { note: '已电话沟通' } })
  })

  test.each([
    ['an end before the beginning', { endTime: '2026-06-10 08:00:00' }, 29005, '结束时间应晚于开始时间'],
    ['no reason', { reason: '' }, 29005, '请假理由'],
    ['a process that is not there', { processDefinitionId: '1' }, 29001, '数据不存在'],
    ['no number of a process', { processDefinitionId: 'x' }, 29001, '数据不存在'],
  ])('is not asked for with %s', async (_name, more, code, words) => {
    expect(await ask(more)).toMatchObject({ code, msg: expect.stringContaining(words) })
  })

  test('is decided by somebody else who is able to: nobody else is chosen, and nothing is left behind', async () => {
    const candidate = await signIn(t, { role: 'candidate' })
    const proctor = await signIn(t, { role: 'proctor' })
    const elsewhere = await signIn(t, { role: 'admin', tenantId: '900003', permissions: ['work_todo_act'] })
    const count = async () => (await t.pool.query('SELECT count(*) FROM leave')).rows[0]
    const before = await count()
    expect((await ask({ taskUser: asker.userId })).msg).toContain('审批人不能是本人')
    for (const { userId } of [candidate, proctor, elsewhere]) expect((await ask({ taskUser: userId })).code).toBe(29005)
    expect(await count()).toEqual(before)
  })

  test('is not asked for with a suspended process', async () => {
    const state = (to: number) => post(`blade-flow/manager/change-state?processId=${leaveProcess}&state=${to}`, chief)
    await state(2)
    expect((await ask()).code).toBe(29012)
    await state(1)
    expect((await ask()).code).toBe(200)
  })

  test('sent twice with one key is asked for once', async () => {
    const headers = { ...asker.headers, 'idempotency-key': 'leave-1' }
    const one = { ...asker, headers }
    const [first, again] = [await ask({}, one), await ask({}, one)]
    expect(again.data).toEqual(first.data)
  })
})

describe('who meets a run', () => {
  test('those with a part in it and those who look after it, and nobody else', async () => {
    const one = await noted()
    const answers = async (who: Caller) => [
      (await get(`blade-desk/process/leave/detail?businessId=${one.id}`, who)).code,
      (await get(`blade-flow/process/history-flow-list?processInstanceId=${one.run}`, who)).code,
      (await get(`blade-flow/process/model-view?processInstanceId=${one.run}`, who)).code,
    ]
    for (const who of [asker, boss, chief]) expect(await answers(who)).toEqual([200, 200, 200])
    expect(await answers(stranger)).toEqual([29001, 29001, 29001])
    const permissions = ['flow_follow', 'flow_follow_delete', 'leave', 'work_claim', 'work_claim_act']
    const elsewhere = await signIn(t, { role: 'admin', tenantId: '900004', permissions })
    expect(await answers(elsewhere)).toEqual([29001, 29001, 29001])
    for (const name of ['follow/list', 'work/claim-list']) expect(await list(name, elsewhere)).toEqual([])
    expect((await claim(elsewhere, one.taskId)).code).toBe(29010)
    const url = `blade-flow/follow/delete-process-instance?processInstanceId=${one.run}&deleteReason=x`
    expect((await post(url, elsewhere)).code).toBe(29001)
  })

  test('sees the way it has taken, where it stands and what may come', async () => {
    const one = await noted()
    const { data } = await get<{ xml: string; flow: Step[] }>(
      `blade-flow/process/model-view?processInstanceId=${one.run}`,
      boss,
    )
    const of = (type: string) => wayOf(data.flow.filter(step => step.historyActivityType === type))
    expect(data.xml).toContain('id="leave"')
    expect(of('userTask')).toBe('approve record')
    expect(wayOf(data.flow.filter(step => step.historyActivityType !== 'candidate' && !step.endTime))).toBe('record')
    expect(of('candidate').split(' ').toSorted()).toEqual(['agreed', 'recorded', 'refused'])
  })

  test('counts what waits on the first page', async () => {
    const todo = async (who: Caller) =>
      (await get<{ todo: { code: string; num: number }[] }>('blade-desk/home/staff', who)).data.todo
    const waiting = async (who: Caller, code: string) => (await todo(who)).find(one => one.code === code)?.num ?? 0
    const before = [await waiting(boss, 'flowTodo'), await waiting(chief, 'flowClaim')] as const
    const one = await asked({ endTime: '2026-06-15 08:00:00' })
    expect(await waiting(boss, 'flowTodo')).toBe(before[0] + 1)
    await decide(boss, one, true)
    expect([await waiting(boss, 'flowTodo'), await waiting(chief, 'flowClaim')]).toEqual([before[0], before[1] + 1])
    expect(await waiting(stranger, 'flowClaim')).toBe(0)
  })

  test('narrows its lists', async () => {
    const one = await asked()
    const totals = async (more: string) => (await list('work/send-list', asker, more)).length
    expect(await totals(`&processInstanceId=${one.run}`)).toBe(1)
    expect(await totals('&category=2')).toBe(0)
    expect(await totals('&processDefinitionKey=leave&processDefinitionName=请假&category=1')).toBeGreaterThan(0)
    expect(await totals('&processDefinitionName=%25')).toBe(0)
    expect(await totals('&createTime_dategt=2026-06-01 08:00:01')).toBe(0)
    expect(await totals('&beginDate=2026-06-01 07:59:59&endDate=2026-06-01 08:00:00')).toBeGreaterThan(0)
    expect((await get('blade-flow/work/send-list?colour=red', asker)).code).toBe(29005)
  })
})

describe('a run', () => {
  const end = (run: string, reason = '人员调离', who = chief) =>
    post(`blade-flow/follow/delete-process-instance?processInstanceId=${run}&deleteReason=${reason}`, who)

  test('is ended with a reason, once; what waited waits no more and was done by nobody', async () => {
    const one = await asked()
    expect((await end(one.run, '')).code).toBe(29005)
    expect((await end(one.run, 'x', boss)).code).toBe(403)
    expect((await end(one.run)).code).toBe(200)
    expect(await standing(one.id)).toMatchObject({ status: 3, endReason: '人员调离', taskId: '' })
    expect((await decide(boss, one, true)).code).toBe(29011)
    for (const name of ['work/todo-list', 'work/done-list']) expect(await found(name, boss, one.run)).toBeUndefined()
    expect((await end(one.run)).code).toBe(200)
    expect((await end(one.run, '另一原因')).code).toBe(29009)
    expect((await end('1')).code).toBe(29001)
  })

  test('keeps to the version it began with', async () => {
    const one = await asked()
    const { xml } = await t.db
      .selectFrom('flow_deployment')
      .select('xml')
      .where('id', '=', leaveProcess)
      .executeTakeFirstOrThrow()
    const other = xml.replace('days > 3', 'days > 0')
    await post('blade-flow/model/submit', chief, { id: leaveProcess, xml: other })
    await post(`blade-flow/model/deploy?modelId=${leaveProcess}`, chief)
    await decide(boss, one, true)
    expect(await standing(one.id)).toMatchObject({ status: 2 })
    const later = await asked()
    await decide(boss, later, true)
    expect(await standing(later.id)).toMatchObject({ status: 1, taskName: '人事备案' })
    await post('blade-flow/model/submit', chief, { id: leaveProcess, xml })
    await post(`blade-flow/model/deploy?modelId=${leaveProcess}`, chief)
  })

  test('goes back and comes again, to a fixed person and to the one who began', async () => {
    const inside = `<startEvent id="s"/>${task('a', { assignee: boss.userId })}${task('b', { assignee: '#{applicant}' })}
      <exclusiveGateway id="g" default="g-b"/><endEvent id="e" name="完"/>${lines('s>a', 'a>g', 'g>e pass', 'g>b', 'b>a')}`
    await post('blade-flow/model/submit', chief, {
      modelKey: 'back',
      name: '往返',
      category: 1,
      xml: bpmn('back', inside),
    })
    const processDefinitionId = await definition('back')
    expect((await post(`blade-flow/model/deploy?modelId=${processDefinitionId}`, chief)).code).toBe(200)
    const one = await asked({ processDefinitionId, taskUser: deputy.userId })
    await decide(boss, one, false)
    const mine = await found('work/todo-list', asker, one.run)
    await decide(asker, { ...one, taskId: mine?.taskId ?? '' }, true)
    const again = await found('work/todo-list', boss, one.run)
    expect((await decide(boss, { ...one, taskId: again?.taskId ?? '' }, true)).code).toBe(200)
    expect(wayOf(await history(one.run, asker))).toBe('s s-a a a-g g g-b b b-a a a-g g g-e e')
  })

  test.each([
    ['nothing decided', { pass: undefined }],
    ['another word', { pass: 'perhaps' }],
    ['more than plain values', { variables: { a: { b: 1 } } }],
    ['a name that is none', { variables: { 'a b': 1 } }],
    ['a sign the database cannot keep', { variables: { a: '\u0000' } }],
    ['too long a comment', { comment: 'x'.repeat(501) }],
  ])('does not go on with %s', async (_name, more) => {
    expect((await decide(boss, await asked(), true, more)).code).toBe(29005)
  })
})

describe('at the same moment', () => {
  const codes = (answers: readonly { code: number }[]) => answers.map(one => one.code).toSorted((a, b) => a - b)

  test('of two people who claim one task on two servers, twice each, one gets it', async () => {
    const one = await noted()
    const tries = [0, 1, 2, 3].map(n => claim(n % 2 ? chief : deputy, one.taskId, n % 2 ? t : second))
    expect(codes(await Promise.all(tries))).toEqual([200, 200, 29010, 29010])
  })

  test('a task is done once, however many servers are told', async () => {
    const one = await asked({ endTime: '2026-06-15 08:00:00' })
    const tries = [0, 1, 2, 3].map(n => decide(boss, one, true, {}, n % 2 ? t : second))
    expect(codes(await Promise.all(tries))).toEqual([200, 200, 200, 200])
    expect(wayOf(await history(one.run, asker)).match(/approve/g)).toHaveLength(1)
  })

  test('what one server claims another completes', async () => {
    const one = await noted()
    await claim(chief, one.taskId)
    expect((await decide(chief, one, true, {}, second)).code).toBe(200)
  })

  test('a run that is ended while its task is being done is either: nothing of it waits', async () => {
    for (let n = 0; n < 4; n++) {
      const one = await asked({ endTime: '2026-06-15 08:00:00' })
      const url = `blade-flow/follow/delete-process-instance?processInstanceId=${one.run}&deleteReason=x`
      const [, ended] = await Promise.all([decide(boss, one, true), post(url, chief, {}, second)])
      expect(ended.code).toBe(200)
      expect(await found('work/claim-list', chief, one.run)).toBeUndefined()
      const open = await t.pool.query('SELECT 1 FROM flow_activity WHERE "instanceId" = $1 AND "endTime" IS NULL', [
        one.run,
      ])
      expect(open.rows).toEqual([])
    }
  })
})
