/** Dictionaries of jobs, workflow, logs, files and tools. */
import { dictionary, wordDictionary } from '#engine'

export const logType = dictionary('log_type', '日志类型', { operation: [1, '操作日志'], login: [2, '登录日志'] })
export const LogType = logType.names

export const jobTimeType = dictionary('job_time_type', '定时类型', {
  api: [1, 'API'],
  cron: [2, 'CRON'],
  fixedRate: [3, '固定频率(毫秒)'],
  fixedDelay: [4, '固定延迟(毫秒)'],
  workflow: [5, '工作流'],
  dailyInterval: [11, '每日固定间隔'],
})
export const JobTimeType = jobTimeType.names

export const jobExecuteType = dictionary('job_execute_type', '执行类型', {
  standalone: [1, '单机执行'],
  broadcast: [2, '广播执行'],
  mapReduce: [3, 'MapReduce'],
  map: [4, 'Map'],
})
export const JobExecuteType = jobExecuteType.names

export const jobProcessor = dictionary('job_processor', '处理器类型', {
  builtIn: [1, '内建'],
  shell: [2, 'Shell(旧)', 'sealed'],
  python: [3, 'Python(旧)', 'sealed'],
  external: [4, '外部(动态加载)'],
})
export const JobProcessor = jobProcessor.names

export const jobDispatch = dictionary('job_dispatch', '派发策略', {
  healthFirst: [1, '健康度优先'],
  random: [2, '随机'],
  specified: [11, '指定', 'sealed'],
})
export const JobDispatch = jobDispatch.names

export const jobEnable = dictionary('job_enable', '任务状态', { paused: [0, '暂停'], enabled: [1, '启用'] })
export const JobEnable = jobEnable.names

/** Who keeps the time of jobs and does their work. */
export const jobServerType = dictionary('job_server_type', '任务服务类型', {
  builtIn: [1, '内置', 'sealed'],
  powerJob: [2, 'PowerJob'],
  webhook: [3, 'Webhook'],
})
export const JobServerType = jobServerType.names

export const jobServerState = dictionary('job_server_state', '任务服务状态', {
  normal: [1, '正常'],
  unreachable: [2, '不可达'],
  wrongPassword: [3, '口令错误'],
})
export const JobServerState = jobServerState.names

/** How a job here stands to the one that a job server of its own has. */
export const jobSyncState = dictionary('job_sync_state', '同步状态', {
  synced: [1, '已同步'],
  unsynced: [2, '未同步'],
  conflict: [3, '冲突'],
  removed: [4, '对方已删除'],
})
export const JobSyncState = jobSyncState.names

export const jobLogType = dictionary('job_log_type', '日志类型', {
  online: [1, '在线日志'],
  local: [2, '本地日志'],
  stdout: [3, '标准输出'],
  localAndOnline: [4, '本地+在线'],
  none: [999, '无'],
})
export const JobLogType = jobLogType.names

export const jobLogLevel = dictionary('job_log_level', '日志级别', {
  debug: [1, 'DEBUG'],
  info: [2, 'INFO'],
  warn: [3, 'WARN'],
  error: [4, 'ERROR'],
  off: [99, 'OFF'],
})
export const JobLogLevel = jobLogLevel.names

export const jobInstanceStatus = dictionary('job_instance_status', '任务实例状态', {
  waiting: [1, '等待派发'],
  dispatched: [2, '等待Worker接收'],
  running: [3, '运行中'],
  failed: [4, '失败'],
  succeeded: [5, '成功'],
  cancelled: [9, '取消'],
  stopped: [10, '手动停止'],
})
export const JobInstanceStatus = jobInstanceStatus.names

/** What a run of a job was begun by. */
export const jobTrigger = dictionary('job_trigger', '触发方式', {
  schedule: [1, '定时'],
  manual: [2, '手动'],
  workflow: [3, '工作流'],
})
export const JobTrigger = jobTrigger.names

/** When a workflow of jobs runs. The keys are those of {@link jobTimeType}. */
export const jobWorkflowTime = dictionary('job_workflow_time', '工作流定时', { api: [1, 'API'], cron: [2, 'CRON'] })

/** How a node of a workflow of jobs stands in a run. */
export const jobStepState = dictionary('job_step_state', '节点状态', {
  waiting: [1, '等待'],
  running: [3, '运行中'],
  failed: [4, '失败'],
  succeeded: [5, '成功'],
  skipped: [6, '跳过'],
  cancelled: [9, '未执行'],
  stopped: [10, '手动停止'],
})
export const JobStepState = jobStepState.names

