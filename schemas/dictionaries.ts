import { bizDictionary, dictionary, wordDictionary } from '#engine'

export const yesNo = dictionary('yes_no', '是否', { 0: '否', 1: '是' })

export const sex = dictionary('sex', '性别', { 1: '男', 2: '女', 3: '未知' })

export const menuCategory = dictionary('menu_category', '菜单类型', { 1: '菜单', 2: '按钮' })

export const buttonFunc = dictionary('button_func', '按钮功能', { 0: '工具栏', 1: '操作栏', 2: '工具操作栏' })

export const orgCategory = dictionary('org_category', '机构类型', { 1: '公司', 2: '部门', 3: '小组' })

export const postCategory = dictionary('post_category', '职务类型', { 1: '高层', 2: '中层', 3: '基层', 4: '其他' })

export const regionLevel = dictionary('region_level', '区划级别', {
  0: '国家',
  1: '省份/直辖市',
  2: '地市',
  3: '区县',
  4: '乡镇',
  5: '村委',
})

export const userType = dictionary('user_type', '用户平台', { 1: '后台', 2: '考生', 3: '其他' })

export const accountStatus = dictionary('account_status', '账号状态', {
  1: '正常',
  2: '停用',
  3: '待审核',
  4: '审核不通过',
})

export const auditStatus = dictionary('audit_status', '审核状态', { 0: '待审核', 1: '通过', 2: '驳回' })

export const enableStatus = dictionary('enable_status', '启停', { 0: '停用', 1: '启用' })

export const onshelfStatus = dictionary('onshelf_status', '上下架', { 0: '下架', 1: '上架' })

export const releaseStatus = dictionary('release_status', '发布状态', { 0: '未发布', 1: '已发布', 2: '已撤回' })

export const noticeStatus = dictionary('notice_status', '公告状态', { 0: '草稿', 1: '已发布', 2: '已撤回' })

export const tenantStatus = dictionary('tenant_status', '租户状态', { 1: '正常', 2: '回收站' })

export const dataScopeType = dictionary('data_scope_type', '数据权限', {
  1: '全部可见',
  2: '本人可见',
  3: '所在机构可见',
  4: '所在机构及子级可见',
  5: '自定义',
})

export const apiScopeType = dictionary('api_scope_type', '接口权限', { 1: '系统接口', 2: '业务接口' })

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

export const flow = dictionary('flow', '流程分类', { 1: '请假流程', 2: '报销流程', 3: '业务流程' })

export const flowState = dictionary('flow_state', '流程状态', { 1: '激活', 2: '挂起' })

export const oss = dictionary('oss', '对象存储', { 1: 'MinIO', 2: '七牛云', 3: '阿里云', 4: '腾讯云', 5: '本地' })

export const sms = dictionary('sms', '短信渠道', { 1: '云片', 2: '七牛云', 3: '阿里云', 4: '腾讯云', 9: '模拟' })

export const datasourceCategory = dictionary('datasource_category', '数据源类型', { 1: '普通数据源' })

export const templateType = wordDictionary('template_type', '生成模板', { crud: '单表', sub: '主子表', tree: '树表' })

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

export const examType = bizDictionary('exam_type', '考试类型', [
  ['1', '公开招聘'],
  ['2', '高层次人才引进'],
  ['3', '编外招聘'],
  ['4', '紧缺急需'],
  ['9', '其他'],
])

export const examStatus = dictionary('exam_status', '考试状态', { 0: '草稿', 1: '已发布', 2: '已关闭', 3: '已归档' })

export const examItemType = bizDictionary('exam_item_type', '项目类型', [
  ['1', '笔试'],
  ['2', '面试'],
  ['3', '技能操作'],
  ['4', '资格复审'],
  ['5', '体检'],
  ['6', '考察'],
])

export const examSubject = bizDictionary('exam_subject', '笔试科目', [
  ['01', '综合基础知识'],
  ['02', '医学基础'],
  ['03', '护理'],
  ['04', '药学'],
  ['05', '检验'],
])

