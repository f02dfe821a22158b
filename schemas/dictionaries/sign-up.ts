/** Dictionaries of sign-up, the form and its review. */
import { bizDictionary, dictionary, wordDictionary } from '#engine'

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

export const idType = dictionary('id_type', '证件类型', {
  residentCard: [1, '居民身份证'],
  hongKongMacaoPermit: [2, '港澳居民居住证'],
  taiwanPermit: [3, '台湾居民居住证'],
  passport: [4, '护照'],
  foreignerPermit: [5, '外国人永久居留证'],
})
export const IdType = idType.names

export const itemGroup = bizDictionary('item_group', '信息分组', [
  ['1', '基本信息'],
  ['2', '教育经历'],
  ['3', '工作经历'],
  ['4', '资格证书'],
  ['5', '家庭成员'],
  ['9', '其他'],
])

export const formInputType = dictionary('form_input_type', '控件类型', {
  text: [1, '单行文本'],
  longText: [2, '多行文本'],
  number: [3, '数字'],
  date: [4, '日期'],
  radio: [5, '单选'],
  checks: [6, '多选'],
  select: [7, '下拉'],
  cascade: [8, '级联'],
  region: [9, '省市区'],
  table: [10, '子表格'],
  idCard: [11, '身份证号'],
  phone: [12, '手机号'],
  school: [13, '院校选择'],
  note: [14, '说明文字'],
  month: [15, '年月'],
})
export const FormInputType = formInputType.names

export const sensitiveLevel = dictionary('sensitive_level', '敏感级别', {
  plain: [0, '普通'],
  masked: [1, '脱敏显示'],
  encrypted: [2, '加密存储'],
})
export const SensitiveLevel = sensitiveLevel.names

export const examineMode = dictionary('examine_mode', '审核方式', {
  single: [1, '一审'],
  firstAndSecond: [2, '初审+复审'],
})
export const ExamineMode = examineMode.names

export const examineStatus = dictionary('examine_status', '审核状态', {
  pending: [0, '未审核'],
  approved: [1, '审核通过'],
  rejected: [2, '审核不通过'],
  returned: [3, '退回修改'],
})
export const ExamineStatus = examineStatus.names

export const examineResult = dictionary('examine_result', '审核结果', {
  approved: [1, '通过'],
  rejected: [2, '不通过'],
  returned: [3, '退回修改'],
})
export const ExamineResult = examineResult.names

export const reviewStatus = dictionary('review_status', '复审状态', {
  pending: [0, '未复审'],
  approved: [1, '复审通过'],
  rejected: [2, '复审不通过'],
  returned: [3, '退回初审'],
})
export const ReviewStatus = reviewStatus.names

export const examineStage = dictionary('examine_stage', '审核环节', {
  first: [1, '初审'],
  second: [2, '复审'],
  reassignment: [3, '改报审核'],
  revocation: [4, '撤销审核'],
  disqualification: [5, '取消资格'],
})
export const ExamineStage = examineStage.names

export const signStatus = dictionary('sign_status', '报名状态', {
  draft: [0, '草稿'],
  submitted: [1, '已提交'],
  withdrawn: [2, '已放弃'],
  disqualified: [9, '取消资格'],
})
export const SignStatus = signStatus.names

export const signAction = dictionary('sign_action', '报名动作', {
  save: [1, '保存'],
  submit: [2, '提交'],
  recall: [3, '撤回'],
  withdraw: [4, '放弃'],
  reassign: [5, '改报'],
  restore: [6, '恢复'],
  confirmPlace: [7, '确认入围'],
  declinePlace: [8, '放弃入围'],
  missPlace: [9, '逾期未确认'],
  promote: [10, '递补入围'],
  eraseFiles: [11, '撤回附件'],
})
export const SignAction = signAction.names

export const reduceBase = dictionary('reduce_base', '核减依据', {
  approved: [1, '审核通过人数'],
  paid: [2, '缴费人数'],
})
export const ReduceBase = reduceBase.names

export const reduceDecision = dictionary('reduce_decision', '核减处理', {
  pending: [0, '待定'],
  keep: [1, '保留'],
  reduce: [2, '核减'],
  cancel: [3, '取消'],
  keepByException: [4, '特批保留'],
})
export const ReduceDecision = reduceDecision.names

export const reduceState = dictionary('reduce_state', '改报状态', {
  none: [0, '无'],
  choosing: [1, '待选择'],
  pending: [2, '已改报待审'],
  approved: [3, '改报通过'],
  rejected: [4, '改报不通过'],
  givenUp: [5, '放弃'],
  overdue: [6, '逾期'],
})
export const ReduceState = reduceState.names

export const unreadyReason = dictionary('unready_reason', '不能编排的原因', {
  choosing: [1, '改报未完成'],
  review: [2, '待审核'],
  recheck: [3, '待复审'],
  correcting: [4, '待补正'],
  payment: [5, '待缴费'],
})
export const UnreadyReason = unreadyReason.names

export const choiceBy = dictionary('choice_by', '选择方式', { candidate: [1, '考生本人'], staff: [2, '工作人员代录'] })
export const ChoiceBy = choiceBy.names

export const revealField = wordDictionary('reveal_field', '完整号码', { idCard: '证件号码', phone: '手机号码' })

export const tipScope = dictionary('tip_scope', '提示语范围', { personal: [1, '本人'], everyone: [2, '全部'] })
export const TipScope = tipScope.names

export const politics = bizDictionary('politics', '政治面貌', [
  ['01', '中共党员'],
  ['02', '中共预备党员'],
  ['03', '共青团员'],
  ['12', '民主党派成员'],
  ['13', '群众'],
])

export const marriage = bizDictionary('marriage', '婚姻状况', [
  ['1', '未婚'],
  ['2', '已婚'],
  ['9', '其他'],
])
