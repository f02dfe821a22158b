import { date, dateTime, decimal, dict, flag, integer, json, optional, text } from '#engine'
import { examineMode, reduceBase } from '../dictionaries.ts'

/** Sign-up, review and reduction of posts: their windows and rules. */
export const signingFields = {
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

/** Payment, tickets, the exam itself, results: their windows. */
export const laterFields = {
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