/** Kinds of work in the background that the product has itself. */
export const workKind = wordDictionary('work_kind', '后台工作类型', {
  export: '导出',
  'exam.archive': '整场归档',
  'job.run': '任务运行',
  'job.task': '任务分片',
  'sms.send': '消息发送',
  'sms.again': '结果不明的短信再发',
  'flow.timer': '流程定时',
  'flow.call': '流程外部调用',
  'flow.resume': '流程继续',
  'review.tell': '告知审核结果',
  'publicity.files': '生成公示文件',
  'privacy.purge': '清除资料',
})

export const workState = dictionary('work_state', '后台工作状态', {
  waiting: [1, '等待'],
  running: [3, '运行'],
  failed: [4, '失败'],
  done: [5, '完成'],
  cancelled: [9, '取消'],
})
export const WorkState = workState.names

export const flow = dictionary('flow', '流程分类', {
  leave: [1, '请假流程'],
  expense: [2, '报销流程'],
  business: [3, '业务流程'],
})
export const FlowCategory = flow.names

/** What money of a claim was spent on. */
export const expenseKind = dictionary('expense_kind', '报销类别', {
  travel: [1, '交通费'],
  lodging: [2, '住宿'],
  meals: [3, '餐饮'],
  office: [4, '办公用品'],
  other: [9, '其他'],
})
export const ExpenseKind = expenseKind.names

export const flowState = dictionary('flow_state', '流程状态', { active: [1, '激活'], suspended: [2, '挂起'] })
export const FlowState = flowState.names

/** Until when whoever has begun a process may take it back. */
export const flowCancel = dictionary('flow_cancel', '撤销时限', {
  untilDecided: [1, '首次办理前'],
  always: [2, '结束前随时'],
})
export const FlowCancel = flowCancel.names

/** Where a run of a process stands. */
export const flowRun = dictionary('flow_run', '流程进度', {
  running: [1, '运行中'],
  finished: [2, '已完成'],
  terminated: [3, '已终止'],
})
export const FlowRun = flowRun.names

/** How the people of a process have decided in the end. */
export const flowPass = dictionary('flow_pass', '审批结果', { agreed: [1, '同意'], refused: [2, '驳回'] })
export const FlowPass = flowPass.names

/** Where a task of a process stands. */
export const flowTaskState = dictionary('flow_task_state', '任务状态', {
  claimable: [1, '待签'],
  open: [2, '待办'],
  delegated: [3, '委派中'],
  consulting: [4, '待加签'],
  done: [5, '已办'],
  returned: [6, '已退回'],
  withdrawn: [7, '已撤回'],
  cancelled: [8, '已取消'],
})
export const FlowTaskState = flowTaskState.names

export const oss = dictionary('oss', '对象存储', {
  minio: [1, 'MinIO'],
  qiniu: [2, '七牛云'],
  aliyun: [3, '阿里云'],
  tencent: [4, '腾讯云'],
  local: [5, '本地'],
})
export const OssVendor = oss.names

export const sms = dictionary('sms', '短信渠道', {
  yunpian: [1, '云片'],
  qiniu: [2, '七牛云'],
  aliyun: [3, '阿里云'],
  tencent: [4, '腾讯云'],
  simulated: [9, '模拟'],
})
export const SmsVendor = sms.names

export const driverClass = wordDictionary('driver_class', '数据库驱动', { 'org.postgresql.Driver': 'PostgreSQL' })

export const datasourceCategory = dictionary('datasource_category', '数据源类型', { ordinary: [1, '普通数据源'] })
export const DatasourceCategory = datasourceCategory.names

export const templateType = wordDictionary('template_type', '生成模板', { crud: '单表', sub: '主子表', tree: '树表' })

export const codeTarget = wordDictionary('code_target', '生成目标', { saber: 'Saber', juxian: '聚贤' })

export const componentType = wordDictionary('component_type', '组件类型', {
  input: '单行',
  textarea: '多行',
  number: '数字',
  select: '下拉',
  radio: '单选',
  date: '日期',
  datetime: '日期时间',
  upload: '上传',
})

export const queryType = wordDictionary('query_type', '查询方式', {
  eq: '等于',
  like: '模糊',
  ge: '大于等于',
  le: '小于等于',
  between: '区间',
})

