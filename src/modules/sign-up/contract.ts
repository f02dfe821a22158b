import {
  type AnswerOf,
  backgroundDownload,
  count,
  date,
  dateTime,
  deadlineShape,
  download,
  endpoint,
  flag,
  group,
  id,
  integer,
  json,
  keyed,
  list,
  maybe,
  money,
  openGroup,
  optional,
  pageOf,
  pageWith,
  paging,
  pick,
  sometimes,
  text,
  tree,
  truth,
  type Upload,
  type Wire,
  words,
} from '#engine'
import { phaseShape } from '#resources/exams/standing'
import { Examination } from '#schemas/exams/examination'
import { Signup } from '#schemas/sign-up/signup'
import { adviceShape, filesShape, findingShape, keptFileShape } from '#schemas/sign-up/signup-json'
import { ticketState } from '#schemas/sign-up/signup-parts'
import { positionShape } from '../exams/contract.ts'
import type { FileSlot } from '../exams/rules/sign-files.ts'
import type { Content, SignItem } from '../exams/rules/sign-item.ts'

const examId = id('考试')
const word = (title: string) => optional(text(title, { maxLength: 30 }))

/** An exam's own words and times, as everybody may see them. */
export const examShape = group({
  id: examId,
  examId,
  ...pick(Examination, 'examName', 'examCode', 'examType', 'examYear', 'organizer', 'contactPhone', 'cover').of,
  phases: list(phaseShape),
  deadline: maybe(deadlineShape),
  ...pick(Examination, 'showNum', 'signStartTime', 'signEndTime', 'modifyEndTime', 'examineEndTime').of,
  ...pick(Examination, 'payStartTime', 'payEndTime', 'examStartTime', 'examEndTime', 'ageBaseDate').of,
  ...pick(Examination, 'reduceStartTime', 'reduceEndTime', 'resultTime', 'ticketStartTime', 'ticketEndTime').of,
  ...pick(Examination, 'graceSeconds', 'allowAdjust', 'needPay', 'consentVersion').of,
})

/** An exam as one line of a list. How many have signed up is empty where the exam keeps it to itself. */
export const examLineShape = group({
  ...examShape.of,
  examTypeName: text('考试类型名称'),
  planTotal: count('招聘计划数'),
  postNum: count('岗位数'),
  signNum: maybe(count('报名人数')),
  serverTime: dateTime('服务器时间'),
})

/** An exam as everybody meets it: its words and days, its positions, what is to be known and promised. */
export const examFaceShape = group({
  ...examLineShape.of,
  ...pick(Examination, 'examDesc', 'signNotice', 'promise').of,
  positions: list(positionShape),
})

/** A file of a sign-up; its address needs no header and opens for five minutes. */
export const linkedFileShape = group({ ...keptFileShape.of, url: text('地址') })

/** One line of a sign-up's history. */
export const historyShape = group({
  signupId: id('报名'),
  kind: words('类别', 'sign', 'examine'),
  label: text('名称'),
  stage: integer('审核环节'),
  result: integer('结果'),
  remark: text('意见'),
  advisementList: list(adviceShape),
  userName: text('操作人'),
  time: dateTime('时间'),
})

/** A field of a filled form, its value and its words. */
export const filledItemShape = group({
  code: text('代码'),
  label: text('名称'),
  inputType: integer('控件类型'),
  value: json('值'),
  text: text('显示的文字'),
})

/** A station on the way of a sign-up. `time`: until when or from when it goes on `here`, when it comes `ahead`. */
export const stationShape = group({
  station: words('站点', 'SIGN', 'EXAMINE', 'CHOOSE_POST', 'PAY', 'TICKET', 'STAGE', 'SCORE', 'PUBLICITY'),
  name: text('名称'),
  state: words('状态', 'done', 'here', 'ahead', 'ended'),
  time: maybe(dateTime('时间')),
  reason: text('结束原因'),
})

const slotShape = group({ ...filesShape.of, list: list(linkedFileShape) })

