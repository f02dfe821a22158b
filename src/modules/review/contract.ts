import {
  type AnswerOf,
  type BodyOf,
  count,
  date,
  dateTime,
  either,
  endpoint,
  group,
  id,
  integer,
  json,
  list,
  maybe,
  optional,
  pageOf,
  pageWith,
  paging,
  pick,
  type QueryOf,
  rowOf,
  sometimes,
  text,
  truth,
  type Wire,
  words,
} from '#engine'
import { examinetip } from '#resources/sign-up/examinetip'
import { Examination } from '#schemas/exams/examination'
import { Signup } from '#schemas/sign-up/signup'
import { adviceShape, findingShape } from '#schemas/sign-up/signup-json'
import { ticketState } from '#schemas/sign-up/signup-parts'
import { demandsShape } from '../exams/contract.ts'
import { filledItemShape, historyShape, linkedFileShape } from '../sign-up/contract.ts'
import type { FilterName } from './rules/list-filter.ts'
import { type WorkChip, workChips } from './rules/work-chips.ts'

const lists = ['examine_list', 'examine_done', 'examine_review', 'examine_move'] as const
const signUpId = id('报名')
const version = integer('版本号')
const word = (title: string, maxLength = 30) => optional(text(title, { maxLength }))
const key = (title: string) => optional(integer(title, { minimum: 0, maximum: 9 }))

const chipCounts = {
  own: count('指定给本人的'),
  fresh: count('首次提交'),
  again: count('退回后重提'),
  wrong: count('预检有不符'),
  late: count('等了超过 24 小时'),
  today: count('今天审核'),
  mine: count('本人审核'),
  rejected: count('不通过'),
  returned: count('退回'),
} satisfies Record<WorkChip, unknown>

/** What a reviewer's list may be asked for. */
const filters = {
  stage: sometimes(words('审核环节', 1, 2, 3)),
  part: sometimes(words('部分', 'wait', 'again', 'done')),
  examId: sometimes(id('考试')),
  unit: word('单位'),
  code: word('岗位代码'),
  type: word('岗位类别'),
  chip: sometimes(words('筛选项', ...workChips.waiting, ...workChips.done)),
  keyword: word('姓名或报名号', 30),
  name: word('姓名', 20),
  signNo: word('报名号', 20),
  idCard: word('证件号码'),
  examine: key('审核状态'),
  reviewStatus: key('复审状态'),
  precheckLevel: key('预检结论'),
  again: key('是否重新提交'),
  submitTime_dategt: word('提交时间', 19),
  submitTime_datelt: word('提交时间', 19),
} satisfies Record<FilterName | 'stage' | 'part', unknown>

const workRowShape = group({
  signUpId,
  ...pick(Signup, 'signNo', 'examId', 'name', 'sex', 'reduceState', 'submitTime', 'submitCount', 'examine').of,
  ...pick(Signup, 'examineRemark', 'examineTime', 'examineUser', 'reviewStatus', 'reviewRemark', 'reviewTime').of,
  examName: text('考试名称'),
  age: maybe(count('年龄')),
  education: json('学历'),
  educationName: text('学历名称'),
  major: json<string>('专业'),
  unit: maybe(text('单位')),
  unitName: text('单位名称'),
  type: maybe(text('岗位类别')),
  typeName: text('岗位类别名称'),
  code: maybe(text('岗位代码')),
  postName: maybe(text('岗位名称')),
  oldCode: text('原岗位代码'),
  examineUserName: maybe(text('审核人')),
  reviewUserName: maybe(text('复审人')),
  precheckMax: integer('预检结论'),
  claimedBy: maybe(text('正在查看的人')),
  canRevoke: truth('能否撤销'),
  version,
})

/** Sign-ups that the caller is to review in a stage, with counters. */
export const workList = endpoint('review.list', 'GET /blade-signup/examine/getExamineList', {
  title: '报名审核：列表',
  access: lists,
  query: {
    ...paging,
    ...filters,
    // `first` asks for the first of the named filters of the part that has rows.
    chip: sometimes(words('筛选项', 'first', ...workChips.waiting, ...workChips.done)),
    sort: sometimes(words('排序', 'submitTime', '-submitTime')),
  },
  answer: pageWith(workRowShape, {
    /** The named filter that the rows are in; empty for the whole list. */
    chip: maybe(words('筛选项', ...workChips.waiting, ...workChips.done)),
    counters: group({
      wait: count('待审'),
      again: count('重新提交'),
      done: count('已审'),
      today: count('今日已审'),
      chips: group(chipCounts),
    }),
  }),
})

const numbers = { wait: count('待审'), pass: count('通过'), refuse: count('不通过'), back: count('退回') }

/** Units and positions of an exam with sign-ups of the caller's, with their numbers. */
export const reviewUnits = endpoint('review.units', 'GET /blade-signup/examine/getExamUnits', {
  title: '报名审核：单位和岗位',
  access: lists,
  query: { examId: id('考试') },
  answer: list(
    group({
      unit: text('单位'),
      unitName: text('单位名称'),
      ...numbers,
      codes: list(
        group({
          unit: text('单位'),
          code: text('岗位代码'),
          type: maybe(text('岗位类别')),
          typeName: text('岗位类别名称'),
          postName: maybe(text('岗位名称')),
          ...numbers,
        }),
      ),
    }),
  ),
})