export const itemRange = dictionary('item_range', '人员范围', { 1: '全部有效考生', 2: '上一环节入围', 3: '导入名单' })

export const recruitUnit = bizDictionary('recruit_unit', '招聘单位', [])

export const postType = bizDictionary('post_type', '岗位类别', [
  ['01', '临床'],
  ['02', '护理'],
  ['03', '药学'],
  ['04', '检验'],
  ['05', '影像'],
  ['06', '公卫'],
  ['07', '管理'],
  ['08', '其他专技'],
])

export const postStatus = dictionary('post_status', '岗位状态', { 1: '正常', 2: '已核减', 3: '已取消', 4: '特批保留' })

export const sexReq = dictionary('sex_req', '性别要求', { 0: '不限', 1: '男', 2: '女' })

export const freshReq = dictionary('fresh_req', '应届要求', { 0: '不限', 1: '仅应届', 2: '仅往届' })

export const education = bizDictionary('education', '学历', [
  ['10', '博士研究生'],
  ['20', '硕士研究生'],
  ['30', '大学本科'],
  ['40', '大学专科'],
  ['50', '中专'],
  ['60', '高中及以下'],
])

export const degree = bizDictionary('degree', '学位', [
  ['1', '博士'],
  ['2', '硕士'],
  ['3', '学士'],
  ['9', '无'],
])

export const titleLevel = bizDictionary('title_level', '职称', [
  ['1', '正高'],
  ['2', '副高'],
  ['3', '中级'],
  ['4', '初级(师)'],
  ['5', '初级(士)'],
  ['9', '无'],
])

export const schoolType = dictionary('school_type', '学校类型', { 1: '毕业院校', 2: '考点' })

export const schoolLevel = bizDictionary('school_level', '学校标签', [
  ['1', '双一流'],
  ['2', '本科'],
  ['3', '专科'],
  ['4', '境外'],
  ['9', '其他'],
])

export const idType = dictionary('id_type', '证件类型', {
  1: '居民身份证',
  2: '港澳居民居住证',
  3: '台湾居民居住证',
  4: '护照',
  5: '外国人永久居留证',
})

export const itemGroup = bizDictionary('item_group', '信息分组', [
  ['1', '基本信息'],
  ['2', '教育经历'],
  ['3', '工作经历'],
  ['4', '资格证书'],
  ['5', '家庭成员'],
  ['9', '其他'],
])

export const formInputType = dictionary('form_input_type', '控件类型', {
  1: '单行文本',
  2: '多行文本',
  3: '数字',
  4: '日期',
  5: '单选',
  6: '多选',
  7: '下拉',
  8: '级联',
  9: '省市区',
  10: '子表格',
  11: '身份证号',
  12: '手机号',
  13: '院校选择',
  14: '说明文字',
  15: '年月',
})

export const sensitiveLevel = dictionary('sensitive_level', '敏感级别', { 0: '普通', 1: '脱敏显示', 2: '加密存储' })

export const examineMode = dictionary('examine_mode', '审核方式', { 1: '一审', 2: '初审+复审' })

export const examineStatus = dictionary('examine_status', '审核状态', {
  0: '未审核',
  1: '审核通过',
  2: '审核不通过',
  3: '退回修改',
})

export const examineResult = dictionary('examine_result', '审核结果', { 1: '通过', 2: '不通过', 3: '退回修改' })

export const reviewStatus = dictionary('review_status', '复审状态', {
  0: '未复审',
  1: '复审通过',
  2: '复审不通过',
  3: '退回初审',
})

export const examineStage = dictionary('examine_stage', '审核环节', {
  1: '初审',
  2: '复审',
  3: '改报审核',
  4: '撤销审核',
  5: '取消资格',
})

export const signStatus = dictionary('sign_status', '报名状态', { 0: '草稿', 1: '已提交', 2: '已放弃', 9: '取消资格' })

export const signAction = dictionary('sign_action', '报名动作', {
  1: '保存',
  2: '提交',
  3: '撤回',
  4: '放弃',
  5: '改报',
  6: '恢复',
})

export const reduceBase = dictionary('reduce_base', '核减依据', { 1: '审核通过人数', 2: '缴费人数' })

