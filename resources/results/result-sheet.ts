import { sheet } from '#engine'
import { Result } from '../../schemas/results/result.ts'

/** Results of a stage, for everybody who is to have one. */
export const resultSheet = sheet(Result, {
  title: '成绩',
  version: 'result-1',
  fixed: ['itemId'],
  key: ['ticketNo'],
  columns: [
    { field: 'ticketNo', width: 22, help: '不编排准考证的项目为报名号' },
    { field: 'name', role: 'same', width: 12, help: '只用来核对；与报名姓名不同的行不导入', differs: '与报名姓名不符' },
    { field: 'code', role: 'shown', width: 12, help: '只供查看' },
    { field: 'score', judgedBy: 'check', width: 10, help: '最多两位小数；缺考、违纪的留空' },
    { field: 'addScore', judgedBy: 'check', width: 10, help: '' },
    { field: 'resultFlag', width: 12, help: '空 = 正常' },
    { field: 'remark', width: 24 },
  ],
})
