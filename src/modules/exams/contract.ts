import {
  type AnswerOf,
  checkLineShape,
  count,
  dateTime,
  endpoint,
  flag,
  group,
  id,
  integer,
  json,
  keyed,
  list,
  maybe,
  openGroup,
  optional,
  pick,
  secret,
  sometimes,
  text,
  truth,
  type Wire,
  words,
} from '#engine'
import { Examination } from '#schemas/exams/examination'
import { Examitems } from '#schemas/exams/examitems'
import { Examsignfiles } from '#schemas/exams/examsignfiles'
import { Examsignitems } from '#schemas/exams/examsignitems'
import { User } from '#schemas/system/user'
import { startFields, takenPartNames, templateNames, usualPaperNames } from './rules/new-exam.ts'

const examId = id('考试')

/** What a position demands, in keys and words. */
export const demandsShape = group({
  id: id('岗位'),
  ...pick(Examitems, 'unit', 'type', 'code', 'postName', 'planNum', 'curPlanNum', 'postStatus').of,
  ...pick(Examitems, 'eduReq', 'degreeReq', 'majorReq', 'titleReq', 'certReq', 'ageMax', 'sexReq', 'freshReq').of,
  ...pick(Examitems, 'expYears', 'regionReq', 'otherReq', 'examSubject', 'remark').of,
  unitName: text('招聘单位名称'),
  typeName: text('岗位类别名称'),
  eduReqName: text('学历要求名称'),
  degreeReqName: text('学位要求名称'),
  titleReqName: text('职称要求名称'),
})

/** A position as candidates choose among them, with how many stand at it where that is shown. */
export const positionShape = group({
  ...demandsShape.of,
  signNum: maybe(count('报名人数')),
  passNum: maybe(count('通过人数')),
  ratio: text('报名人数与计划数之比'),
  full: truth('是否已满'),
  selectable: truth('能否选择'),
  reason: text('不能选择的原因'),
})

/** Releases an exam, again with a reason. */
export const releaseExam = endpoint('exams.release', 'POST /blade-exam/examination/releaseExam', {
  title: '考试：发布',
  access: ['examination_release'],
  also: ['GET /blade-exam/examination/releaseExam'],
  changes: true,
  values: { id: examId, reason: optional(text('原因')) },
  /** A sentence where a process of the tenant decides, and the exam stays as it is until then. */
  answer: group({ message: sometimes(text('说明')) }),
})

/** Closes an exam. */
export const closeExam = endpoint('exams.close', 'POST /blade-exam/examination/closeExam', {
  title: '考试：关闭',
  access: ['examination_close'],
  also: ['GET /blade-exam/examination/closeExam'],
  changes: true,
  values: { id: examId, reason: optional(text('原因')) },
})

/** What an exam lacks before it may be released. */
export const checkRelease = endpoint('exams.checkRelease', 'GET /blade-exam/examination/checkRelease', {
  title: '考试：发布检查',
  access: ['examination_release'],
  values: { id: examId },
  answer: list(checkLineShape),
})

/** What stands against archiving an exam. */
export const checkArchive = endpoint('exams.checkArchive', 'GET /blade-exam/examination/checkArchive', {
  title: '考试：归档检查',
  access: ['examination_archive'],
  values: { id: examId },
  answer: list(checkLineShape),
})

/** Which exports the archive of an exam asks for, how much of each is there, and who made the latest. */
export const archiveExports = endpoint('exams.archiveExports', 'GET /blade-exam/examination/archiveExports', {
  title: '考试：归档所需的导出',
  access: ['examination_archive'],
  query: { id: examId },
  answer: group({
    /** An export counts that was begun at this moment or later. */
    since: maybe(dateTime('起算时间')),
    exports: list(
      group({
        business: words('业务', 'signup', 'signupForms', 'signupFiles', 'result'),
        label: text('资料'),
        total: count('条数'),
        missing: count('未导出'),
        last: maybe(group({ time: dateTime('导出时间'), userName: maybe(text('操作人')) })),
      }),
    ),
  }),
})

/** Archives a closed exam for good. */
export const archiveExam = endpoint('exams.archive', 'POST /blade-exam/examination/archive', {
  title: '考试：归档',
  access: ['examination_archive'],
  values: { id: examId },
})

/**
 * Has the whole archive of an exam made in the background: every table, form, paper and log, signed and with what it takes to look
 * at it and to verify it. With numbers in full it takes a reason and the own password, and is made when a second person has confirmed it.
 */