/** The exams that the caller is appointed to review now, with how many wait in each stage. */
export const reviewExams = endpoint('review.exams', 'GET /blade-signup/examine/getExamList', {
  title: '报名审核：考试',
  access: lists,
  query: {},
  answer: list(
    group({
      examId: id('考试'),
      ...pick(Examination, 'examName', 'examineMode', 'examineEndTime').of,
      roles: list(integer('角色')),
      wait: count('待初审'),
      check: count('待复审'),
      move: count('待改报审核'),
    }),
  ),
})

/** Who is looking at a sign-up; empty when nobody is. */
const claimShape = maybe(
  group({ userId: id('用户'), userName: text('姓名'), until: dateTime('截至'), mine: truth('是否本人') }),
)

/** All a reviewer needs of one sign-up. */
export const reviewInfo = endpoint('review.info', 'GET /blade-signup/examine/getExamineInfo', {
  title: '报名审核：查看',
  access: [...lists, 'signup_view'],
  query: { signUpId, ...filters },
  answer: group({
    signup: group({
      id: signUpId,
      ...pick(Signup, 'signNo', 'examId', 'name', 'sex', 'signStatus', 'examine', 'examineRemark', 'examineTime').of,
      ...pick(Signup, 'examineUser', 'reviewStatus', 'reviewRemark', 'reviewTime', 'unit2', 'code2', 'photo').of,
      ...pick(Signup, 'adjustAccept', 'reduceState', 'submitTime', 'submitCount', 'cancelReason', 'payState').of,
      ticketState,
      ...pick(Examination, 'examName', 'examineMode').of,
      birthday: maybe(date('出生日期')),
      age: maybe(count('年龄')),
      idCard: text('证件号码'),
      phone: text('手机号码'),
      examineUserName: text('审核人'),
      reviewUserName: text('复审人'),
      unit: maybe(text('单位')),
      unitName: text('单位名称'),
      code: maybe(text('岗位代码')),
      postName: text('岗位名称'),
      type: maybe(text('岗位类别')),
      typeName: text('岗位类别名称'),
      oldCode: text('原岗位代码'),
      oldUnitName: text('原单位名称'),
      oldPostName: text('原岗位名称'),
      unit2Name: text('调剂单位名称'),
      post2Name: text('调剂岗位名称'),
      photoUrl: text('照片地址'),
    }),
    groups: list(
      group({
        name: text('分组'),
        label: text('名称'),
        items: list(group({ ...filledItemShape.of, changed: truth('是否有改动'), before: text('原来的文字') })),
      }),
    ),
    files: list(
      group({
        fileCode: text('代码'),
        fileName: text('名称'),
        required: maybe(either(truth('是否必填'), integer('是否必填'))),
        list: list(group({ ...linkedFileShape.of, contentType: maybe(text('媒体类型')) })),
        changed: truth('是否有改动'),
      }),
    ),
    precheck: list(group({ ...findingShape.of, rule: words('条件', 'glyph', 'paper', ...findingShape.of.rule.of) })),
    position: maybe(demandsShape),
    logs: list(historyShape),
    diff: list(
      group({ target: text('对象'), code: text('代码'), label: text('名称'), from: text('原来'), to: text('现在') }),
    ),
    advisementList: list(adviceShape),
    claim: claimShape,
    strike: maybe(
      group({
        reason: text('原因'),
        time: dateTime('时间'),
        until: maybe(dateTime('陈述申辩截止')),
        userName: text('提出人'),
        mine: truth('是否本人'),
      }),
    ),
    version,
    nextId: maybe(signUpId),
    /** Its place among those that wait in the list it was opened from; none when it waits no more, or far behind. */
    place: maybe(group({ at: count('序号'), of: count('待审') })),
    can: group({ examine: truth('初审'), review: truth('复审'), revoke: truth('撤销'), move: truth('改报审核') }),
  }),
})

/** Says that the caller is looking at a sign-up, and answers who is. */
export const claimSignup = endpoint('review.claim', 'POST /blade-signup/examine/claim', {
  title: '报名审核：正在查看',
  access: lists,
  body: { signUpId },
  answer: claimShape,
})

const opinion = {
  advisementList: sometimes(
    list(
      group({
        target: words('对象', 'item', 'file', 'position'),
        code: text('代码', { maxLength: 50 }),
        ok: truth('是否无误'),
        opinion: optional(text('意见', { maxLength: 500 })),
      }),
      { max: 200 },
    ),
  ),
  version: sometimes(version),
  filter: sometimes(group(filters)),
}
const remark = optional(text('审核意见', { maxLength: 500 }))

/** Where the sign-up stands, and which one waits next. */
const verdictShape = group({
  ...pick(Signup, 'examine', 'examineTime', 'reviewStatus', 'reviewTime').of,
  version,
  nextId: maybe(signUpId),
})

