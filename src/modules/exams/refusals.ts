import type { RefusalTable } from '#engine'

/** What exams and their positions refuse. */
export const examsRefusals = {
  'exams.notFound': [21001, 404, '考试不存在', 'There is no such exam'],
  'exams.notReleased': [21002, 409, '考试未发布或已关闭', 'The exam is not released or is closed'],
  'exams.incomplete': [21003, 409, '不能发布：{缺项清单}', 'Cannot be released: {缺项清单}'],
  'exams.fieldsFixed': [
    21004,
    409,
    '考试已发布，不能修改：{字段}',
    'The exam is released; these can no longer change: {字段}',
  ],
  'exams.hasSignups': [21005, 409, '已有报名数据，不能删除', 'There are sign-ups, so it cannot be removed'],
  'exams.timesInvalid': [21006, 400, '时间设置不合理：{说明}', 'The times do not fit: {说明}'],
  'exams.positionNotFound': [21007, 404, '岗位不存在', 'There is no such position'],
  'exams.positionDisabled': [21008, 409, '岗位已停用或已取消', 'The position is switched off or cancelled'],
  'exams.positionCodeTaken': [21009, 409, '岗位代码重复', 'The position code is taken'],
  'exams.positionHasSignups': [
    21010,
    409,
    '岗位已有人报名，不能删除或减少计划，请走岗位核减',
    'People have signed up for this position; reduce it through post reduction',
  ],
  'exams.archived': [21011, 409, '考试已归档，只能查看', 'The exam is archived and can only be viewed'],
} as const satisfies RefusalTable<'exams'>

type ExamsRefusals = typeof examsRefusals

declare module '#engine' {
  interface Refusals extends ExamsRefusals {}
}
