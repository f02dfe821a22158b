import { type Entity, type Resource, stepsOf, type View } from '#engine'
import * as schemas from '../schemas/all.ts'
import * as log from './audit/index.ts'
import * as develop from './development/index.ts'
import * as exam from './exams/index.ts'
import * as job from './jobs/index.ts'
import * as send from './messages/index.ts'
import * as notice from './notices/index.ts'
import type {} from './parts.ts'
import * as pay from './payment/index.ts'
import * as publicity from './publicity/index.ts'
import * as reduction from './reduction/index.ts'
import * as report from './report/index.ts'
import * as resource from './resource/index.ts'
import * as result from './results/index.ts'
import * as signUp from './sign-up/index.ts'
import * as system from './system/index.ts'
import * as ticket from './tickets/index.ts'
import * as webhooks from './webhooks/index.ts'
import * as workbook from './workbook/index.ts'
import * as flow from './workflow/index.ts'

/** A page written by hand that stands in the menu beside the screens of its module. */
export interface PageEntry {
  readonly code: string
  readonly title: string
  readonly path: string
  /** Button permissions of the page beyond opening it. */
  readonly buttons?: readonly { readonly code: string; readonly label: string }[]
}

/** One branch of the console's menu. */
export interface Module {
  readonly code: string
  readonly title: string
  readonly path: string
  /** Name of an icon. */
  readonly icon: string
  readonly pages?: readonly PageEntry[]
  readonly resources: readonly Resource[]
  /** Further screens on the rows of resources; they stand above these in the menu. */
  readonly views: readonly View[]
}

const entities = new Map(
  Object.values<object>(schemas).flatMap(one => ('properties' in one ? [[(one as Entity).name, one as Entity]] : [])),
)

/**
 * All resources and views of a folder: those named come first, in that order, the others follow. A resource knows entities it
 * refers to by name only; here its columns, and those of its views, learn where they lead.
 */
function listed<All extends object>(
  all: All,
  ...first: readonly (keyof All)[]
): { resources: readonly Resource[]; views: readonly View[] } {
  const found = new Set([...first.map(name => all[name] as object), ...(Object.values(all) as object[])])
  const screens = [...found].filter(isResource)
  for (const one of screens)
    Object.assign(
      one.steps,
      stepsOf(one, name => entities.get(name)),
    )
  return { resources: screens.filter(one => one.view === null), views: screens.filter(isView) }
}

const isResource = (one: object): one is Resource => 'entity' in one
const isView = (one: Resource): one is View => one.view !== null

