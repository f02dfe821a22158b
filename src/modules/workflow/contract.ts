import {
  type AnswerOf,
  count,
  dateTime,
  dict,
  either,
  endpoint,
  group,
  id,
  integer,
  list,
  longText,
  maybe,
  openGroup,
  optional,
  pageOf,
  paging,
  pick,
  rowOf,
  sometimes,
  text,
  truth,
  type Wire,
  words,
} from '#engine'
import { leave } from '#resources/workflow/leave'
import { flow, flowRun } from '#schemas/dictionaries'
import { Post } from '#schemas/system/post'
import { Role } from '#schemas/system/role'
import { FlowDeployment } from '#schemas/workflow/flow-deployment'
import { Leave as LeaveEntity } from '#schemas/workflow/leave'
import { mostBpmn } from './rules/bpmn.ts'

const instanceId = id('流程实例')
const taskId = id('任务')
const name = optional(text('流程名称', { minLength: 1, maxLength: 100 }))
const key = optional(text('流程标识', { minLength: 1, maxLength: 64 }))

const definitionNames = {
  category: optional(text('流程分类', { pattern: '^[0-9]{1,9}$' })),
  processDefinitionName: name,
  processDefinitionKey: key,
  // As older clients call them.
  name,
  key,
}

const definitionFilters = { ...paging, ...definitionNames, suspensionState: sometimes(words('状态', 1, 2)) }

const runFilters = {
  ...paging,
  ...definitionNames,
  processInstanceId: sometimes(instanceId),
  createTime_dategt: optional(dateTime('开始时间')),
  createTime_datelt: optional(dateTime('开始时间')),
  beginDate: optional(dateTime('开始时间')),
  endDate: optional(dateTime('开始时间')),
}

/** A deployed process. It has one number: its deployment and its definition are the same. */
const definitionShape = group({
  id: id('流程'),
  deploymentId: id('流程'),
  processDefinitionId: id('流程'),
  processDefinitionName: text('流程名称'),
  processDefinitionKey: text('流程标识'),
  name: text('流程名称'),
  key: text('流程标识'),
  ...pick(FlowDeployment, 'category', 'suspensionState', 'deployTime').of,
  version: count('版本'),
})

/** A run or one of its tasks. */
const runShape = group({
  taskId: maybe(taskId),
  taskName: maybe(text('任务名称')),
  processInstanceId: instanceId,
  processDefinitionId: id('流程'),
  processDefinitionKey: text('流程标识'),
  processDefinitionName: text('流程名称'),
  processDefinitionVersion: count('版本'),
  category: dict('流程分类', flow),
  businessTable: text('业务表'),
  businessId: text('业务'),
  assignee: maybe(id('办理人')),
  assigneeName: maybe(text('办理人')),
  starter: id('申请人'),
  starterName: maybe(text('申请人')),
  createTime: dateTime('开始时间'),
  endTime: maybe(dateTime('结束时间')),
  status: dict('流程进度', flowRun),
  processIsFinished: words('是否结束', 'finished', 'unfinished'),
})

/** A step of a run; of one that may follow only its id, name and kind. */
const stepShape = group({
  historyActivityId: text('步骤'),
  historyActivityName: text('步骤名称'),
  historyActivityType: text('步骤类型'),
  historyActivityDurationTime: sometimes(text('用时')),
  assignee: sometimes(maybe(id('办理人'))),
  assigneeName: sometimes(maybe(text('办理人'))),
  createTime: maybe(dateTime('开始时间')),
  endTime: maybe(dateTime('结束时间')),
  pass: sometimes(maybe(truth('是否同意'))),
  comment: sometimes(maybe(text('批复意见'))),
})

/** Processes that the caller may start. */
export const startable = endpoint('workflow.startable', 'GET /blade-flow/work/start-list', {
  title: '流程：可发起的',
  access: ['work_start'],
  query: definitionFilters,
  answer: pageOf(definitionShape),
})

/** Tasks that wait for one of several people. */
export const claimable = endpoint('workflow.claimable', 'GET /blade-flow/work/claim-list', {
  title: '流程：待签',
  access: ['work_claim'],
  query: runFilters,
  answer: pageOf(runShape),
})

