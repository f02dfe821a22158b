/** Dictionaries of jobs, workflow, logs, files and tools. */
import { dictionary, wordDictionary } from '#engine'

export const logType = dictionary('log_type', '日志类型', { 1: '操作日志', 2: '登录日志' })

export const jobTimeType = dictionary('job_time_type', '定时类型', {
  1: 'API',
  2: 'CRON',
  3: '固定频率(毫秒)',
  4: '固定延迟(毫秒)',
  5: '工作流',
})

export const jobExecuteType = dictionary('job_execute_type', '执行类型', {
  1: '单机执行',
  2: '广播执行',
  3: 'MapReduce',
})

export const jobProcessor = dictionary('job_processor', '处理器类型', { 1: '内建', 4: '外部(动态加载)' })

export const jobDispatch = dictionary('job_dispatch', '派发策略', { 1: '健康度优先', 2: '随机' })

export const jobEnable = dictionary('job_enable', '任务状态', { 0: '暂停', 1: '启用' })

export const jobLogType = dictionary('job_log_type', '日志类型', {
  1: '在线日志',
  2: '本地日志',
  3: '标准输出',
  4: '本地+在线',
  999: '无',
})

export const jobLogLevel = dictionary('job_log_level', '日志级别', {
  1: 'DEBUG',
  2: 'INFO',
  3: 'WARN',
  4: 'ERROR',
  99: 'OFF',
})

export const jobInstanceStatus = dictionary('job_instance_status', '任务实例状态', {
  1: '等待派发',
  2: '等待Worker接收',
  3: '运行中',
  4: '失败',
  5: '成功',
  9: '取消',
  10: '手动停止',
})

/** What a run of a job was begun by. */
export const jobTrigger = dictionary('job_trigger', '触发方式', { 1: '定时', 2: '手动' })

export const flow = dictionary('flow', '流程分类', { 1: '请假流程', 2: '报销流程', 3: '业务流程' })

export const flowState = dictionary('flow_state', '流程状态', { 1: '激活', 2: '挂起' })

/** Where a run of a process stands. */
export const flowRun = dictionary('flow_run', '流程进度', { 1: '运行中', 2: '已完成', 3: '已终止' })

export const oss = dictionary('oss', '对象存储', { 1: 'MinIO', 2: '七牛云', 3: '阿里云', 4: '腾讯云', 5: '本地' })

export const sms = dictionary('sms', '短信渠道', { 1: '云片', 2: '七牛云', 3: '阿里云', 4: '腾讯云', 9: '模拟' })

export const driverClass = wordDictionary('driver_class', '数据库驱动', { 'org.postgresql.Driver': 'PostgreSQL' })

export const datasourceCategory = dictionary('datasource_category', '数据源类型', { 1: '普通数据源' })

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
  0: '排队',
  1: '处理中',
  2: '完成',
  3: '失败',
  4: '已取消',
})

export const importMode = dictionary('import_mode', '导入方式', { 1: '全部正确才导入', 2: '导入正确行' })

export const auditOutcome = dictionary('audit_outcome', '审计结果', { 1: '成功', 2: '失败', 3: '拒绝' })

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
})

export const attachVisible = dictionary('attach_visible', '附件可见', {
  1: '公开',
  2: '登录可见',
  3: '归属人与授权人员',
})

export const scanState = dictionary('scan_state', '安全检查', { 0: '待查', 1: '通过', 2: '拦截' })

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
})