/** The first review of a sign-up, or of the choice of another position. */
export const examineSignup = endpoint('review.examine', 'POST /blade-signup/examine/examine', {
  title: '报名审核：初审',
  access: ['examine_act'],
  body: {
    signUpId,
    examineResult: integer('审核结果'),
    examineResultRemark: remark,
    ...opinion,
    durationSec: optional(integer('用时', { minimum: 0, maximum: 86_400 })),
  },
  answer: verdictShape,
})

/** The second review. */
export const recheckSignup = endpoint('review.recheck', 'POST /blade-signup/examine/reviewInfo', {
  title: '报名审核：复审',
  access: ['examine_recheck'],
  body: { signUpId, reviewResult: integer('复审结果'), reviewRemark: remark, ...opinion },
  answer: verdictShape,
})

/** Passes several clean sign-ups at once; one line for each. */
export const passSignups = endpoint('review.pass', 'POST /blade-signup/examine/examineBatch', {
  title: '报名审核：批量通过',
  access: ['examine_act'],
  body: { ids: list(signUpId, { min: 1, max: 50 }) },
  answer: list(group({ id: signUpId, ok: truth('是否通过'), code: integer('错误码'), msg: text('说明') })),
})

const revoked = group({ ...pick(Signup, 'examine').of, version })

/** Takes a review back, with a reason. */
export const revokeReview = endpoint('review.revoke', 'POST /blade-signup/examine/revoke', {
  title: '报名审核：撤销',
  access: ['examine_revoke', 'signup_revoke', 'examine_act', 'examine_recheck'],
  body: {
    signUpId,
    reason: text('原因', { maxLength: 500 }),
    version: sometimes(version),
    /** Of whoever decided, within ten seconds: this step alone, so that all is as it was before. */
    undo: sometimes(truth('只撤销刚才这一步')),
  },
  answer: revoked,
})

const reasoned = { reason: text('原因', { minLength: 1, maxLength: 500 }) }

/** Disqualifies a candidate: one person asks for it, another confirms. */
export const disqualify = endpoint('review.disqualify', 'POST /blade-signup/signup/cancelQualification', {
  title: '报名：取消资格',
  access: ['signup_strike'],
  query: { id: signUpId },
  body: reasoned,
  answer: group({ message: sometimes(text('说明')) }),
})

/** Lets a disqualification drop that waits for a second person. */
export const dropStrike = endpoint('review.dropStrike', 'POST /blade-signup/signup/keepQualification', {
  title: '报名：不取消资格',
  access: ['signup_strike'],
  body: { signUpId, ...reasoned },
})

/** Takes a disqualification back. */
export const requalify = endpoint('review.requalify', 'POST /blade-signup/signup/restoreQualification', {
  title: '报名：恢复资格',
  access: ['signup_restore'],
  query: { id: signUpId },
  body: reasoned,
})

/** Takes a review back from the list of sign-ups. */
export const revokeSignup = endpoint('review.revokeSignup', 'POST /blade-signup/signup/revoke', {
  title: '报名：撤销审核',
  access: ['signup_revoke'],
  query: { id: signUpId },
  body: reasoned,
  answer: revoked,
})

const tipQuery = {
  keyword: optional(text('关键词')),
  current: optional(integer('页码')),
  size: optional(integer('每页条数')),
}

/** Phrases for reviewers, as their list shows them. */
export const tipPage = endpoint('review.tips', 'GET /blade-examineTip/examinetip/page', {
  title: '审核提示语：分页',
  access: ['examinetip'],
  also: ['GET /blade-examineTip/examinetip/list'],
  values: tipQuery,
  answer: pageOf(rowOf(examinetip)),
})

/** The caller's own and the shared phrases. Whoever reviews may use them, also without the right to keep some. */
export const myTips = endpoint('review.myTips', 'GET /blade-examineTip/examinetip/getMyList', {
  title: '审核提示语：可用的',
  access: ['examinetip', 'examine_act', 'examine_recheck'],
  values: tipQuery,
  answer: pageOf(rowOf(examinetip)),
})

/** One phrase. */
export const tipDetail = endpoint('review.tip', 'GET /blade-examineTip/examinetip/detail', {
  title: '审核提示语：详情',
  access: ['examinetip_view', 'examinetip'],
  values: { id: id('提示语') },
  answer: rowOf(examinetip),
})

/** One line of the work list. */
export type WorkRow = Wire<typeof workRowShape>
/** A reviewer's list with its counters. */
export type WorkPage = AnswerOf<typeof workList>
/** What a list may be asked for. */
export type WorkQuery = QueryOf<typeof workList>
/** What a list is narrowed by. */
export type ReviewFilter = NonNullable<BodyOf<typeof examineSignup>['filter']>
/** Everything a reviewer needs to decide. */
export type ReviewInfo = AnswerOf<typeof reviewInfo>
/** A file as the viewer shows it. */
export type ReviewFile = ReviewInfo['files'][number]['list'][number]
/** One opinion on a field or file. */
export type Advice = ReviewInfo['advisementList'][number]
/** Which look at a sign-up: the first review, the second, or at the choice of another position. */
export type Stage = 1 | 2 | 3
