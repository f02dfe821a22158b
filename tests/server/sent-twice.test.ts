import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Entity, type Resource, readCall, tableOf } from '#engine'
import { resources } from '#resources'
import { Datasource } from '#schemas/development/datasource'
import { JobServerType } from '#schemas/dictionaries'
import { Examination } from '#schemas/exams/examination'
import { JobInfo } from '#schemas/jobs/job-info'
import { JobWorkflow } from '#schemas/jobs/job-workflow'
import { Signup } from '#schemas/sign-up/signup'
import { type TestApp, testApp } from '../helper/app.ts'
import { type EveryRow, everyRow, targetOf } from '../helper/every-row.ts'
import { drafting, makeDraft } from '../helper/exam-bench.ts'
import { straight } from '../helper/flow-bench.ts'
import { type Caller, signIn } from '../helper/person.ts'
import { ticketOf } from '../helper/result-bench.ts'
import { insert, sample } from '../helper/sample.ts'
import { makeStage, passed } from '../helper/seat-bench.ts'
import { makePackage, makeTemplate } from '../helper/send-bench.ts'
import { uploadPicture } from '../helper/upload.ts'

// The form of every resource, sent twice at the same moment, once to each of two servers, and again after its answer was lost.

const added = (resources as readonly Resource[]).filter(({ can, instead }) => can.includes('add') && !instead.add)

let t: TestApp
let twin: TestApp
let who: Caller
let rows: EveryRow
let exam: { examId: string; itemId: string }

beforeAll(async () => {
  t = await testApp({ now: drafting })
  twin = await testApp({ url: t.url, now: drafting })
  who = await signIn(t, { role: 'administrator' })
  rows = await everyRow(t.app, { tenantId: '000000', set: 1 })
  const draft = await makeDraft(t)
  exam = { examId: draft.exam.id, itemId: draft.stage.id }
})
afterAll(async () => {
  await twin?.close()
  await t?.close()
})

const span = { startTime: '2027-01-09 09:00:00', endTime: '2027-01-09 11:00:00' }
const first = async (text: string): Promise<string> => (await t.pool.query<{ one: string }>(text)).rows[0]!.one

/** A key of a dictionary of the tenant, which gets one where it has none. */
async function keyOf(code: string): Promise<string> {
  await t.pool.query(
    `INSERT INTO dict_biz ("tenantId", code, "dictKey", "dictValue", "parentId", sort)
     SELECT '000000', code, 'k1', '甲', id, 1 FROM dict_biz WHERE code = $1 AND "parentId" IS NULL AND "tenantId" = '000000'`,
    [code],
  )
  return 'k1'
}

async function allow(hosts: 'job.hosts' | 'oss.hosts'): Promise<void> {
  await t.pool.query(`DELETE FROM param WHERE "paramKey" = $1`, [hosts])
  await t.pool.query(
    `INSERT INTO param ("tenantId", "paramName", "paramKey", "paramValue") VALUES ('000000', $1, $1, 'example.org')`,
    [hosts],
  )
}

const ownServer = () => first(`SELECT id AS one FROM job_server WHERE "serverType" = ${JobServerType.builtIn}`)
const ownJob = async () => (await insert(t.app, JobInfo, { jobServerId: await ownServer() })).id
const menuId = async () => ({ menuId: await first('SELECT id AS one FROM menu LIMIT 1') })

/** Settings of a merchant with keys of its own. */
function merchant() {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    platformKey: publicKey.export({ type: 'spki', format: 'pem' }),
    apiV3Key: '0123456789abcdef0123456789abcdef',
  }
}

