import type { Readable } from 'node:stream'
import { wireTime } from '../../../platform/http/server/wire.ts'
import { takenBy } from '../../../platform/pdf/taken-by.ts'
import { streamWorkbook } from '../../../platform/workbook/workbook.ts'
import type { PositionLine } from '../contract.ts'

/** Columns of the page and of the workbook alike. */
const columns = [
  ['unitName', '单位', 30],
  ['typeName', '岗位类别', 12],
  ['code', '岗位代码', 12],
  ['postName', '岗位名称', 22],
  ['planNum', '招聘计划数', 12],
  ['curPlanNum', '核减后计划数', 14],
  ['bmrs', '报名人数', 12],
  ['wshrs', '未审核', 10],
  ['shtgrs', '审核通过', 10],
  ['shbtgrs', '审核不通过', 12],
  ['thrs', '退回修改', 10],
  ['fszrs', '复审中', 10],
  ['jfrs', '缴费人数', 10],
  ['openRatio', '开考比例', 10],
  ['ratio', '实际比例', 10],
] as const satisfies readonly (readonly [keyof PositionLine, string, number])[]

const words: readonly string[] = ['unitName', 'typeName', 'code', 'postName']

/**
 * Figures per position as a workbook, with their sum and the time at which they were counted.
 * @param examName printed in the last row beside the time
 * @param person who takes it
 */
export function figuresSheet(
  { rows, total }: { rows: readonly PositionLine[]; total: PositionLine },
  examName: string,
  person: { name: string },
  now: Date,
): Readable {
  const heads = columns.map(([name, title, width]) => ({
    title,
    width,
    type: words.includes(name) ? ('text' as const) : ('number' as const),
  }))
  const reach = (row: PositionLine) => (row.reach === '' ? '' : row.reach ? '是' : '否')
  const line = (row: PositionLine) => [...columns.map(([name]) => row[name]), reach(row)]
  const last = [examName, '', '', `统计截至 ${wireTime(now)}`]
  return streamWorkbook({
    sheet: '报名统计',
    columns: [...heads, { title: '达到开考比例', width: 14 }],
    rows: [...rows.map(line), line(total), last],
    foot: takenBy(person, now),
  })
}