/** Tasks that wait for the caller. */
export const waitingTasks = endpoint('workflow.waiting', 'GET /blade-flow/work/todo-list', {
  title: '流程：待办',
  access: ['work_todo'],
  query: runFilters,
  answer: pageOf(runShape),
})

/** Runs that the caller has started. */
export const ownRuns = endpoint('workflow.own', 'GET /blade-flow/work/send-list', {
  title: '流程：已发',
  access: ['work_send'],
  query: runFilters,
  answer: pageOf(runShape),
})

/** Tasks that the caller has done. */
export const doneTasks = endpoint('workflow.done', 'GET /blade-flow/work/done-list', {
  title: '流程：已办',
  access: ['work_done'],
  query: runFilters,
  answer: pageOf(runShape),
})

/** Claims a task that waits for one of several people. */
export const claim = endpoint('workflow.claim', 'POST /blade-flow/work/claim-task', {
  title: '流程任务：签收',
  access: ['work_claim_act'],
  query: { taskId },
})

/** Decides on a task. Older clients say `flag` (`ok` or `no`) for `pass`. */
export const completeTask = endpoint('workflow.complete', 'POST /blade-flow/work/complete-task', {
  title: '流程任务：办理',
  access: ['work_todo_act'],
  body: {
    taskId,
    processInstanceId: instanceId,
    taskName: optional(text('任务名称', { minLength: 1, maxLength: 100 })),
    businessId: optional(text('业务', { minLength: 1, maxLength: 64 })),
    businessTable: optional(text('业务表', { minLength: 1, maxLength: 64 })),
    pass: sometimes(either(truth('是否同意'), integer('是否同意'), text('是否同意'))),
    flag: optional(text('是否同意', { maxLength: 10 })),
    comment: optional(text('批复意见', { maxLength: 500 })),
    variables: sometimes(openGroup({})),
  },
})

/** All runs, for administrators. */
export const allRuns = endpoint('workflow.runs', 'GET /blade-flow/follow/list', {
  title: '流程：跟踪',
  access: ['flow_follow'],
  query: runFilters,
  answer: pageOf(runShape),
})

/** Ends a run before its time. */
export const endRun = endpoint('workflow.end', 'POST /blade-flow/follow/delete-process-instance', {
  title: '流程：终止',
  access: ['flow_follow_delete'],
  query: {
    processInstanceId: instanceId,
    deleteReason: text('终止原因', { minLength: 1, maxLength: 500, pattern: '\\S' }),
  },
})

const viewers = ['work_start', 'work_claim', 'work_todo', 'work_send', 'work_done', 'flow_follow', 'flow_manager']

/** The model of a run with the steps it has taken and those that may follow, or that of a deployed process. */
export const modelView = endpoint('workflow.view', 'GET /blade-flow/process/model-view', {
  title: '流程：流程图',
  access: viewers,
  query: { processInstanceId: sometimes(instanceId), processDefinitionId: sometimes(id('流程')) },
  answer: group({ xml: longText('BPMN XML'), flow: list(stepShape) }),
})

/** The steps that a run has taken. */
export const runHistory = endpoint('workflow.history', 'GET /blade-flow/process/history-flow-list', {
  title: '流程：流转记录',
  access: viewers,
  query: { processInstanceId: instanceId },
  answer: list(stepShape),
})

/** Adds or changes a model. */
export const submitModel = endpoint('workflow.submitModel', 'POST /blade-flow/model/submit', {
  title: '流程模型：新增或修改',
  access: ['flow_deployment_add', 'flow_deployment_edit'],
  // A model may be as large as other bodies altogether, and as JSON it is larger.
  bodyKB: (3 * mostBpmn) / 1024,
  values: {
    id: optional(id('编号')),
    ...pick(FlowDeployment, 'name', 'modelKey', 'category', 'tenantIds', 'description', 'xml').of,
  },
  answer: group({ id: id('流程模型') }),
})

/** What a model may name: roles and posts by the names that stand in models. */
export const modelChoices = endpoint('workflow.modelChoices', 'GET /blade-flow/model/choices', {
  title: '流程模型：可选内容',
  access: ['flow_deployment_add', 'flow_deployment_edit'],
  answer: group({
    roles: list(pick(Role, 'roleAlias', 'roleName')),
    posts: list(pick(Post, 'postCode', 'postName')),
  }),
})