export const archiveWhole = endpoint('exams.archiveWhole', 'POST /blade-exam/examination/archiveWhole', {
  title: '考试：整场归档包',
  access: ['examination_archive'],
  openBody: true,
  body: {
    id: examId,
    sort: words('种类', 'full', 'masked'),
    reason: optional(text('用途', { maxLength: 255 })),
    password: optional(secret('密码', { maxLength: 4096 })),
    keyId: optional(text('密钥', { maxLength: 40 })),
  },
  answer: group({
    /** None while it waits for a second person. */
    taskId: maybe(id('任务编号')),
    /** What the second person confirms. */
    waits: maybe(id('待确认编号')),
  }),
})

/** The mark of the key that signs archives: people compare it with the one that an archive names. */
export const archiveMark = endpoint('exams.archiveMark', 'GET /blade-exam/examination/archiveMark', {
  title: '考试：归档公钥指纹',
  access: ['examination_archive'],
  answer: group({ mark: text('公钥指纹') }),
})

/** Makes a new exam of another one, its dates moved by days. */
export const copyExam = endpoint('exams.copy', 'POST /blade-exam/examination/copyExam', {
  title: '考试：复制',
  access: ['examination_copy'],
  values: { id: examId, newName: optional(text('考试名称')), shiftDays: optional(integer('日期顺延天数')) },
  answer: group({ id: examId }),
})

/**
 * What a new exam is proposed to have: the exam to copy, and what of it fits another year. Unless one is named that is the newest of the
 * type that is asked for, or else of the type that there are most of.
 */
export const examProposal = endpoint('exams.proposal', 'GET /blade-exam/examination/proposal', {
  title: '考试：新建的建议',
  access: ['examination_add'],
  query: { id: optional(examId), examType: optional(text('考试类型')) },
  answer: group({
    source: maybe(group({ id: examId, ...pick(Examination, 'examName').of })),
    exam: maybe(group(pick(Examination, 'examName', 'examType', 'organizer', 'contactPhone', 'examineMode').of)),
    examDay: maybe(startFields.examDay),
    fee: startFields.fee,
    parts: group({
      positions: count('岗位数'),
      stages: count('考试项目数'),
      form: count('信息项数'),
      papers: count('附件项数'),
      staff: count('授权数'),
    }),
  }),
})

/** Makes a draft of an exam with what another one or a template gives it. */
export const beginExam = endpoint('exams.begin', 'POST /blade-exam/examination/begin', {
  title: '考试：新建',
  access: ['examination_add'],
  body: {
    exam: json<Record<string, unknown>>('考试内容'),
    fromId: optional(examId),
    take: list(words('复制的内容', ...takenPartNames)),
    template: words('模板', ...templateNames),
    fee: startFields.fee,
    items: startFields.items,
    papers: list(words('要求的附件', ...usualPaperNames)),
  },
  answer: group({ id: examId }),
})

/** The form of an exam as its builder sees it. */
export const formInfo = endpoint('exams.form', 'GET /blade-exam/examination/getFormInfo', {
  title: '考试：报名表',
  access: ['examination_preview'],
  values: { id: examId },
  answer: group({
    exam: group({ id: examId, ...pick(Examination, 'examName', 'examStatus').of }),
    items: list(
      openGroup({
        id: id('信息项'),
        ...pick(Examsignitems, 'itemCode', 'itemName', 'groupName', 'inputType', 'dictCode', 'required').of,
        ...pick(Examsignitems, 'enable', 'span', 'applyTypes').of,
        sort: integer('排序'),
        showWhen: maybe(json<Record<string, string[]>>('显示条件')),
        rules: maybe(json<Record<string, unknown>>('限制')),
        columns: maybe(json<{ itemCode: string; itemName: string; inputType: number }[]>('子表列')),
      }),
    ),
    files: list(
      openGroup({
        id: id('附件项'),
        ...pick(Examsignfiles, 'fileCode', 'fileName', 'fileDesc', 'required', 'maxNum', 'maxSize', 'exts').of,
        ...pick(Examsignfiles, 'isPhoto', 'enable').of,
        showWhen: maybe(json<Record<string, string[]>>('显示条件')),
      }),
    ),
    dicts: keyed(list(group({ key: text('键'), value: text('名称') }))),
  }),
})