/** A candidate's own sign-up. */
const mineShape = group({
  id: id('报名'),
  version: integer('版本号'),
  ...pick(Signup, 'signNo', 'signStatus', 'examine', 'examineRemark', 'examineTime', 'reviewStatus').of,
  ...pick(Signup, 'reviewRemark', 'reduceState', 'unit2', 'type2', 'code2', 'adjustAccept', 'area').of,
  content: maybe(json<Content>('报名表内容')),
  unit: maybe(text('报考单位')),
  type: maybe(text('岗位类别')),
  code: maybe(text('岗位代码')),
  province: maybe(text('省')),
  city: maybe(text('市')),
  photo: maybe(id('证件照')),
  files: list(slotShape),
  ...pick(Signup, 'submitTime', 'submitCount', 'payState').of,
  ticketState,
  precheck: maybe(list(findingShape)),
  advisementList: list(adviceShape),
})

const sheet = {
  id: sometimes(id('报名')),
  examId,
  draft: optional(flag('是否草稿')),
  unit: word('报考单位'),
  type: word('岗位类别'),
  code: word('岗位代码'),
  unit2: word('调剂单位'),
  type2: word('调剂岗位类别'),
  code2: word('调剂岗位代码'),
  adjustAccept: optional(flag('服从调剂')),
  province: optional(text('省', { maxLength: 12 })),
  city: optional(text('市', { maxLength: 12 })),
  area: optional(text('区县', { maxLength: 12 })),
  content: sometimes(keyed(json('报名表内容'))),
  files: sometimes(
    list(
      openGroup({
        fileCode: text('代码', { maxLength: 50 }),
        list: list(openGroup({ attachId: id('附件') }), { max: 50 }),
      }),
      {
        max: 50,
      },
    ),
  ),
  consentVersion: optional(text('承诺书版本', { maxLength: 10 })),
  version: optional(integer('版本号')),
}

/** A sign-up with its files. */
const signupUpload = {
  files: 50,
  KB: 20 * 1024,
  allKB: 50 * 1024,
  fields: 40,
  fieldKB: 1024,
} as const satisfies Upload

/** Exams that are out, with the caller's own state in each. */
export const examList = endpoint('signUp.exams', 'GET /blade-signup/signup/examList', {
  title: '报名：考试列表',
  access: 'signed-in',
  scraped: true,
  query: {
    ...paging,
    examName: optional(text('考试名称', { maxLength: 100 })),
    examType: optional(text('考试类型', { maxLength: 64 })),
  },
  answer: pageOf(
    group({
      ...examLineShape.of,
      mySign: maybe(group({ id: id('报名'), ...pick(Signup, 'signNo', 'signStatus', 'examine').of })),
    }),
  ),
})

/** The caller's sign-ups, each with what to do next and what has happened. */
export const mySignups = endpoint('signUp.mine', 'GET /blade-signup/signup/myExamList', {
  title: '报名：我的报名',
  access: 'signed-in',
  query: paging,
  answer: pageOf(
    group({
      id: id('报名'),
      ...pick(Signup, 'signNo', 'examId', 'finalCode', 'adjustAccept', 'signStatus', 'examine', 'examineRemark').of,
      ...pick(Signup, 'examineTime', 'reviewStatus', 'reviewRemark', 'reduceState', 'payState').of,
      ticketState,
      ...pick(Signup, 'submitTime').of,
      ...pick(Examination, 'examName', 'contactPhone').of,
      version: integer('版本号'),
      unit: maybe(text('单位')),
      unitName: text('单位名称'),
      type: maybe(text('岗位类别')),
      typeName: text('岗位类别名称'),
      code: maybe(text('岗位代码')),
      postName: text('岗位名称'),
      canAdjust: truth('能否修改服从调剂'),
      withdrawBlock: text('不能放弃的原因'),
      steps: list(
        group({ action: integer('动作'), label: text('名称'), time: dateTime('时间'), remark: text('意见') }),
      ),
      nextStep: words(
        '下一步',
        'FILL',
        'WAIT',
        'FIX',
        'CHOOSE_POST',
        'PAY',
        'SURE',
        'UPLOAD',
        'TICKET',
        'CONFIRM',
        'SCORE',
        'DONE',
      ),
      /** What can be paid now where that is the next step. */
      payAmount: maybe(money('应缴金额')),
      /** Papers for an exemption from what is due are being checked; other servers than ours answer none. */
      isExemptAsked: sometimes(truth('免缴材料是否待核')),
      deadline: maybe(dateTime('截止时间')),
      /** Other servers than ours answer none. */
      line: sometimes(list(stationShape)),
      isOver: truth('考试是否已结束或已放弃'),
    }),
  ),
})