/** Deploys a model as it was saved last. */
export const deployModel = endpoint('workflow.deploy', 'POST /blade-flow/model/deploy', {
  title: '流程模型：部署',
  access: ['flow_deployment_edit'],
  query: {
    modelId: sometimes(id('流程模型')),
    id: sometimes(id('流程模型')),
    category: optional(text('流程分类', { maxLength: 50 })),
    tenantIds: optional(text('租户', { maxLength: 500 })),
  },
})

/** Processes that have been deployed. */
export const deployedProcesses = endpoint('workflow.deployed', 'GET /blade-flow/manager/list', {
  title: '流程：部署',
  access: ['flow_manager'],
  query: definitionFilters,
  answer: pageOf(definitionShape),
})

/** Suspends or activates a deployed process. */
export const changeState = endpoint('workflow.changeState', 'POST /blade-flow/manager/change-state', {
  title: '流程部署：挂起与激活',
  access: ['flow_manager_change'],
  query: { processId: id('流程'), state: words('状态', '1', '2', 'active', 'suspend') },
})

/** Deploys models from files, all of them or none. */
export const uploadModels = endpoint('workflow.upload', 'POST /blade-flow/manager/deploy-upload', {
  title: '流程部署：上传',
  access: ['flow_manager_upload'],
  upload: { files: 10, KB: mostBpmn / 1024, fields: 10, fieldKB: 2 },
  values: { category: text('流程分类'), tenantIds: optional(text('租户')) },
})

/** Undeploys processes; with `cascade` and the caller's password, also those of which something runs. */
export const removeDeployments = endpoint('workflow.remove', 'POST /blade-flow/manager/delete-deployment', {
  title: '流程部署：删除',
  access: ['flow_manager_delete'],
  query: { deploymentIds: sometimes(text('编号')) },
  values: {
    deploymentIds: text('编号'),
    cascade: sometimes(truth('是否终止运行中的流程')),
    password: optional(text('密码')),
    keyId: optional(text('密钥')),
  },
})

const leaveFields = ['reason', 'startTime', 'endTime', 'taskUser', 'processDefinitionId'] as const

/** Applies for a leave. */
export const startLeave = endpoint('workflow.startLeave', 'POST /blade-desk/process/leave/start-process', {
  title: '请假：发起',
  access: ['work_start'],
  values: pick(LeaveEntity, ...leaveFields).of,
  answer: group({ id: id('请假'), processInstanceId: instanceId }),
})

/** A leave with who asked, who decides, and where its process stands. */
export const leaveDetail = endpoint('workflow.leave', 'GET /blade-desk/process/leave/detail', {
  title: '请假：详情',
  access: 'staff',
  values: { businessId: optional(id('请假')), id: optional(id('请假')) },
  answer: group({
    ...rowOf(leave).of,
    ...pick(LeaveEntity, ...leaveFields, 'processInstanceId', 'applyTime').of,
    createUserName: maybe(text('申请人')),
    taskUserName: maybe(text('审批人')),
    flow: group({
      processInstanceId: sometimes(instanceId),
      processDefinitionName: sometimes(text('流程名称')),
      status: sometimes(dict('流程进度', flowRun)),
      // Empty where no task waits.
      taskId: sometimes(maybe(taskId)),
      // That task, or the end that was reached.
      taskName: sometimes(text('任务名称')),
      // Empty until somebody claims it.
      assignee: sometimes(maybe(id('办理人'))),
      assigneeName: sometimes(maybe(text('办理人'))),
      endReason: sometimes(maybe(text('终止原因'))),
    }),
  }),
})

/** A run or one of its tasks. */
export type Run = Wire<typeof runShape>
/** A deployed process. */
export type Definition = Wire<typeof definitionShape>
/** A step of a run. */
export type Step = Wire<typeof stepShape>
/** A process with the steps it has taken. */
export type ModelView = AnswerOf<typeof modelView>
/** A leave with who asked, who decides, and where its process stands. */
export type Leave = AnswerOf<typeof leaveDetail>
