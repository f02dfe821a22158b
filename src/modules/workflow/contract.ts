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
  real,
  rowOf,
  sometimes,
  text,
  truth,
  type Wire,
  words,
} from '#engine'
import { leave } from '#resources/workflow/leave'
import { flow, flowPass, flowRun, flowTaskState } from '#schemas/dictionaries'
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
  title: optional(text('标题', { minLength: 1, maxLength: 200 })),
  incident: sometimes(words('是否异常', '1')),
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

/** A run or one of its tasks. A run names all its present steps, `会签（2/3）、财务`, and has its oldest open task. */
const runShape = group({
  taskId: maybe(taskId),
  taskName: maybe(text('任务名称')),
  title: text('标题'),
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
  passState: maybe(dict('审批结果', flowPass)),
  incident: maybe(text('异常')),
  dueTime: maybe(dateTime('到期时间')),
  overdue: truth('是否超时'),
  urgeCount: count('催办次数'),
  processIsFinished: words('是否结束', 'finished', 'unfinished'),
})

/** What people do with a task besides deciding. */
const actShape = group({
  act: text('操作'),
  fromUserName: maybe(text('操作人')),
  toUserName: maybe(text('对象')),
  comment: maybe(text('批复意见')),
  time: dateTime('操作时间'),
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
  taskId: sometimes(taskId),
  taskState: sometimes(dict('任务状态', flowTaskState)),
  acts: sometimes(list(actShape)),
  calledProcessInstanceId: sometimes(id('调用的流程实例')),
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
    copyUsers: sometimes(list(id('抄送人'))),
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
    // The version that was changed: another one since then is refused. Clients that do not say it change whatever is there.
    version: optional(count('版本')),
  },
  answer: group({ id: id('流程模型'), version: count('版本') }),
})

/** What a model may name, by the names that stand in models: roles, posts, forms, actions with their parameters, and processes. */
export const modelChoices = endpoint('workflow.modelChoices', 'GET /blade-flow/model/choices', {
  title: '流程模型：可选内容',
  access: ['flow_deployment_add', 'flow_deployment_edit'],
  answer: group({
    roles: list(pick(Role, 'roleAlias', 'roleName')),
    posts: list(pick(Post, 'postCode', 'postName')),
    forms: list(group({ key: text('表单标识'), title: text('名称') })),
    actions: list(
      group({
        name: text('动作'),
        title: text('名称'),
        fields: list(
          group({
            name: text('参数'),
            title: text('名称'),
            required: truth('是否必填'),
            // One or several people: their ids with commas, or an expression.
            isPeople: truth('是否人员'),
          }),
        ),
      }),
    ),
    processes: list(pick(FlowDeployment, 'modelKey', 'name', 'suspensionState')),
  }),
})

