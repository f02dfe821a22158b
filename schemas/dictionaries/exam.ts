/** Dictionaries of exams, positions, tickets, results and notices. */
import { bizDictionary, dictionary } from '#engine'

export const noticeStatus = dictionary('notice_status', '公告状态', {
  draft: [0, '草稿'],
  released: [1, '已发布'],
  recalled: [2, '已撤回'],
})
export const NoticeStatus = noticeStatus.names

export const examType = bizDictionary('exam_type', '考试类型', [
  ['1', '公开招聘'],
  ['2', '高层次人才引进'],
  ['3', '编外招聘'],
  ['4', '紧缺急需'],
  ['9', '其他'],
])

export const examStatus = dictionary('exam_status', '考试状态', {
  draft: [0, '草稿'],
  released: [1, '已发布'],
  closed: [2, '已关闭'],
  archived: [3, '已归档'],
})
export const ExamStatus = examStatus.names

export const examUnready = dictionary('exam_unready', '未就绪事项', {
  reduction: [1, '核减未确认'],
  seats: [2, '座位未锁定'],
  tickets: [3, '准考证未发布'],
  results: [4, '成绩未发布'],
  list: [5, '公示名单未就绪'],
})
export const ExamUnready = examUnready.names

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

export const itemRange = dictionary('item_range', '人员范围', {
  allValid: [1, '全部有效考生'],
  shortlisted: [2, '上一环节入围'],
  imported: [3, '导入名单'],
})
export const ItemRange = itemRange.names

export const confirmStatus = dictionary('confirm_status', '入围确认', {
  unanswered: [0, '未答复'],
  confirmed: [1, '已确认'],
  declined: [2, '已放弃'],
  missed: [3, '逾期未确认'],
})
export const ConfirmStatus = confirmStatus.names

export const promotionStatus = dictionary('promotion_status', '递补状态', {
  pending: [0, '待确认'],
  done: [1, '已递补'],
  dropped: [2, '不递补'],
})
export const PromotionStatus = promotionStatus.names

export const examarchiveStatus = dictionary('examarchive_status', '完整归档包状态', {
  pending: [0, '待确认'],
  confirmed: [1, '已确认'],
  dropped: [2, '未生成'],
})
export const ExamarchiveStatus = examarchiveStatus.names

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

export const postStatus = dictionary('post_status', '岗位状态', {
  active: [1, '正常'],
  reduced: [2, '已核减'],
  cancelled: [3, '已取消'],
  kept: [4, '特批保留'],
})
export const PostStatus = postStatus.names

export const sexReq = dictionary('sex_req', '性别要求', { any: [0, '不限'], male: [1, '男'], female: [2, '女'] })
export const SexReq = sexReq.names

export const freshReq = dictionary('fresh_req', '应届要求', {
  any: [0, '不限'],
  currentYear: [1, '仅应届'],
  earlierYears: [2, '仅往届'],
})
export const FreshReq = freshReq.names

export const schoolType = dictionary('school_type', '学校类型', { college: [1, '毕业院校'], examSite: [2, '考点'] })
export const SchoolType = schoolType.names

export const schoolLevel = bizDictionary('school_level', '学校标签', [
  ['1', '双一流'],
  ['2', '本科'],
  ['3', '专科'],
  ['4', '境外'],
  ['9', '其他'],
])

export const examRole = dictionary('exam_role', '考试角色', {
  manager: [1, '考务管理员'],
  firstReviewer: [2, '初审员'],
  secondReviewer: [3, '复审员'],
  finance: [4, '财务'],
  proctor: [5, '监考'],
  observer: [6, '观察员'],
})
export const ExamRole = examRole.names

export const usercodeType = dictionary('usercode_type', '编码类型', { unit: [1, '单位账号'], post: [2, '岗位账号'] })
export const UsercodeType = usercodeType.names