/** All that the sign-up page of an exam needs. */
export const signupPage = endpoint('signUp.page', 'GET /blade-signup/signup/getExamInfoOrSignUpInfo', {
  title: '报名：报名页',
  access: 'signed-in',
  scraped: true,
  query: { examId },
  answer: group({
    exam: group({ ...examShape.of, ...pick(Examination, 'examDesc').of, examTypeName: text('考试类型名称') }),
    items: list(json<SignItem>('信息项')),
    groups: list(group({ name: text('分组'), label: text('名称'), codes: list(text('代码')) })),
    files: list(json<FileSlot>('附件项')),
    positions: list(positionShape),
    dicts: keyed(list(tree('Choice', { key: text('键'), value: text('名称') }))),
    units: list(group({ unit: text('单位'), unitName: text('单位名称') })),
    notice: maybe(text('报名须知')),
    promise: maybe(text('承诺书')),
    consentVersion: Examination.properties.consentVersion,
    numTime: dateTime('人数统计时间'),
    applicant: group({
      realName: text('姓名'),
      idType: integer('证件类型'),
      sex: words('性别', 1, 2, 3),
      birthday: maybe(date('出生日期')),
      avatar: maybe(id('证件照')),
      idCard: text('证件号码'),
      phone: text('手机号码'),
      complete: truth('是否完整'),
    }),
    mySignup: maybe(mineShape),
    canEdit: truth('能否修改'),
    editReason: text('不能修改的原因'),
    editScope: list(text('可修改的部分')),
    deadline: maybe(dateTime('截止时间')),
    serverTime: dateTime('服务器时间'),
  }),
})

/** The files that an exam asks for. */
export const signupFiles = endpoint('signUp.files', 'GET /blade-signup/signup/getSignUpFiles', {
  title: '报名：附件项',
  access: 'signed-in',
  query: { examId },
  answer: list(json<FileSlot>('附件项')),
})

/** Everything of one sign-up. */
export const signupDetail = endpoint('signUp.detail', 'GET /blade-signup/signup/detail', {
  title: '报名：详情',
  access: 'signed-in',
  query: { id: id('报名') },
  answer: group({
    ...mineShape.of,
    ...pick(Signup, 'examId', 'name', 'sex', 'finalUnit', 'finalType', 'finalCode', 'cancelReason').of,
    examName: text('考试名称'),
    birthday: maybe(date('出生日期')),
    idCard: text('证件号码'),
    phone: text('手机号码'),
    unitName: text('报考单位名称'),
    typeName: text('岗位类别名称'),
    postName: text('岗位名称'),
    unit2Name: text('调剂单位名称'),
    post2Name: text('调剂岗位名称'),
    groups: list(group({ name: text('分组'), label: text('名称'), items: list(filledItemShape) })),
    logs: list(historyShape),
  }),
})

/** The printed form of a sign-up, or of what is being filled in. */
export const printSignup = endpoint('signUp.print', 'POST /blade-signup/signup/exportPDFView', {
  title: '报名：打印报名表',
  access: 'signed-in',
  work: 'print',
  body: { ...sheet, examId: sometimes(examId), signupId: sometimes(id('报名')) },
  anyOf: [['signupId'], ['examId']],
  answer: download('pdf'),
})

/** Saves a sign-up, or hands it in. Some clients send it as a form with its files. */
export const submitSignup = endpoint('signUp.submit', 'POST /blade-signup/signup/submit', {
  counted: 'signup',
  title: '报名：保存或提交',
  access: 'candidate',
  upload: signupUpload,
  body: sheet,
  answer: group({
    id: id('报名'),
    ...pick(Signup, 'signNo', 'signStatus', 'examine', 'submitTime').of,
    version: integer('版本号'),
    precheck: list(findingShape),
    problems: list(group({ field: text('代码'), label: text('名称'), msg: text('说明') })),
  }),
})

/** Compares what has been filled in with a position. */
export const precheckSignup = endpoint('signUp.precheck', 'POST /blade-signup/signup/precheck', {
  title: '报名：资格预检',
  access: 'candidate',
  body: {
    examId,
    unit: word('报考单位'),
    code: text('岗位代码', { maxLength: 30 }),
    content: sometimes(keyed(json('报名表内容'))),
  },
  answer: list(group({ ...findingShape.of, hard: truth('是否硬性条件') })),
})