/** Deploys a model as it was saved last; where a version is given, that one and no other. */
export const deployModel = endpoint('workflow.deploy', 'POST /blade-flow/model/deploy', {
  title: '流程模型：部署',
  access: ['flow_deployment_edit'],
  query: {
    modelId: sometimes(id('流程模型')),
    id: sometimes(id('流程模型')),
    category: optional(text('流程分类', { maxLength: 50 })),
    tenantIds: optional(text('租户', { maxLength: 500 })),
    version: optional(text('版本', { pattern: '^[0-9]{1,9}$' })),
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

/** A field of a form that a model describes by itself. */
const formFieldShape = group({
  id: text('字段'),
  name: text('名称'),
  type: words('类型', 'string', 'long', 'double', 'boolean', 'date', 'enum', 'file'),
  required: truth('是否必填'),
  readable: truth('是否可见'),
  writable: truth('是否可填'),
  default: sometimes(text('默认值')),
  values: sometimes(list(group({ id: text('选项'), name: text('名称') }))),
})

/** What is filled in: `key` names an entity whose form pages have, else `fields` are the form. */
const formShape = group({
  key: maybe(text('表单')),
  fields: list(formFieldShape),
  // By the names of the fields; those of an entity are its row.
  values: openGroup({}),
})

/** What somebody fills in to begin a process, and for which steps the person is picked. */
export const startForm = endpoint('workflow.startForm', 'GET /blade-flow/process/start-form', {
  title: '流程：发起表单',
  access: ['work_start'],
  query: { processDefinitionId: id('流程') },
  answer: group({
    processDefinitionId: id('流程'),
    processDefinitionKey: text('流程标识'),
    processDefinitionName: text('流程名称'),
    category: dict('流程分类', flow),
    version: count('版本'),
    form: formShape,
    // By the variable that takes the person.
    chosen: list(group({ name: text('变量'), taskName: text('任务名称'), several: truth('是否多人') })),
  }),
})

/** Begins a process of any model. */
export const startRun = endpoint('workflow.start', 'POST /blade-flow/process/start-process', {
  title: '流程：发起',
  access: ['work_start'],
  body: {
    processDefinitionId: id('流程'),
    title: optional(text('标题', { maxLength: 200 })),
    form: sometimes(openGroup({})),
    chosen: sometimes(openGroup({})),
    copyUsers: sometimes(list(id('抄送人'))),
  },
  answer: group({ processInstanceId: instanceId, businessId: id('业务') }),
})

const signKind = words('加签方式', 'before', 'after', 'parallel')

/** A task that is open, or was done by the caller and can be taken back. */
const openTaskShape = group({
  taskId,
  taskName: text('任务名称'),
  activityId: text('步骤'),
  state: dict('任务状态', flowTaskState),
  assignee: maybe(id('办理人')),
  assigneeName: maybe(text('办理人')),
  // Names of people, roles, departments and posts that may claim it.
  candidates: list(text('候选人')),
  createTime: dateTime('开始时间'),
  dueTime: maybe(dateTime('到期时间')),
  overdue: truth('是否超时'),
  urgeCount: count('催办次数'),
  parentTask: maybe(id('上级任务')),
  signKind: maybe(signKind),
})

/** One of the caller's tasks, with what may be done with it. */
const ownTaskShape = group({
  ...openTaskShape.of,
  form: formShape,
  documentation: maybe(text('说明')),
  acts: list(
    words(
      '操作',
      'claim',
      'unclaim',
      'complete',
      'back',
      'transfer',
      'delegate',
      'resolve',
      'signBefore',
      'signAfter',
      'signParallel',
      'withdraw',
    ),
  ),
  // Whether a refusal ends the run, because nothing in the model asks for it.
  refusalEnds: truth('不同意是否结束流程'),
  // Those whom the caller has asked to sign, and who have not yet.
  signs: list(openTaskShape),
})

/** A run with its form, its open tasks, and what the caller may do. */
export const runDetail = endpoint('workflow.detail', 'GET /blade-flow/process/detail', {
  title: '流程：详情',
  access: viewers,
  query: { processInstanceId: instanceId },
  answer: group({
    processInstanceId: instanceId,
    parentProcessInstanceId: maybe(instanceId),
    title: text('标题'),
    processDefinitionId: id('流程'),
    processDefinitionKey: text('流程标识'),
    processDefinitionName: text('流程名称'),
    processDefinitionVersion: count('版本'),
    category: dict('流程分类', flow),
    businessTable: text('业务表'),
    businessId: id('业务'),
    starter: id('申请人'),
    starterName: maybe(text('申请人')),
    createTime: dateTime('开始时间'),
    endTime: maybe(dateTime('结束时间')),
    status: dict('流程进度', flowRun),
    passState: maybe(dict('审批结果', flowPass)),
    endReason: maybe(text('终止原因')),
    incident: maybe(text('异常')),
    form: formShape,
    open: list(openTaskShape),
    tasks: list(ownTaskShape),
    acts: list(words('操作', 'cancel', 'urge', 'end', 'retry', 'transfer', 'variable', 'continue')),
  }),
})

const comment = optional(text('批复意见', { maxLength: 500 }))
const doing = { access: ['work_todo_act'] }

/** Gives a claimed task back to whoever could claim it. */
export const unclaim = endpoint('workflow.unclaim', 'POST /blade-flow/work/unclaim-task', {
  title: '流程任务：取消签收',
  access: ['work_claim_act'],
  body: { taskId },
})

/** Steps that a task can be sent back to. */
export const backTargets = endpoint('workflow.backTargets', 'GET /blade-flow/work/back-targets', {
  title: '流程任务：可退回的步骤',
  ...doing,
  query: { taskId },
  answer: list(
    group({
      activityId: text('步骤'),
      name: text('步骤名称'),
      isStart: truth('是否发起人修改'),
      assigneeName: maybe(text('办理人')),
    }),
  ),
})

/** Sends a task back. */
export const backTask = endpoint('workflow.back', 'POST /blade-flow/work/back-task', {
  title: '流程任务：退回',
  ...doing,
  body: {
    taskId,
    targetActivityId: text('目标步骤', { minLength: 1, maxLength: 255 }),
    comment,
    direct: sometimes(truth('是否直送')),
  },
})

/** Gives a task to somebody else. */
export const transferTask = endpoint('workflow.transfer', 'POST /blade-flow/work/transfer-task', {
  title: '流程任务：转办',
  access: ['work_todo_act', 'flow_follow_delete'],
  body: { taskId, userId: id('转办人'), comment },
})

/** Asks somebody else to look at a task, who gives it back. */
export const delegateTask = endpoint('workflow.delegate', 'POST /blade-flow/work/delegate-task', {
  title: '流程任务：委派',
  ...doing,
  body: { taskId, userId: id('委派人'), comment },
})

/** Gives a task back to who asked to look at it. */
export const resolveTask = endpoint('workflow.resolve', 'POST /blade-flow/work/resolve-task', {
  title: '流程任务：办结委派',
  ...doing,
  body: { taskId, comment },
})

/** Asks others to sign, too. Who asks them to come after decides with it. */
export const addSign = endpoint('workflow.addSign', 'POST /blade-flow/work/add-sign', {
  title: '流程任务：加签',
  ...doing,
  body: {
    taskId,
    userIds: list(id('加签人')),
    kind: signKind,
    comment,
    pass: sometimes(truth('是否同意')),
    variables: sometimes(openGroup({})),
  },
})

/** Takes back that somebody was asked to sign, too. */
export const removeSign = endpoint('workflow.removeSign', 'POST /blade-flow/work/remove-sign', {
  title: '流程任务：减签',
  ...doing,
  body: { taskId, comment },
})

/** Takes a decision of one's own back. */
export const withdrawTask = endpoint('workflow.withdraw', 'POST /blade-flow/work/withdraw-task', {
  title: '流程任务：撤回',
  ...doing,
  body: { taskId, comment },
})

/** Ends a run of one's own before anybody has decided. */
export const cancelRun = endpoint('workflow.cancel', 'POST /blade-flow/process/cancel-process-instance', {
  title: '流程：撤销',
  access: ['work_start', 'work_send'],
  body: { processInstanceId: instanceId, reason: text('撤销原因', { minLength: 1, maxLength: 500, pattern: '\\S' }) },
})

/** Asks whoever has something to do in a run to hurry. */
export const urge = endpoint('workflow.urge', 'POST /blade-flow/process/urge', {
  title: '流程：催办',
  access: ['work_send', 'flow_follow'],
  body: { processInstanceId: instanceId },
})

/** Runs that the caller is told of. */
export const copies = endpoint('workflow.copies', 'GET /blade-flow/work/copy-list', {
  title: '流程：抄送我的',
  access: viewers,
  query: { ...runFilters, isRead: sometimes(words('是否已读', '0', '1')) },
  answer: pageOf(group({ ...runShape.of, readTime: maybe(dateTime('阅读时间')) })),
})

/** Marks a run that the caller is told of as read. */
export const readCopy = endpoint('workflow.readCopy', 'POST /blade-flow/work/read-copy', {
  title: '流程：抄送已读',
  access: viewers,
  body: { processInstanceId: instanceId },
})

const correcting = { access: ['flow_follow_delete'] }

/** Lets what keeps a run from going on be tried again. */
export const retryRun = endpoint('workflow.retry', 'POST /blade-flow/follow/retry', {
  title: '流程：重试',
  ...correcting,
  body: { processInstanceId: instanceId },
})

/** Sets a variable of a run, so that it can go on. */
export const setVariable = endpoint('workflow.setVariable', 'POST /blade-flow/follow/set-variable', {
  title: '流程：更正变量',
  ...correcting,
  body: {
    processInstanceId: instanceId,
    name: text('变量', { minLength: 1, maxLength: 64 }),
    value: either(truth('变量值'), real('变量值'), text('变量值', { maxLength: 2000 })),
  },
})

/** Lets a run go on that waits to be told so. */
export const continueRun = endpoint('workflow.continue', 'POST /blade-flow/follow/continue', {
  title: '流程：继续',
  ...correcting,
  body: { processInstanceId: instanceId, activityId: text('目标步骤', { minLength: 1, maxLength: 255 }) },
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
/** Everything about a run, with what the caller may do. */
export type RunDetail = AnswerOf<typeof runDetail>
