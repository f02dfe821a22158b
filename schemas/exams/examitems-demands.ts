import { dict, dicts, integer, longText, optional, text } from '#engine'
import { degree, education, freshReq, sexReq, titleLevel } from '../dictionaries.ts'

/** What a position demands of whoever signs up for it. */
export const demandFields = {
  eduReq: optional(dict('学历要求', education)),
  degreeReq: optional(dicts('学位要求', degree)),
  majorReq: optional(longText('专业要求')),
  ageMax: optional(integer('年龄上限', { minimum: 0 })),
  sexReq: optional(dict('性别要求', sexReq)),
  freshReq: optional(dict('应届要求', freshReq)),
  titleReq: optional(dicts('职称要求', titleLevel)),
  certReq: optional(text('执业资格要求')),
  expYears: optional(integer('工作年限', { minimum: 0 })),
  regionReq: optional(text('户籍/生源要求', { maxLength: 100 })),
  otherReq: optional(longText('其他条件')),
}