export const reduceDecision = dictionary('reduce_decision', '核减处理', {
  0: '待定',
  1: '保留',
  2: '核减',
  3: '取消',
  4: '特批保留',
})

export const reduceState = dictionary('reduce_state', '改报状态', {
  0: '无',
  1: '待选择',
  2: '已改报待审',
  3: '改报通过',
  4: '改报不通过',
  5: '放弃',
  6: '逾期',
})

export const choiceBy = dictionary('choice_by', '选择方式', { 1: '考生本人', 2: '工作人员代录' })

export const examRole = dictionary('exam_role', '考试角色', {
  1: '考务管理员',
  2: '初审员',
  3: '复审员',
  4: '财务',
  5: '监考',
  6: '观察员',
})

export const usercodeType = dictionary('usercode_type', '编码类型', { 1: '单位账号', 2: '岗位账号' })

export const tipScope = dictionary('tip_scope', '提示语范围', { 1: '本人', 2: '全部' })

export const seatStatus = dictionary('seat_status', '编排状态', { 0: '未编排', 1: '草案', 2: '已锁定' })

export const ticketStatus = dictionary('ticket_status', '准考证状态', { 0: '未发布', 1: '已发布', 2: '已作废' })

export const ticketDownType = dictionary('ticket_down_type', '下载方式', { 1: '下载PDF', 2: '打印', 3: '查看' })

export const ticketRemarkType = dictionary('ticket_remark_type', '备注类型', {
  1: '考生须知',
  2: '个别提示',
  3: '缺考',
  4: '违纪',
  5: '特殊需要',
})

export const picState = dictionary('pic_state', '材料状态', {
  0: '无需',
  1: '未上传',
  2: '已上传',
  3: '已核验',
  4: '不合格',
})

export const attendStatus = dictionary('attend_status', '到考情况', { 0: '未登记', 1: '到考', 2: '缺考', 3: '违纪' })

export const resultFlag = dictionary('result_flag', '成绩标记', { 1: '正常', 2: '缺考', 3: '违纪', 4: '零分' })

export const appealStatus = dictionary('appeal_status', '复核状态', { 0: '待处理', 1: '维持', 2: '更正', 3: '撤回' })

export const payChannel = dictionary('pay_channel', '支付渠道', { 1: '微信扫码', 2: '线下', 9: '模拟' })

export const payBizType = dictionary('pay_biz_type', '支付业务', { 1: '考试缴费', 2: '短信套餐' })

export const exampayStatus = dictionary('exampay_status', '缴费设置状态', { 0: '草稿', 1: '已发布', 2: '已结束' })

export const paymainStatus = dictionary('paymain_status', '批次状态', { 0: '未开始', 1: '缴费中', 2: '已结束' })

export const payState = dictionary('pay_state', '缴费状态', {
  0: '待缴',
  1: '已缴',
  2: '免缴',
  3: '退款中',
  4: '已退款',
  5: '已关闭',
})

export const orderStatus = dictionary('order_status', '订单状态', {
  0: '待支付',
  1: '支付成功',
  2: '已关闭',
  3: '已退款',
  4: '部分退款',
  5: '异常待处理',
})

export const refundStatus = dictionary('refund_status', '退款状态', {
  0: '待审批',
  1: '处理中',
  2: '成功',
  3: '失败关闭',
  4: '异常',
  5: '驳回',
})

export const invoiceStatus = dictionary('invoice_status', '开票状态', {
  0: '未申请',
  1: '已申请',
  2: '已开票',
  3: '已红冲',
})

export const invoiceType = dictionary('invoice_type', '抬头类型', { 1: '个人', 2: '单位' })

export const reconStatus = dictionary('recon_status', '对账状态', {
  0: '未对账',
  1: '对平',
  2: '有差异',
  3: '差异已处理',
})

export const reconDiff = dictionary('recon_diff', '差异类型', {
  1: '渠道多',
  2: '本地多',
  3: '金额不符',
  4: '状态不符',
})