/** What a form needs beside any values of its fields. */
const more: Readonly<Record<string, () => object | Promise<object>>> = {
  examination: () => ({
    signStartTime: '2026-12-01 09:00:00',
    signEndTime: '2026-12-05 17:00:00',
    modifyEndTime: '2026-12-08 17:00:00',
    examineEndTime: '2026-12-10 17:00:00',
    examStartTime: span.startTime,
    examEndTime: span.endTime,
  }),
  examitems: async () => ({
    examId: exam.examId,
    itemIds: exam.itemId,
    unit: await keyOf('recruit_unit'),
    type: await keyOf('post_type'),
  }),
  examinationitem: () => ({ examId: exam.examId, ...span }),
  items: () => ({ itemCode: 'twice' }),
  examuser: () => ({ examId: exam.examId, userId: who.userId }),
  typecode: async () => ({ type: await keyOf('post_type') }),
  exampay: () => ({ ...exam, ...span }),
  pay: async () => {
    await t.pool.query('DELETE FROM pay')
    return merchant()
  },
  reconciliation: () => ({ billDate: '2026-02-02' }),
  workday: () => ({ day: '2031-05-01' }),
  datapurge: async () => {
    const old = { examStatus: 3, archiveTime: new Date('2020-01-01T00:00:00Z') } as const
    const { id: examId } = await insert(t.app, Examination, old)
    await insert(t.app, Signup, { examId, signStatus: 1 })
    return { examId }
  },
  datarequest: async () => ({ userId: (await signIn(t, { role: 'candidate' })).userId }),
  result: async () => {
    const { examId, itemId } = await makeStage(t)
    const { ticketNo } = await ticketOf(t, itemId, await passed(t, examId))
    await t.pool.query(
      `UPDATE examinationitem SET "startTime" = '2026-10-01', "endTime" = '2026-10-02' WHERE id = $1`,
      [itemId],
    )
    return { itemId, ticketNo, score: '60' }
  },
  noticefile: async () => ({ attachId: await uploadPicture(t, who, 'notice') }),
  files: async () => ({ attachId: await uploadPicture(t, who, 'notice') }),
  send: async () => ({ templateId: (await makeTemplate(t)).id }),
  sendpay: async () => ({ packageId: (await makePackage(t)).id }),
  'data-scope': async () => ({ ...(await menuId()), resourceCode: 'twice', scopeClass: 'post', scopeField: '*' }),
  'api-scope': async () => ({ ...(await menuId()), scopePath: '/api/blade-system/post/page' }),
  client: () => ({ clientSecret: 'twice-twice-twice' }),
  'oauth-source': () => ({ source: 'twice', scope: 'openid profile' }),
  'tenant-package': menuId,
  oss: async () => {
    await allow('oss.hosts')
    return { endpoint: 'https://example.org' }
  },
  'job-info': async () => {
    await allow('job.hosts')
    const jobParams = '{"method":"GET","url":"http://example.org"}'
    return { jobServerId: await ownServer(), timeExpression: '0 0 3 * * ?', processorInfo: 'http', jobParams }
  },
  'job-workflow': async () => ({
    timeExpression: '0 0 3 * * ?',
    'job-workflow-node': [{ nodeName: '甲', jobInfoId: await ownJob() }],
  }),
  'job-workflow-node': async () => ({
    workflowId: (await insert(t.app, JobWorkflow)).id,
    jobInfoId: await ownJob(),
  }),
  'job-server': async () => {
    await allow('job.hosts')
    return { jobServerUrl: 'http://example.org' }
  },
  'flow-deployment': () => ({ modelKey: 'twice', xml: straight('twice') }),
  code: () => ({ packageName: 'org.example' }),
  wechat: () => ({ appId: 'wx0123456789abcdef', appSecret: 'twice-twice-twice', pushToken: 'twicetwice', aesKey: '' }),
  hook: () => ({ url: 'https://example.org/', events: 'signup.submitted' }),
  datasource: () => ({ url: 'jdbc:postgresql://127.0.0.1:5432/x' }),
  model: async () => ({
    datasourceId: (await insert(t.app, Datasource)).id,
    modelCode: 'twice',
    modelTable: 'twice',
    modelClass: 'Twice',
  }),
}

/** Values for all inputs of a form that must be filled. */
function entered({ entity, form }: Resource): Record<string, unknown> {
  const whole = sample(entity as Entity) as Record<string, unknown>
  const inputs = form.flatMap(group => group.inputs.map(input => input.field))
  const values = inputs.flatMap(name => {
    const field = (entity as Entity).properties[name]
    const target = targetOf(field)
    if (target && target !== entity.name && !field?.optional) return [[name, rows[target] ?? '1']]
    const value = whole[name] instanceof Date ? span.startTime : whole[name]
    return value === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries(values)
}

const countOf = ({ entity }: Resource) =>
  first(`SELECT count(*)::int AS one FROM "${tableOf(entity.name)}" WHERE "isDeleted" = 0`).then(Number)

test('forms are many', () => expect(added.length).toBeGreaterThan(45))

test.each(added.map(one => [one.name, one] as const))('%s: makes one row and answers alike', async (name, resource) => {
  const payload = { ...entered(resource), ...(await more[name]?.()) }
  const url = `/api${resource.path}/${readCall(resource.calls.submit).path}`
  const headers = { ...who.headers, 'idempotency-key': randomUUID() }
  const send = (at: TestApp) => at.call({ method: 'POST', url, payload, headers })
  const before = await countOf(resource)
  const [one, other] = await Promise.all([send(t), send(twin)])
  const again = await send(t)
  expect([one.msg, one.code]).toEqual(['操作成功', 200])
  for (const { code, msg, data } of [other, again])
    expect({ code, msg, data }).toMatchObject({ code: 200, msg: one.msg, data: one.data })
  expect((await countOf(resource)) - before).toBe(1)
})
