import {
  date,
  dateTime,
  decimal,
  dict,
  entity,
  filled,
  flag,
  image,
  integer,
  json,
  optional,
  type Row,
  ref,
  richText,
  state,
  text,
} from '#engine'
import { examineMode, examStatus, examType, reduceBase } from '../dictionaries.ts'

/** What the exam is and who holds it. */
const basics = {
  examName: text('考试名称', { maxLength: 100 }),
  examCode: text('考试代码', { maxLength: 12, pattern: '^[0-9A-Za-z]+$', unique: true }),
  examType: dict('考试类型', examType),
  examYear: integer('年度', { minimum: 0 }),
  organizer: text('主办单位', { maxLength: 100 }),
  deptId: ref('负责机构', 'dept'),
  contactPhone: text('咨询电话', { maxLength: 100 }),
  cover: optional(image('封面')),
  examDesc: optional(richText('考试简介')),
  signNotice: richText('报名须知'),
  promise: richText('诚信承诺书'),
  consentVersion: text('告知版本', { maxLength: 10 }),
}

/** Sign-up, review and reduction of posts. */
const signing = {
  signStartTime: dateTime('报名开始时间'),
  signEndTime: dateTime('报名结束时间'),
  modifyEndTime: dateTime('补正截止时间'),
  examineEndTime: dateTime('审核截止时间'),
  examineMode: dict('审核方式', examineMode),
  maxSignup: optional(integer('报名总上限', { minimum: 0 })),
  ageBaseDate: optional(date('年龄计算基准日')),
  openRatio: decimal('默认开考比例', { default: '3.00' }),
  reduceBase: dict('核减依据', reduceBase),
  allowAdjust: flag('允许调剂'),
  reduceStartTime: optional(dateTime('改报开始时间')),
  reduceEndTime: optional(dateTime('改报结束时间')),
}

/** Payment, tickets, the exam itself, results. */
const afterwards = {
  needPay: flag('是否收费'),
  payStartTime: optional(dateTime('缴费开始时间')),
  payEndTime: optional(dateTime('缴费结束时间')),
  ticketStartTime: optional(dateTime('准考证下载开始')),
  ticketEndTime: optional(dateTime('准考证下载结束')),
  ticketNeedSure: flag('下载前须确认须知'),
  ticketNeedPic: optional(text('下载前须上传材料', { maxLength: 20 })),
  picLabels: optional(json('材料名称')),
  examStartTime: optional(dateTime('考试开始时间')),
  examEndTime: optional(dateTime('考试结束时间')),
  resultTime: optional(dateTime('成绩查询开始时间')),
  resultEndTime: optional(dateTime('成绩查询结束时间')),
  appealEndTime: optional(dateTime('复核/申诉截止')),
  publicityStart: optional(dateTime('公示开始时间')),
  publicityEnd: optional(dateTime('公示结束时间')),
}

/** How it is run, and what has been done with it. */
const rules = {
  showNum: flag('公开实时报名人数'),
  graceSeconds: optional(integer('截止宽限秒数', { minimum: 0 })),
  hardRules: optional(json('硬性条件')),
  examStatus: state('考试状态', examStatus),
  releaseTime: filled(optional(dateTime('发布时间'))),
  releaseUser: filled(optional(ref('发布人', 'user'))),
  closeTime: filled(optional(dateTime('关闭时间'))),
  closeReason: filled(optional(text('关闭原因'))),
  reopenReason: filled(optional(text('重新发布原因'))),
}

export const Examination = entity(
  'examination',
  '考试',
  { ...basics, ...signing, ...afterwards, ...rules },
  { version: true },
)
export type Examination = Row<typeof Examination>
