import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { lines } from '../../../../tests/helper/flow-bench.ts'
import { FlowBench } from '../../../../tests/helper/flow-runs.ts'
import { tellDue } from '../../notifications/server/tell.ts'

// Whoever has something to do in a process is told of it, and of what is done nobody is asked any more.

let t: TestApp
let b: FlowBench
beforeAll(async () => {
  t = await testApp()
  b = await new FlowBench(t).open()
})
afterAll(() => t?.close())

const model = (first: string, second: string) =>
  `<startEvent id="s"/><userTask id="x" name="初核" ${first}/><userTask id="y" name="复核" ${second}/><endEvent id="z"/>${lines('s>x', 'x>y', 'y>z')}`

/** Who has been told of the tasks of a run, in order; in brackets what is of no more concern. */
async function told(run: string): Promise<string[]> {
  await tellDue(t.app)
  const { rows } = await t.pool.query(
    `SELECT m.code, m."userId", m."doneTime", e.facts->>'taskName' AS name FROM message m
       JOIN event e ON e.id = m."eventId" JOIN flow_task k ON k.id::text = e."subjectId"
     WHERE k."instanceId" = $1 ORDER BY m."eventId", m."userId"`,
    [run],
  )
  return rows.map(({ code, userId, doneTime, name }) => {
    const one = `${name}:${code.slice(9)}:${b.name(userId)}`
    return doneTime ? `(${one})` : one
  })
}
const taskOf = async (run: string) => (await b.detail(run)).open[0]?.taskId

test('a task that somebody is to do is told to that person, and settled by its end', async () => {
  const run = await b.begin(await b.deploy('told1', model('flowable:assignee="@b"', 'flowable:assignee="@c"')))
  expect(await told(run)).toEqual(['初核:Arrived:b'])
  await b.agree(run, 'x:b')
  expect(await told(run)).toEqual(['(初核:Arrived:b)', '复核:Arrived:c'])
  await b.agree(run, 'y:c')
  expect(await told(run)).toEqual(['(初核:Arrived:b)', '(复核:Arrived:c)'])
})

test('a task that several may claim is told to each, until one has claimed it; given back it is offered again', async () => {
  const offered = 'flowable:candidateUsers="@b,@c"'
  const run = await b.begin(await b.deploy('told2', model(offered, 'flowable:assignee="@d"')))
  expect(await told(run)).toEqual(['初核:Offered:b', '初核:Offered:c'])
  const taskId = await taskOf(run)
  expect((await b.post(`work/claim-task?taskId=${taskId}`, 'b')).code).toBe(200)
  // Who has claimed it knows.
  expect(await told(run)).toEqual(['(初核:Offered:b)', '(初核:Offered:c)'])
  expect((await b.post('work/unclaim-task', 'b', { taskId })).code).toBe(200)
  expect(await told(run)).toEqual(['(初核:Offered:b)', '(初核:Offered:c)', '初核:Offered:c'])
})

test('a task that is handed on is told to who has it now', async () => {
  const run = await b.begin(await b.deploy('told3', model('flowable:assignee="@b"', 'flowable:assignee="@c"')))
  await told(run)
  const taskId = await taskOf(run)
  expect((await b.post('work/transfer-task', 'b', { taskId, userId: b.id('d'), comment: '请代办' })).code).toBe(200)
  expect(await told(run)).toEqual(['(初核:Arrived:b)', '初核:Arrived:d'])
})

test('a run that is ended leaves nothing to do, and whoever begins with a task of the own is not told of it', async () => {
  const run = await b.begin(await b.deploy('told4', model('flowable:assignee="@b"', 'flowable:assignee="@c"')))
  await told(run)
  const url = `follow/delete-process-instance?processInstanceId=${run}&deleteReason=x`
  expect((await b.post(url, 'chief')).code).toBe(200)
  expect(await told(run)).toEqual(['(初核:Arrived:b)'])
  const own = await b.begin(await b.deploy('told5', model('flowable:assignee="@a"', 'flowable:assignee="@c"')))
  expect(await told(own)).toEqual([])
})
