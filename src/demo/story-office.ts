import { buffer } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import {
  DataScopeType,
  ImportMode,
  JobExecuteType,
  JobProcessor,
  JobServerType,
  JobTimeType,
  OnshelfStatus,
  OssVendor,
  PayChannelNo,
  PayState,
  SensitiveLevel,
  UsercodeType,
} from '#schemas/dictionaries'
import { Examitems } from '../../schemas/exams/examitems.ts'
import { workbookType } from '../crud/export-kind.ts'
import { beginTask, endTask } from '../crud/sheet-task.ts'
import { firstTenant } from '../platform/database/first-tenant.ts'
import { streamWorkbook } from '../platform/workbook/workbook.ts'
import { actAs } from './caller.ts'
import { drawPicture } from './files.ts'

const idOf = async (app: FastifyInstance, table: 'menu', code: string): Promise<string> =>
  (
    await app.db
      .selectFrom(table)
      .select('id')
      .where('code', '=', code)
      .where('isDeleted', '=', 0)
      .executeTakeFirstOrThrow()
  ).id

/** What the platform's administrator has set up: top menu, package, scopes, sign-in elsewhere, storage. */
export async function playPlatform(app: FastifyInstance): Promise<void> {
  const [exam, signup, user] = [
    await idOf(app, 'menu', 'examination'),
    await idOf(app, 'menu', 'signup'),
    await idOf(app, 'menu', 'user'),
  ]
  await actAs(app, 'admin', async ({ post }) => {
    await post('/blade-system/topmenu/submit', { code: 'exam-work', name: '考务工作', source: 'FormOutlined', sort: 1 })
    await post('/blade-system/tenant-package/submit', {
      packageName: '基础版',
      menuId: [exam, signup].join(),
      remark: '考试与报名',
    })
    await post('/blade-system/data-scope/submit', {
      menuId: user,
      resourceCode: 'user-own-dept',
      scopeName: '本机构用户',
      scopeClass: 'user',
      scopeField: '*',
      scopeColumn: 'deptId',
      scopeType: DataScopeType.department,
    })
    await post('/blade-system/api-scope/submit', {
      menuId: user,
      resourceCode: 'code-remove',
      scopeName: '删除代码生成',
      scopeType: DataScopeType.all,
      scopePath: '/api/blade-develop/code/remove',
    })
    await post('/blade-system/oauth-source/submit', {
      source: 'government',
      sourceName: '政务统一登录',
      issuer: 'https://sso.example.gov.cn',
      clientId: 'juxian',
      clientSecret: 'replace-before-use',
      scope: 'openid profile',
      sort: 1,
    })
    await post('/blade-resource/oss/submit', {
      category: OssVendor.local,
      ossCode: 'local-sample',
      remark: '示例，未启用',
    })
  })
}

/** A data model with its fields and what code is generated from it. */
export async function playDevelopment(app: FastifyInstance): Promise<void> {
  const source = await app.db.selectFrom('datasource').select('id').where('isDeleted', '=', 0).executeTakeFirst()
  if (!source) return
  await actAs(app, 'admin', async ({ post, get }) => {
    const model = { modelName: '培训记录', modelCode: 'training', modelTable: 'training', modelClass: 'Training' }
    await post('/blade-develop/model/submit', { ...model, datasourceId: source.id, modelRemark: '继续教育培训的登记' })
    const { records } = await get<{ records: { id: string }[] }>('/blade-develop/model/list?modelCode=training')
    const modelId = records[0]?.id ?? ''
    await post('/blade-develop/model-prototype/submit-list', [
      field(modelId, 'course_name', 'courseName', '课程名称', 'varchar', 'String', 1),
      field(modelId, 'hours', 'hours', '学时', 'int', 'Integer', 2),
    ])
    await post('/blade-develop/code/submit', {
      codeName: '培训记录',
      serviceName: 'juxian-training',
      modelId,
      templateType: 'crud',
      tableName: 'training',
      packageName: 'org.example.training',
      pkName: 'id',
      author: 'juxian',
    })
  })
}

const field = (
  modelId: string,
  jdbcName: string,
  propertyName: string,
  jdbcComment: string,
  jdbcType: string,
  propertyType: string,
  sort: number,
) => ({
  modelId,
  jdbcName,
  propertyName,
  jdbcComment,
  jdbcType,
  propertyType,
  sort,
  isList: 1,
  isForm: 1,
  isRow: 0,
  isRequired: 1,
  isQuery: sort === 1 ? 1 : 0,
})