/** Takes fields of the library into the form of an exam. */
export const addFromLibrary = endpoint('exams.addFromLibrary', 'POST /blade-signitems/examsignitems/addFromLibrary', {
  title: '报名信息项：从信息项库添加',
  access: ['examsignitems_add'],
  values: { examId, itemsIds: list(id('信息项')) },
  answer: group({ added: count('添加数') }),
})

/** The dictionaries of the tenant. */
export const dictionaryCodes = endpoint('exams.dictionaries', 'GET /blade-items/items/getAllDictCodeBiz', {
  title: '信息项库：可用字典',
  access: 'staff',
  answer: list(group({ code: text('字典编号'), dictValue: text('字典名称') })),
})

const examRole = integer('考试角色', { minimum: 1, maximum: 6 })

/** Who covers which unit of an exam in a role. */
export const staffMatrix = endpoint('exams.staff', 'GET /blade-examUser/examuser/getStaffMatrix', {
  title: '考试授权：总览',
  access: ['examuser'],
  values: { examId, examRole },
  answer: group({
    exam: group({ id: examId, ...pick(Examination, 'examName', 'examStatus', 'examineMode').of }),
    examRole,
    units: list(
      group({
        unit: text('单位'),
        unitName: text('单位名称'),
        posts: count('岗位数'),
        waiting: count('待审人数'),
        lacking: list(text('缺少人员的岗位')),
      }),
    ),
    people: list(
      group({
        userId: id('用户'),
        name: text('姓名'),
        usable: truth('账号是否可用'),
        idle: count('停用或到期的授权数'),
        all: truth('全部单位'),
        units: list(text('全部岗位的单位')),
        part: list(text('部分岗位的单位')),
        timed: keyed(group({ startTime: maybe(dateTime('授权开始')), endTime: maybe(dateTime('授权结束')) })),
      }),
    ),
  }),
})

/** People to choose from for an exam role. */
export const staffPeople = endpoint('exams.staffPeople', 'GET /blade-examUser/examuser/getStaffPeople', {
  title: '考试授权：可选人员',
  access: ['examuser_appoint'],
  values: { examRole, keyword: optional(text('关键词')) },
  answer: list(
    group({
      id: id('用户'),
      name: text('姓名'),
      account: User.properties.account,
      roleNames: maybe(text('角色')),
    }),
  ),
})

const cells = {
  examId,
  examRole,
  userIds: list(id('用户')),
  units: sometimes(list(text('单位'))),
  all: optional(flag('全部单位')),
}
const span = { startTime: optional(text('授权开始')), endTime: optional(text('授权结束')) }

/** Appoints people to units of an exam. */
export const appointStaff = endpoint('exams.appoint', 'POST /blade-examUser/examuser/appoint', {
  title: '考试授权：授权',
  access: ['examuser_appoint'],
  values: { ...cells, ...span },
  answer: group({ changed: count('变更数') }),
})

/** Takes appointments back. */
export const dismissStaff = endpoint('exams.dismiss', 'POST /blade-examUser/examuser/dismiss', {
  title: '考试授权：撤销',
  access: ['examuser_appoint'],
  values: cells,
  answer: group({ changed: count('变更数') }),
})

/** Takes over the staff of another exam. */
export const copyStaff = endpoint('exams.copyStaff', 'POST /blade-examUser/examuser/copyFrom', {
  title: '考试授权：从其他考试复制',
  access: ['examuser_appoint'],
  values: { examId, fromExamId: examId, ...span },
  answer: group({
    copied: count('写入的授权数'),
    same: count('已有的授权数'),
    left: list(openGroup({ userName: text('姓名'), examRole: integer('考试角色'), msg: text('原因') })),
  }),
})

/** The form of an exam as its builder sees it. */
export type FormInfo = AnswerOf<typeof formInfo>
/** A field of it. */
export type FormItem = FormInfo['items'][number]
/** A file it asks for. */
export type FormFile = FormInfo['files'][number]
/** Who covers which unit of an exam in a role. */
export type Matrix = AnswerOf<typeof staffMatrix>
/** A unit of the exam and what it lacks in the role shown. */
export type StaffUnit = Matrix['units'][number]
/** Somebody who may be appointed. */
export type Choice = AnswerOf<typeof staffPeople>[number]
/** What copying from another exam answers. */
export type Copied = AnswerOf<typeof copyStaff>
/** Somebody with the role in the exam, and which units they have. */
export type StaffPerson = Matrix['people'][number]
/** A position as candidates choose among them. */
export type Position = Wire<typeof positionShape>
