import { count, group, id, maybe, pick, text, truth, type Wire } from '#engine'
import { Examitems } from '#schemas/exams/examitems'

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

/** A position as candidates choose among them. */
export type Position = Wire<typeof positionShape>