export const seatStatus = dictionary('seat_status', '编排状态', {
  none: [0, '未编排'],
  draft: [1, '草案'],
  locked: [2, '已锁定'],
})
export const SeatStatus = seatStatus.names

export const ticketStatus = dictionary('ticket_status', '准考证状态', {
  draft: [0, '未发布'],
  released: [1, '已发布'],
  voided: [2, '已作废'],
})
export const TicketStatus = ticketStatus.names

export const ticketDownType = dictionary('ticket_down_type', '下载方式', {
  pdf: [1, '下载PDF'],
  print: [2, '打印'],
  view: [3, '查看'],
})
export const TicketDownType = ticketDownType.names

export const ticketRemarkType = dictionary('ticket_remark_type', '备注类型', {
  instructions: [1, '考生须知'],
  personalNote: [2, '个别提示'],
  absent: [3, '缺考'],
  misconduct: [4, '违纪'],
  specialNeeds: [5, '特殊需要'],
})
export const TicketRemarkType = ticketRemarkType.names

export const picState = dictionary('pic_state', '材料状态', {
  notNeeded: [0, '无需'],
  missing: [1, '未上传'],
  uploaded: [2, '已上传'],
  verified: [3, '已核验'],
  rejected: [4, '不合格'],
})
export const PicState = picState.names

export const attendStatus = dictionary('attend_status', '到考情况', {
  unrecorded: [0, '未登记'],
  present: [1, '到考'],
  absent: [2, '缺考'],
  misconduct: [3, '违纪'],
})
export const AttendStatus = attendStatus.names

export const resultFlag = dictionary('result_flag', '成绩标记', {
  normal: [1, '正常'],
  absent: [2, '缺考'],
  misconduct: [3, '违纪'],
  zero: [4, '零分'],
})
export const ResultFlag = resultFlag.names

export const resultChange = dictionary('result_change', '成绩变更方式', {
  created: [1, '新增'],
  edited: [2, '修改'],
  imported: [3, '导入'],
  removed: [4, '删除'],
})
export const ResultChange = resultChange.names

export const appealStatus = dictionary('appeal_status', '复核状态', {
  pending: [0, '待处理'],
  upheld: [1, '维持'],
  corrected: [2, '更正'],
  withdrawn: [3, '撤回'],
})
export const AppealStatus = appealStatus.names

export const notice = dictionary('notice', '公告类别', {
  recruitment: [1, '招聘公告'],
  exam: [2, '考试通知'],
  results: [3, '成绩公告'],
  publicList: [4, '公示'],
  system: [5, '系统公告'],
})
export const NoticeCategory = notice.names

export const noticeType = dictionary('notice_type', '公告类型', { announcement: [1, '公告'], notice: [2, '通知'] })
export const NoticeType = noticeType.names

export const noticeScope = dictionary('notice_scope', '发布范围', {
  everyone: [1, '全体用户'],
  examCandidates: [2, '指定考试考生'],
  stageCandidates: [3, '指定项目考生'],
  staff: [4, '工作人员'],
  public: [5, '公开(免登录)'],
  recipients: [6, '指定接收人'],
})
export const NoticeScope = noticeScope.names

/** Which of the candidates of an exam or stage a notice is for; none means all of them. */
/** Who of a notice's readers is reminded. */
export const remindWhom = dictionary('remind_whom', '提醒对象', { unread: [1, '未阅读'], unconfirmed: [2, '未确认'] })
export const RemindWhom = remindWhom.names

export const noticeFilter = dictionary('notice_filter', '考生状态', {
  approved: [1, '已通过审核'],
  unpaid: [2, '待缴费'],
  notDownloaded: [3, '未下载准考证'],
})
export const NoticeFilter = noticeFilter.names

export const sureState = dictionary('sure_state', '确认状态', {
  unread: [0, '未读'],
  read: [1, '已读'],
  confirmed: [2, '已确认'],
})
export const SureState = sureState.names

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