/** The table of contents: every module of the console with its resources, in the order of the menu. */
export const modules: readonly Module[] = [
  {
    code: 'exam',
    title: '考试管理',
    path: '/exam',
    icon: 'exam',
    ...listed(
      { ...exam, ...workbook },
      'examination',
      'examitems',
      'examinationitem',
      'items',
      'examsignitems',
      'examsignfiles',
      'examuser',
      'typecode',
      'usercode',
      'school',
      'examroom',
    ),
  },
  {
    code: 'examine',
    title: '报名审核',
    path: '/examine',
    icon: 'audit',
    pages: [
      {
        code: 'examine_list',
        title: '待审核',
        path: '/examine/list',
        buttons: [
          { code: 'examine_act', label: '审核' },
          { code: 'examine_revoke', label: '撤销审核' },
        ],
      },
      { code: 'examine_done', title: '已审核', path: '/examine/done' },
      {
        code: 'examine_review',
        title: '复审',
        path: '/examine/review',
        buttons: [{ code: 'examine_recheck', label: '复审' }],
      },
      { code: 'examine_move', title: '改报审核', path: '/examine/move' },
    ],
    ...listed(signUp, 'signup', 'examinetip', 'examinelog', 'signuplog'),
  },
  {
    code: 'reduction',
    title: '岗位核减',
    path: '/reduction',
    icon: 'reduction',
    pages: [
      {
        code: 'reduction_post',
        title: '核减处理',
        path: '/reduction/post',
        buttons: [
          { code: 'reduction_decide', label: '核减处理' },
          { code: 'reduction_confirm', label: '确认核减' },
        ],
      },
    ],
    ...listed(reduction, 'postreductionname', 'postreduction'),
  },
  {
    code: 'pay',
    title: '缴费财务',
    path: '/pay',
    icon: 'pay',
    pages: [{ code: 'pay_statistics', title: '缴费统计', path: '/pay/statistics' }],
    ...listed(
      pay,
      'exampay',
      'payrecordmain',
      'payrecord',
      'payorder',
      'payrefund',
      'reconciliation',
      'reconciliationitem',
      'exportpaymain',
      'exportpay',
      'pay',
    ),
  },
  {
    code: 'ticket',
    title: '考场准考证',
    path: '/ticket',
    icon: 'ticket',
    pages: [
      {
        code: 'allot',
        title: '编排',
        path: '/ticket/allot',
        buttons: [
          { code: 'allot_act', label: '编排操作' },
          { code: 'allot_release', label: '准考证发布' },
        ],
      },
      {
        code: 'checkin',
        title: '签到',
        path: '/ticket/checkin',
        buttons: [
          { code: 'checkin_act', label: '签到登记' },
          { code: 'checkin_appoint', label: '安排监考' },
        ],
      },
    ],
    ...listed(ticket, 'examinationticket', 'ticketnotice', 'ticketremark'),
  },
  {
    code: 'result_menu',
    title: '成绩',
    path: '/result',
    icon: 'result',
    pages: [
      {
        code: 'result_final',
        title: '入围与总成绩',
        path: '/result/final',
        buttons: [
          { code: 'result_next', label: '生成入围' },
          { code: 'result_final_export', label: '导出' },
        ],
      },
      {
        code: 'result_vacancy',
        title: '空缺递补',
        path: '/result/vacancy',
        buttons: [{ code: 'result_promote', label: '提出递补' }],
      },
    ],
    ...listed(result, 'result', 'resultappeal', 'promotion'),
  },
  {
    code: 'publicity_menu',
    title: '公示异议',
    path: '/publicity',
    icon: 'list',
    ...listed(publicity, 'publicity', 'objection', 'publicityrow', 'workday'),
  },
  {
    code: 'statistics_menu',
    title: '统计',
    path: '/statistics',
    icon: 'statistics',
    pages: [
      {
        code: 'statistics',
        title: '报名统计',
        path: '/statistics/index',
        buttons: [{ code: 'statistics_export', label: '导出' }],
      },
      { code: 'statistics_screen', title: '大屏', path: '/statistics/screen' },
    ],
    resources: [],
    views: [],
  },
  {
    code: 'notice_menu',
    title: '通知公告',
    path: '/notice',
    icon: 'notice',
    ...listed(notice, 'notice', 'noticefile', 'noticeread', 'notifyread', 'news', 'files'),
  },
  {
    code: 'send_menu',
    title: '消息发送',
    path: '/send',
    icon: 'send',
    pages: [{ code: 'send_cost', title: '短信费用', path: '/send/cost' }],
    ...listed(send, 'send', 'sendmessage', 'delivery', 'sendpackages', 'sendpay', 'sendledger'),
  },
  {
    code: 'system',
    title: '系统',
    path: '/system',
    icon: 'system',
    pages: [{ code: 'system_health', title: '系统健康', path: '/system/health' }],
    ...listed(
      system,
      'user',
      'userupdateinfo',
      'datarequest',
      'idclaim',
      'role',
      'dept',
      'post',
      'menu',
      'topmenu',
      'dict',
      'dictBiz',
      'param',
      'region',
      'dataScope',
      'apiScope',
      'client',
      'oauthSource',
      'tenant',
      'tenantPackage',
      'savedview',
    ),
  },
  {
    code: 'resource',
    title: '资源',
    path: '/resource',
    icon: 'resource',
    ...listed(resource, 'attach', 'sms', 'mail', 'wechat', 'oss'),
  },
  {
    code: 'job',
    title: '任务',
    path: '/job',
    icon: 'job',
    ...listed(
      job,
      'jobInfo',
      'jobWorkflow',
      'jobInstance',
      'jobWorkflowRun',
      'jobLog',
      'jobServer',
      'workItem',
      'jobWorkflowNode',
      'jobWorkflowStep',
    ),
  },
  {
    code: 'work',
    title: '流程',
    path: '/flow',
    icon: 'flow',
    pages: [
      { code: 'work_start', title: '发起', path: '/work/start' },
      { code: 'work_claim', title: '待签', path: '/work/claim', buttons: [{ code: 'work_claim_act', label: '签收' }] },
      { code: 'work_todo', title: '待办', path: '/work/todo', buttons: [{ code: 'work_todo_act', label: '办理' }] },
      { code: 'work_send', title: '我发起的', path: '/work/send' },
      { code: 'work_done', title: '已办', path: '/work/done' },
      { code: 'work_copy', title: '抄送我的', path: '/work/copy' },
      {
        code: 'flow_manager',
        title: '部署',
        path: '/flow/manager',
        buttons: [
          { code: 'flow_manager_upload', label: '上传部署' },
          { code: 'flow_manager_change', label: '挂起与激活' },
          { code: 'flow_manager_delete', label: '删除' },
        ],
      },
      {
        code: 'flow_follow',
        title: '跟踪',
        path: '/flow/follow',
        buttons: [{ code: 'flow_follow_delete', label: '终止' }],
      },
    ],
    ...listed(flow, 'flowDeployment', 'leave', 'expense'),
  },
  {
    code: 'develop',
    title: '开发',
    path: '/develop',
    icon: 'develop',
    ...listed({ ...develop, ...webhooks }, 'code', 'datasource', 'model', 'modelPrototype', 'hook', 'hookdelivery'),
  },
  { code: 'report_menu', title: '报表', path: '/report', icon: 'report', ...listed(report, 'report') },
  {
    code: 'log',
    title: '日志',
    path: '/log',
    icon: 'log',
    ...listed(log, 'logUsual', 'logApi', 'logError', 'auditlog'),
  },
]

/** Every resource as it is defined, for what is typed by a resource. */
export type Resources = typeof develop &
  typeof exam &
  typeof flow &
  typeof job &
  typeof log &
  typeof notice &
  typeof pay &
  typeof publicity &
  typeof reduction &
  typeof report &
  typeof resource &
  typeof result &
  typeof send &
  typeof signUp &
  typeof system &
  typeof ticket &
  typeof webhooks &
  typeof workbook

/** What the files of the folders define, by the names of their constants. */
export const constants: Readonly<Record<string, object>> = {
  ...develop,
  ...exam,
  ...flow,
  ...job,
  ...log,
  ...notice,
  ...pay,
  ...publicity,
  ...reduction,
  ...report,
  ...resource,
  ...result,
  ...send,
  ...signUp,
  ...system,
  ...ticket,
  ...webhooks,
}

/** Every resource. */
export const resources: readonly Resource[] = modules.flatMap(module => module.resources)

/** Every view. */
export const views: readonly View[] = modules.flatMap(module => module.views)