/** A job of staff that a processor of the server does. */
const nightJob = '每日账目核对'

/** A workflow that does that job and tidies up when it has gone well, with its first run. */
export async function playWorkflow(app: FastifyInstance): Promise<void> {
  await actAs(app, 'admin', async ({ post, get }) => {
    const { records } = await get<{ records: { id: string; jobName: string; jobServerId: string }[] }>(
      `/blade-job/job-info/list?jobName=${encodeURIComponent(nightJob)}`,
    )
    const night = records.find(one => one.jobName === nightJob)
    const tidy = '清理导出文件（收尾）'
    await post('/blade-job/job-info/submit', {
      jobServerId: night?.jobServerId,
      jobName: tidy,
      timeExpressionType: JobTimeType.workflow,
      processorInfo: 'exports-tidy',
    })
    const found = await get<{ records: { id: string; jobName: string }[] }>(
      `/blade-job/job-info/list?jobName=${encodeURIComponent(tidy)}`,
    )
    const tidyId = found.records.find(one => one.jobName === tidy)?.id
    await post('/blade-job/job-workflow/submit', {
      workflowName: '每日收尾',
      workflowDescription: '核对账目之后清理导出文件',
      timeExpressionType: JobTimeType.cron,
      timeExpression: '0 0 4 * * ?',
      'job-workflow-node': [
        { nodeName: '核对账目', jobInfoId: night?.id },
        { nodeName: '清理导出文件', jobInfoId: tidyId, afterNodes: '核对账目' },
      ],
    })
    const all = await get<{ records: { id: string }[] }>('/blade-job/job-workflow/list')
    await post(`/blade-job/job-workflow/run?id=${all.records[0]?.id}`)
  })
}

/** That job, an application that is told of jobs, and the first run that was asked for by hand. */
export async function playJobs(app: FastifyInstance): Promise<void> {
  await app.db
    .updateTable('param')
    .set({ paramValue: 'jobs.example.org' })
    .where('tenantId', '=', firstTenant)
    .where('paramKey', '=', 'job.hosts')
    .where('paramValue', '=', '-')
    .execute()
  await actAs(app, 'admin', async ({ post, get }) => {
    await post('/blade-job/job-server/submit', {
      jobServerName: '示例任务服务',
      serverType: JobServerType.webhook,
      jobServerUrl: 'https://jobs.example.org/run',
      jobAppName: 'juxian',
      jobAppPassword: 'replace-before-use',
      jobRemark: '外部任务应用的示例',
    })
    const servers = await get<{ id: string; jobServerName: string }[]>('/blade-job/job-server/select')
    await post('/blade-job/job-info/submit', {
      jobServerId: servers.find(one => one.jobServerName === '内置任务服务')?.id,
      jobName: nightJob,
      jobDescription: '核对缴费记录与订单',
      timeExpressionType: JobTimeType.cron,
      timeExpression: '0 30 2 * * ?',
      executeType: JobExecuteType.standalone,
      processorType: JobProcessor.builtIn,
      processorInfo: 'pay-books',
      enable: 1,
    })
  })
}

/** A message to people within the site, written and sent by the exam administrator. */
export async function playSendings(app: FastifyInstance): Promise<void> {
  const template = await app.db
    .selectFrom('sms')
    .select('id')
    .where('tenantId', '=', firstTenant)
    .where('smsCode', '=', '催缴提醒')
    .executeTakeFirstOrThrow()
  const people = await app.db
    .selectFrom('payrecord as r')
    .innerJoin('examination as e', 'e.id', 'r.examId')
    .select(['r.userId', 'r.name', 'r.phone', 'e.examName', 'e.id as examId'])
    .where('r.tenantId', '=', firstTenant)
    .where('r.payState', '=', PayState.due)
    .limit(3)
    .execute()
  const examId = people[0]?.examId
  if (!examId) return
  await actAs(app, 'kaowu', async ({ post, get }) => {
    for (const [title, sendType] of [
      ['缴费提醒', 1],
      ['缴费提醒（站内信）', 2],
    ] as const) {
      await post('/blade-send/send/submit', { title, examId, sendType, templateId: template.id })
      const { records } = await get<{ records: { id: string; title: string }[] }>('/blade-send/send/page?size=10')
      const sendId = records.find(one => one.title === title)?.id
      for (const { userId, name, phone, examName } of people)
        await post('/blade-sendMessage/sendmessage/submit', {
          sendId,
          userId,
          name,
          phone: phone && app.vault.open(phone),
          params: { name, examName },
        })
    }
  })
}

