import { date, dateTime, dict, filled, image, optional, ref, sealed, state, text } from '#engine'
import {
  degree,
  education,
  examineStatus,
  payState,
  postType,
  recruitUnit,
  reduceState,
  reviewStatus,
  sex,
  ticketStatus,
} from '../dictionaries.ts'
import { positionCode } from '../exams/position-code.ts'

/** Who signs up, as taken from the account at the moment of handing in. */
export const applicantFields = {
  userId: filled(ref('考生', 'user')),
  name: filled(text('姓名', { maxLength: 20 })),
  idCard: filled(sealed('证件号码', { format: 'idCard' })),
  phone: filled(optional(sealed('手机号码', { format: 'phone' }))),
  sex: filled(dict('性别', sex)),
  birthday: filled(date('出生日期')),
  photo: filled(optional(image('证件照'))),
}

/**
 * Answers to items of the exam's form that a column keeps besides, under the code of the item: the form, the reviewers' page
 * and the printed form show the item as they show any other; the column is for filters, lists and workbooks.
 */
export const answerFields = {
  education: filled(optional(dict('最高学历', education))),
  degree: filled(optional(dict('最高学位', degree))),
}

/** Name of a column that keeps an answer. */
export type AnswerField = keyof typeof answerFields

/** Names of the columns that keep an answer. */
export const answerNames = Object.keys(answerFields) as readonly AnswerField[]

/** What the two reviews said, and who said it. */
export const reviewFields = {
  examine: state('审核状态', examineStatus),
  examineRemark: filled(optional(text('审核意见', { maxLength: 500 }))),
  examineTime: filled(optional(dateTime('审核时间'))),
  examineUser: filled(optional(ref('审核人', 'user'))),
  reviewStatus: state('复审状态', reviewStatus),
  reviewRemark: filled(optional(text('复审意见', { maxLength: 500 }))),
  reviewUser: filled(optional(ref('复审人', 'user'))),
  reviewTime: filled(optional(dateTime('复审时间'))),
}

/** Where the sign-up stands behind the reviews: reduction with the position that counts, payment. */
export const outcomeFields = {
  reduceState: state('核减处理', reduceState),
  finalUnit: filled(optional(dict('有效单位', recruitUnit))),
  finalType: filled(optional(dict('有效类别', postType))),
  finalCode: filled(optional(text('有效岗位代码', positionCode))),
  payState: state('缴费状态', payState),
}

/** How the latest ticket of a sign-up stands; a draft while there is none. */
export const ticketState = dict('准考证状态', ticketStatus)
