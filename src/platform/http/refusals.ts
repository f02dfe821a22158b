import type { RefusalTable } from '#engine'

/** What the base refuses on behalf of every area: a request as such, rows, input, files and workbooks. */
export const baseRefusals = {
  'request.malformed': [400, 400, '请求参数格式错误', 'The parameters have the wrong format'],
  'request.unauthenticated': [401, 401, '请求未授权', 'Please log in'],
  'request.forbidden': [403, 403, '没有访问权限', 'You have no permission for this'],
  'request.notFound': [404, 404, '没找到请求', 'There is nothing at this address'],
  'request.methodNotAllowed': [405, 405, '不支持当前请求方法', 'This address is there for another method'],
  'request.timedOut': [
    408,
    408,
    '请求内容没有在规定时间内传完，请检查网络后重试',
    'The request did not arrive in time. Check the network and try again',
  ],
  'request.unsupportedMedia': [415, 415, '不支持当前媒体类型', 'This kind of content is not accepted here'],
  'request.failed': [
    500,
    500,
    '系统异常，请联系管理员（{编号}）',
    'Something went wrong; tell the administrator this number: {编号}',
  ],
  'request.unavailable': [503, 503, '系统繁忙，请稍后再试', 'The system is busy. Please try again in a moment'],
  'row.sameApprover': [24018, 409, '申请人与审批人不能相同', 'Applicant and approver must differ'],
  'row.notFound': [29001, 404, '数据不存在', 'There is no such record'],
  'row.changed': [29002, 409, '数据已被他人修改，请刷新', 'Somebody else has changed it; please refresh'],
  'row.inUse': [29003, 409, '存在关联数据，不能删除', 'Other records depend on it; it cannot be removed'],
  'row.codeTaken': [29004, 409, '编码重复', 'The code is taken'],
  'row.builtIn': [29008, 403, '内置数据不能修改', 'Built-in records cannot change'],
  'row.wrongState': [29009, 409, '当前状态不能执行该操作', 'Not possible in the present state'],
  'input.invalid': [29005, 400, '参数不正确：{说明}', 'Not accepted: {说明}'],
  'input.repeated': [29006, 409, '请勿重复提交', 'Sent already'],
  'input.tooOften': [29007, 429, '操作过于频繁，请稍后再试', 'Too many requests; try again later'],
  'file.typeNotAllowed': [28001, 400, '不支持的文件类型{做法}', 'This kind of file is not accepted{做法}'],
  'file.tooLarge': [28002, 400, '文件超过{n}KB{做法}', 'The file is larger than {n} KB{做法}'],
  'file.contentInvalid': [28003, 400, '文件内容与格式不符{做法}', 'The file is not what its name says{做法}'],
  'file.pictureUnfit': [28004, 400, '图片尺寸不符合要求：{要求}{做法}', 'The picture does not fit: {要求}{做法}'],
  'file.notFound': [28009, 404, '文件不存在', 'There is no such file'],
  'file.storageUnavailable': [28010, 500, '文件存储暂不可用：{原因}', 'The file storage cannot be used: {原因}'],
  'file.dailyLimitReached': [
    28011,
    429,
    '今日上传总量已达上限（{n}MB），请明天再试或联系管理员',
    'You have uploaded as much as is allowed in a day ({n} MB). Try again tomorrow or ask an administrator',
  ],
  'workbook.templateInvalid': [28005, 400, '模板不正确，请下载最新模板', 'Wrong sheet; download the current template'],
  'workbook.rowsInvalid': [28006, 400, '导入有{n}行错误，未导入', '{n} rows are wrong; nothing was imported'],
  'workbook.exportRunning': [28007, 409, '同样的导出正在进行', 'The same export is running'],
  'workbook.tooManyRows': [28008, 400, '超过{n}行，请缩小范围', 'More than {n} rows; narrow the filter'],
} as const satisfies RefusalTable<'request' | 'row' | 'input' | 'file' | 'workbook'>

type BaseRefusals = typeof baseRefusals

declare module '#engine' {
  interface Refusals extends BaseRefusals {}
}
