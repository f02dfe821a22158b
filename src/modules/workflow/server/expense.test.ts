import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FlowCategory } from '#schemas/dictionaries'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { lines } from '../../../../tests/helper/flow-bench.ts'
import { FlowBench } from '../../../../tests/helper/flow-runs.ts'
import { fileStatus, uploadPicture } from '../../../../tests/helper/upload.ts'

// Claims of expenses: the form of a process whose fields are those of an entity.

let t: TestApp
let b: FlowBench
let model: string

beforeAll(async () => {
  t = await testApp({ now: '2026-06-01 08:00:00' })
  b = await new FlowBench(t).open()
  model = await b.deploy(
    'claims',
    `<startEvent id="s" flowable:formKey="expense"/><userTask id="t" flowable:assignee="@b"/><exclusiveGateway id="g" default="g-z"/>
     <userTask id="u" flowable:assignee="@c"/><endEvent id="z"/>${lines('s>t', 't>g', 'g>u amount >= 5000', 'g>z', 'u>z')}`,
    FlowCategory.expense,
  )
})
afterAll(() => t?.close())

/** An outlay of some yuan. */
const outlay = (yuan: number, more: object = {}) => ({ date: '2026-05-20', kind: 1, amount: yuan * 100, ...more })
const begin = (items: unknown, more: object = {}) => b.start(model, { form: { reason: '出差', items, ...more } })
const reads = (who: string, file: string) => fileStatus(t, b.who(who), file)

test.each([
  [undefined, '明细'],
  [[], '请填写明细'],
  [[outlay(0)], '第1行：请输入金额'],
  [[outlay(1), { ...outlay(1), date: '2026-02-30' }], '第2行：请选择日期'],
  [[outlay(1, { kind: 7 })], '第1行：请选择类别'],
  [[outlay(1, { extra: 1 })], '第1行：内容不正确'],
  [[outlay(1), null], '第2行：内容不正确'],
  [Array.from({ length: 51 }, () => outlay(1)), '明细不能超过50行'],
  [[outlay(1, { kind: 'toString' })], '第1行：请选择类别'],
  [[outlay(1, { date: '2026-05-20 09:00:00' })], '第1行：请选择日期'],
  [[outlay(-1)], '第1行：请输入金额'],
  [[outlay(1, { amount: 12.5 })], '第1行：请输入金额'],
  [[outlay(1, { amount: '1230' })], '第1行：请输入金额'],
  [[outlay(10_000_001)], '第1行：金额过大'],
  [[outlay(1, { remark: '字'.repeat(101) })], '第1行：说明过长'],
])('outlays %j are refused', async (items, words) => {
  const answer = await begin(items)
  expect([answer.code, JSON.stringify(answer)]).toEqual([29005, expect.stringContaining(words)])
})

test('the sum of the outlays decides the way, also after it came back to who claims', async () => {
  const run = (await begin([outlay(4000), outlay(999)])).data.processInstanceId
  const row = async () =>
    (await t.pool.query('SELECT amount, items FROM expense WHERE "processInstanceId" = $1', [run])).rows[0]
  expect(await row()).toMatchObject({ amount: 499_900 })
  expect((await b.do('back-task', run, 't:b', { targetActivityId: 's', comment: '缺一笔' })).code).toBe(200)
  const change = (variables: object) => b.decide(run, 's:a', true, { variables })
  expect((await change({ reason: '出差', items: [outlay(4000), outlay(-1)] })).code).toBe(29005)
  expect(await row()).toMatchObject({ amount: 499_900 })
  expect(await change({ reason: '出差', items: [outlay(4000), outlay(1000)] })).toMatchObject({ code: 200 })
  expect(await row()).toMatchObject({ amount: 500_000, items: [{ amount: 400_000 }, { amount: 100_000 }] })
  await b.agree(run, 't:b')
  expect(await b.openOf(run)).toBe('u:c')
  await b.agree(run, 'u:c')
  await b.expectOver(run)
})

test('those who take part read its file, and nobody else; a file of somebody else is not taken', async () => {
  const file = await uploadPicture(t, b.who('a'), 'flow')
  expect(await reads('b', file)).toBe(404)
  const run = (await begin([outlay(10)], { attachment: file })).data.processInstanceId
  expect([await reads('a', file), await reads('b', file), await reads('chief', file)]).toEqual([200, 200, 200])
  expect([await reads('c', file), await reads('d', file)]).toEqual([404, 404])
  const foreign = await uploadPicture(t, b.who('d'), 'flow')
  expect(await begin([outlay(10)], { attachment: foreign })).toMatchObject({ success: false })
  expect(await begin([outlay(10)], { attachment: file })).toMatchObject({ success: false })
  await b.agree(run, 't:b')
  await b.expectOver(run)
})

test('files of claims of before are read by those who take part, too', async () => {
  const file = await uploadPicture(t, b.who('a'), 'files')
  const run = (await begin([outlay(10)])).data.processInstanceId
  await t.pool.query('UPDATE expense SET attachment = $1 WHERE "processInstanceId" = $2', [file, run])
  expect([await reads('b', file), await reads('c', file)]).toEqual([200, 200])
  await t.pool.query(
    await readFile(path.join(import.meta.dirname, '../../../platform/database/migrations/431-flow-files.sql'), 'utf8'),
  )
  expect([await reads('b', file), await reads('c', file)]).toEqual([200, 404])
  await b.agree(run, 't:b')
})