/** What else an office leaves behind: an import, an export whose file has expired, numbers of staff, a purchase of messages. */
export async function playOffice(app: FastifyInstance): Promise<void> {
  const { db } = app
  const now = app.now()
  const { id: userId } = await db
    .selectFrom('user')
    .select('id')
    .where('tenantId', '=', firstTenant)
    .where('account', '=', 'kaowu')
    .executeTakeFirstOrThrow()
  const stamp = { tenantId: firstTenant, createUser: userId, createTime: now, updateTime: now }
  const done = 2
  const day = 86_400_000
  await db
    .insertInto('exporttask')
    .values({
      ...stamp,
      title: '报名信息',
      bizType: 'signup',
      params: '{}',
      rowNum: 168,
      totalNum: 168,
      taskStatus: done,
      sensitive: SensitiveLevel.plain,
      inBackground: 1,
      endTime: new Date(now.getTime() - 9 * day),
      keepUntil: new Date(now.getTime() - 2 * day),
    })
    .execute()
  await importedPositions(app, userId)
  await actAs(app, 'admin', async ({ post, get }) => {
    await post('/blade-userCode/usercode/submit', {
      userId,
      userCode: '3501',
      codeType: UsercodeType.unit,
      enable: 1,
      remark: '区医院联络人',
    })
    const { records } = await get<{ records: { id: string }[] }>(
      `/blade-job/job-info/page?jobName=${encodeURIComponent(nightJob)}`,
    )
    await post(`/blade-job/job-info/run?id=${records[0]?.id}`)
  })
  await actAs(app, 'kaowu', async ({ post, upload }) => {
    const newest = await db
      .selectFrom('notice')
      .select('id')
      .where('tenantId', '=', firstTenant)
      .executeTakeFirstOrThrow()
    const list = new Blob([new Uint8Array(await positionSheet(app))], { type: workbookType })
    const attachId = await upload('notice', '岗位信息表.xlsx', list)
    await post('/blade-noticeFile/noticefile/submit', { noticeId: newest.id, attachId, sort: 1 })
    const offered = await db
      .selectFrom('sendpackages')
      .select('id')
      .where('tenantId', '=', firstTenant)
      .where('packageStatus', '=', OnshelfStatus.onShelf)
      .orderBy('sort')
      .executeTakeFirstOrThrow()
    const slip = new Blob([new Uint8Array(await drawPicture('转账回单（样张）'))], { type: 'image/jpeg' })
    const voucher = await upload('voucher', '转账回单.jpg', slip)
    const bought = { packageId: offered.id, channel: PayChannelNo.offline, voucher, remark: '已从基本户转账' }
    await post('/blade-sendPay/sendpay/submit', bought)
  })
}

/** The positions of the newest exam as a workbook. */
async function positionSheet(app: FastifyInstance): Promise<Buffer> {
  const { id: examId } = await app.db
    .selectFrom('examination')
    .select('id')
    .where('tenantId', '=', firstTenant)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const rows = await app.db
    .selectFrom('examitems')
    .select(['unit', 'postName', 'code', 'planNum'])
    .where('examId', '=', examId)
    .orderBy('code')
    .execute()
  const sheet = streamWorkbook({
    sheet: '岗位',
    columns: [
      { title: Examitems.properties.unit.title, width: 30 },
      { title: Examitems.properties.postName.title, width: 24 },
      { title: Examitems.properties.code.title },
      { title: Examitems.properties.planNum.title, type: 'number' },
    ],
    rows: rows.map(({ unit, postName, code, planNum }) => [unit, postName, code, planNum]),
  })
  return buffer(sheet)
}

/** The import by which the positions came. */
async function importedPositions(app: FastifyInstance, userId: string): Promise<void> {
  const [file, now] = [await positionSheet(app), app.now()]
  const taking = { storage: app.storage, tenantId: firstTenant, userId, now, business: 'position', place: null }
  const outcome = { totalNum: 40, okNum: 40, errNum: 0, errSheet: null }
  const upload = { file, fileName: '岗位信息表.xlsx', mode: ImportMode.allOrNothing }
  await app.db.transaction().execute(async trx => {
    const taskId = await beginTask(trx, taking, upload)
    await endTask(trx, taking, taskId, upload, outcome)
  })
}