export const handleStatus = dictionary('handle_status', '处理状态', { 0: '未处理', 1: '已处理' })

export const sendpayStatus = dictionary('sendpay_status', '发送缴费状态', {
  0: '待支付',
  1: '待确认',
  2: '已确认',
  3: '已关闭',
  4: '已驳回',
})

export const sendType = dictionary('send_type', '发送方式', { 1: '短信', 2: '站内信', 3: '短信+站内信' })

export const sendStatus = dictionary('send_status', '发送订单状态', {
  0: '草稿',
  1: '待支付',
  2: '待发送',
  3: '发送中',
  4: '已完成',
  5: '部分失败',
  6: '已取消',
})

export const msgStatus = dictionary('msg_status', '消息状态', {
  0: '待发送',
  1: '发送中',
  2: '成功',
  3: '失败',
  4: '已取消',
})

export const ledgerType = dictionary('ledger_type', '余额流水', {
  1: '购买',
  2: '消费',
  3: '退回',
  4: '过期',
  5: '赠送',
})

export const notice = dictionary('notice', '公告类别', {
  1: '招聘公告',
  2: '考试通知',
  3: '成绩公告',
  4: '公示',
  5: '系统公告',
})

export const noticeType = dictionary('notice_type', '公告类型', { 1: '公告', 2: '通知' })

export const noticeScope = dictionary('notice_scope', '发布范围', {
  1: '全体用户',
  2: '指定考试考生',
  3: '指定项目考生',
  4: '工作人员',
  5: '公开(免登录)',
})

export const sureState = dictionary('sure_state', '确认状态', { 0: '未读', 1: '已读', 2: '已确认' })

export const newsCategory = bizDictionary('news_category', '新闻栏目', [
  ['1', '工作动态'],
  ['2', '政策法规'],
  ['3', '常见问题'],
])

export const fileCategory = bizDictionary('file_category', '文件分类', [
  ['1', '表格下载'],
  ['2', '操作手册'],
  ['3', '其他'],
])

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

/** Every dictionary of the product: the system's own and the first rows of a tenant's business dictionaries. */
export const dictionaries = [
  yesNo,
  sex,
  menuCategory,
  buttonFunc,
  orgCategory,
  postCategory,
  regionLevel,
  userType,
  accountStatus,
  auditStatus,
  enableStatus,
  onshelfStatus,
  releaseStatus,
  noticeStatus,
  tenantStatus,
  dataScopeType,
  apiScopeType,
  logType,
  jobTimeType,
  jobExecuteType,
  jobProcessor,
  jobDispatch,
  jobEnable,
  jobLogType,
  jobLogLevel,
  jobInstanceStatus,
  flow,
  flowState,
  oss,
  sms,
  datasourceCategory,
  templateType,
  componentType,
  queryType,
  taskStatus,
  importMode,
  auditOutcome,
  attachOwner,
  attachVisible,
  scanState,
  examType,
  examStatus,
  examItemType,
  examSubject,
  itemRange,
  recruitUnit,
  postType,
  postStatus,
  sexReq,
  freshReq,
  education,
  degree,
  titleLevel,
  schoolType,
  schoolLevel,
  idType,
  itemGroup,
  formInputType,
  sensitiveLevel,
  examineMode,
  examineStatus,
  examineResult,
  reviewStatus,
  examineStage,
  signStatus,
  signAction,
  reduceBase,
  reduceDecision,
  reduceState,
  choiceBy,
  examRole,
  usercodeType,
  tipScope,
  seatStatus,
  ticketStatus,
  ticketDownType,
  ticketRemarkType,
  picState,
  attendStatus,
  resultFlag,
  appealStatus,
  payChannel,
  payBizType,
  exampayStatus,
  paymainStatus,
  payState,
  orderStatus,
  refundStatus,
  invoiceStatus,
  invoiceType,
  reconStatus,
  reconDiff,
  handleStatus,
  sendpayStatus,
  sendType,
  sendStatus,
  msgStatus,
  ledgerType,
  notice,
  noticeType,
  noticeScope,
  sureState,
  newsCategory,
  fileCategory,
  importBiz,
]
