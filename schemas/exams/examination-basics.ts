import { dict, image, integer, optional, ref, richText, text } from '#engine'
import { examType } from '../dictionaries.ts'

/** What the exam is and who holds it, and what people agree to when they sign up. */
export const basicFields = {
  examName: text('考试名称', { maxLength: 100 }),
  shortName: optional(text('考试简称', { maxLength: 12, help: '消息里这样称呼考试，不填时用考试名称' })),
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