const stands = group({ ...pick(Signup, 'signStatus').of, version: integer('版本号') })
const leave = { id: id('报名'), reason: optional(text('原因', { maxLength: 500 })) }

/** Takes a sign-up back, to change it. */
export const withdrawSignup = endpoint('signUp.withdraw', 'POST /blade-signup/signup/withdraw', {
  title: '报名：撤回',
  access: 'candidate',
  body: leave,
  answer: stands,
})

/** Gives a sign-up up. */
export const giveUpSignup = endpoint('signUp.giveUp', 'POST /blade-signup/signup/giveUp', {
  title: '报名：放弃',
  access: 'candidate',
  body: leave,
  answer: stands,
})

/** Removes drafts of the caller. */
export const removeSignups = endpoint('signUp.remove', 'POST /blade-signup/signup/remove', {
  title: '报名：删除草稿',
  access: 'candidate',
  query: { ids: text('编号', { maxLength: 4000 }) },
})

const order = {
  ids: text('编号'),
  columns: text('列'),
  fileCodes: text('附件项'),
  items: flag('是否包含报名表内容'),
  reason: text('导出用途'),
  password: text('密码'),
  keyId: text('密钥'),
}

/** The list of sign-ups as a workbook. */
export const exportSignups = endpoint('signUp.export', 'POST /blade-signup/signup/exportSignUp', {
  title: '报名：导出名单',
  access: ['signup_export'],
  values: order,
  answer: backgroundDownload('xlsx'),
})

/** The printed forms of sign-ups in an archive. */
export const exportForms = endpoint('signUp.exportForms', 'POST /blade-signup/signup/exportSignUpEach', {
  title: '报名：导出报名表',
  access: ['signup_export'],
  values: order,
  answer: backgroundDownload('zip'),
})

/** The files of sign-ups in an archive. */
export const exportFiles = endpoint('signUp.exportFiles', 'POST /blade-signup/signup/exportFilesForUser', {
  title: '报名：导出附件',
  access: ['signup_export'],
  values: order,
  answer: backgroundDownload('zip'),
})

/** The people of an exam with their photos, whose addresses open for five minutes. */
export const photoWall = endpoint('signUp.photos', 'GET /blade-signup/signup/getExamAvatarList', {
  title: '报名：照片墙',
  access: ['signup_view'],
  query: { ...paging, examId, unit: word('单位'), code: word('岗位代码'), missing: optional(flag('只看缺照片的')) },
  answer: pageWith(
    group({
      signupId: id('报名'),
      ...pick(Signup, 'signNo', 'name').of,
      unit: maybe(text('单位')),
      code: maybe(text('岗位代码')),
      photoUrl: text('照片地址'),
      width: maybe(count('宽')),
      height: maybe(count('高')),
      state: words('状态', 'ok', 'odd', 'missing'),
    }),
    { wanted: group({ width: count('宽'), height: count('高') }) },
  ),
})

/** A single number in full, with the reason why it is looked at. */
export const revealNumber = endpoint('signUp.reveal', 'POST /blade-signup/signup/reveal', {
  title: '报名：查看完整号码',
  access: ['signup_reveal'],
  query: { id: sometimes(id('报名')) },
  body: { id: sometimes(id('报名')), field: words('号码', 'idCard', 'phone'), reason: text('原因') },
  answer: group({ idCard: sometimes(text('证件号码')), phone: sometimes(text('手机号码')) }),
})

/** What candidates will meet of an exam, for whoever prepares it. */
export const examPreview = endpoint('signUp.preview', 'GET /blade-exam/examination/getPreview', {
  title: '考试：预览',
  access: ['examination_preview'],
  values: { id: examId },
  answer: group({ ...examFaceShape.of, ...pick(Examination, 'examStatus').of }),
})

/** Times and switches of an exam. */
export type Exam = Wire<typeof examShape>
type Listed = AnswerOf<typeof examList>['records'][number]
/** A line of the list of exams; candidates have their own state in it. */
export type ExamLine = Wire<typeof examLineShape> & Partial<Pick<Listed, 'mySign'>>
/** One of the caller's sign-ups. */
export type Mine = AnswerOf<typeof mySignups>['records'][number]
/** A station on its way. */
export type Station = NonNullable<Mine['line']>[number]