export const taskStatus = dictionary('task_status', '任务状态', {
  queued: [0, '排队'],
  running: [1, '处理中'],
  done: [2, '完成'],
  failed: [3, '失败'],
  cancelled: [4, '已取消'],
})
export const TaskStatus = taskStatus.names

export const importMode = dictionary('import_mode', '导入方式', {
  allOrNothing: [1, '全部正确才导入'],
  validRows: [2, '导入正确行'],
})
export const ImportMode = importMode.names

export const auditOutcome = dictionary('audit_outcome', '审计结果', {
  success: [1, '成功'],
  failure: [2, '失败'],
  denied: [3, '拒绝'],
})
export const AuditOutcome = auditOutcome.names

export const attachOwner = wordDictionary('attach_owner', '附件归属', {
  avatar: '头像',
  card: '证件',
  signup: '报名附件',
  photo: '证件照',
  ticketpic: '准考证材料',
  notice: '公告',
  news: '新闻',
  files: '文件',
  voucher: '凭证',
  invoice: '票据',
  bill: '账单',
  task: '任务文件',
  approval: '批文',
  flow: '流程附件',
  publicity: '公示文件',
  objection: '异议材料',
  purge: '清除记录',
})

export const attachVisible = dictionary('attach_visible', '附件可见', {
  public: [1, '公开'],
  signedIn: [2, '登录可见'],
  ownerAndStaff: [3, '归属人与授权人员'],
})
export const AttachVisible = attachVisible.names

export const scanState = dictionary('scan_state', '安全检查', {
  pending: [0, '待查'],
  clean: [1, '通过'],
  blocked: [2, '拦截'],
})
export const ScanState = scanState.names

export const importBiz = wordDictionary('import_biz', '导入业务', {
  position: '岗位',
  school: '考点考场',
  college: '院校',
  result: '成绩',
  ticket: '准考证',
  message: '短信名单',
  payexempt: '免缴名单',
  user: '用户',
  namelist: '人员名单',
})

export const auditEvent = wordDictionary('audit_event', '审计事件', {
  login: '登录',
  loginFail: '登录失败',
  logout: '退出',
  password: '密码变更',
  grant: '授权',
  disable: '停用账号',
  export: '导出',
  reveal: '查看敏感信息',
  examine: '审核',
  refund: '退款',
  void: '作废',
  release: '发布与撤回',
  denied: '越权访问',
  param: '参数变更',
  dict: '字典变更',
  account: '账号变更',
  tenant: '租户变更',
  config: '配置变更',
  attend: '签到登记',
  alarm: '异常告警',
  purge: '清除个人信息',
})

export const hookAlgorithm = dictionary('hook_algorithm', '推送签名算法', {
  sha256: [1, 'HMAC-SHA256'],
  sm3: [2, 'HMAC-SM3'],
})
export const HookAlgorithm = hookAlgorithm.names

export const hookOrder = dictionary('hook_order', '推送顺序', {
  subject: [1, '同一业务数据按顺序'],
  strict: [2, '全部按顺序'],
})
export const HookOrder = hookOrder.names

export const hookStatus = dictionary('hook_status', '推送状态', {
  disabled: [0, '停用'],
  enabled: [1, '启用'],
  switchedOff: [2, '自动停用'],
})
export const HookStatus = hookStatus.names

export const hookDeliveryStatus = dictionary('hook_delivery_status', '推送结果', {
  waiting: [0, '待推送'],
  sending: [1, '推送中'],
  delivered: [2, '已送达'],
  givenUp: [3, '未送达'],
})
export const HookDeliveryStatus = hookDeliveryStatus.names

export const mailSecurity = dictionary('mail_security', '邮件加密方式', {
  tls: [1, 'TLS'],
  startTls: [2, 'STARTTLS'],
  none: [3, '不加密'],
})
export const MailSecurity = mailSecurity.names

/** Ways to people beside their inbox. */
export const messageChannel = wordDictionary('message_channel', '消息渠道', {
  sms: '短信',
  mail: '邮件',
  wechat: '微信',
})

export const deliveryState = dictionary('delivery_state', '投递状态', {
  waiting: [0, '待发'],
  underWay: [1, '发送中'],
  taken: [2, '已受理'],
  arrived: [3, '已送达'],
  failed: [4, '失败'],
  cancelled: [5, '已取消'],
  late: [6, '已过时'],
  unknown: [7, '结果不明'],
})
export const DeliveryState = deliveryState.names
