import { text } from './field.ts'
import { count, group, id, list, maybe } from './shape.ts'

/** What is wrong with one cell of a workbook, with its row as the spreadsheet shows it. Without a column with its whole row. */
export const wrongCellShape = group({ row: count('行'), column: text('列'), msg: text('原因') })

/** What became of a workbook: rows taken in, rows that are wrong, each wrong cell, and the copy of the file that says what is wrong. */
export const sheetCountsShape = group({
  taskId: id('导入任务'),
  okNum: count('成功'),
  errNum: count('失败'),
  rows: list(wrongCellShape),
  errFile: maybe(id('错误明细')),
})

/** {@link sheetCountsShape} in the words of most calls, those of resources among them. */
export const sheetTotalsShape = group({
  total: count('总行数'),
  success: count('成功行数'),
  failed: count('失败行数'),
  errors: list(wrongCellShape),
  errFile: maybe(id('错误数据文件')),
})
