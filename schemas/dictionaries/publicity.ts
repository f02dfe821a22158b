/** Dictionaries of public lists, work days and objections. */
import { dictionary } from '#engine'

export const publicityKind = dictionary('publicity_kind', '公示类别', {
  qualification: [1, '资格审核结果'],
  reduction: [2, '岗位核减'],
  payment: [3, '缴费确认人数'],
  scores: [4, '考试成绩'],
  shortlist: [5, '入围人员'],
  examination: [6, '体检考察'],
  hiring: [7, '拟聘用人员'],
  correction: [8, '更正递补'],
})
export const PublicityKind = publicityKind.names

export const publicityStatus = dictionary('publicity_status', '公示状态', {
  draft: [0, '草稿'],
  pending: [1, '待确认'],
  released: [2, '已发布'],
  withdrawn: [3, '已撤回'],
})
export const PublicityStatus = publicityStatus.names

export const workdayKind = dictionary('workday_kind', '日期安排', { holiday: [1, '放假'], shifted: [2, '调休上班'] })
export const WorkdayKind = workdayKind.names

export const objectionKind = dictionary('objection_kind', '异议类别', {
  qualification: [1, '资格条件'],
  score: [2, '分数排名'],
  procedure: [3, '程序规则'],
  fraud: [4, '弄虚作假'],
  other: [9, '其他'],
})
export const ObjectionKind = objectionKind.names

export const objectionStatus = dictionary('objection_status', '异议状态', {
  pending: [0, '待受理'],
  accepted: [1, '已受理'],
  refused: [2, '不予受理'],
  investigating: [3, '核查中'],
  upheld: [4, '属实'],
  partly: [5, '部分属实'],
  unfounded: [6, '不属实'],
  withdrawn: [7, '已撤回'],
})
export const ObjectionStatus = objectionStatus.names

/** What is found of an objection: the states in which it ends with an answer. */
export const objectionOutcome = dictionary('objection_outcome', '异议结论', {
  upheld: [ObjectionStatus.upheld, objectionStatus.entries[ObjectionStatus.upheld]],
  partly: [ObjectionStatus.partly, objectionStatus.entries[ObjectionStatus.partly]],
  unfounded: [ObjectionStatus.unfounded, objectionStatus.entries[ObjectionStatus.unfounded]],
})
export const ObjectionOutcome = objectionOutcome.names
