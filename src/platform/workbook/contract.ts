import { download, endpoint, group, id, list, pageOf, paging, pick, rowOf } from '#engine'
import { exporttask } from '#resources/workbook/exporttask'
import { importtask } from '#resources/workbook/importtask'
import { Exporttask } from '#schemas/workbook/exporttask'

const exportLines = { access: 'staff', values: paging, answer: pageOf(rowOf(exporttask)) } as const
const importLines = { access: ['importtask'], values: paging, answer: pageOf(rowOf(importtask)) } as const

/** Exports that the caller had made; administrators and auditors see those of everybody. Filtered like the list of a resource. */
export const exportPage = endpoint('workbook.exportPage', 'GET /blade-exam/exporttask/page', {
  title: '导出任务：分页',
  ...exportLines,
})

/** {@link exportPage} by its other name. */
export const exportList = endpoint('workbook.exportList', 'GET /blade-exam/exporttask/list', {
  title: '导出任务：列表',
  ...exportLines,
})

/** One export. */
export const exportDetail = endpoint('workbook.exportDetail', 'GET /blade-exam/exporttask/detail', {
  title: '导出任务：详情',
  access: 'staff',
  query: { id: id('编号') },
  answer: rowOf(exporttask),
})

/** Imports of the caller; administrators and auditors see those of everybody. Filtered like the list of a resource. */
export const importPage = endpoint('workbook.importPage', 'GET /blade-exam/importtask/page', {
  title: '导入任务：分页',
  ...importLines,
})

/** {@link importPage} by its other name. */
export const importList = endpoint('workbook.importList', 'GET /blade-exam/importtask/list', {
  title: '导入任务：列表',
  ...importLines,
})

/** One import. */
export const importDetail = endpoint('workbook.importDetail', 'GET /blade-exam/importtask/detail', {
  title: '导入任务：详情',
  access: ['importtask'],
  query: { id: id('编号') },
  answer: rowOf(importtask),
})

/** The caller's exports in the background that are under way, or ended in the last day and not looked at. */
export const exportNews = endpoint('workbook.exportNews', 'GET /blade-exam/exporttask/news', {
  title: '导出任务：进行中与未查看',
  access: 'staff',
  answer: list(
    group({
      id: id('编号'),
      ...pick(Exporttask, 'title', 'taskStatus', 'rowNum', 'totalNum', 'failReason').of,
    }),
  ),
})

/** The file of an export in the background, for whoever asked for it. */
export const exportFile = endpoint('workbook.exportFile', 'GET /blade-exam/exporttask/download', {
  title: '导出任务：下载',
  access: 'staff',
  query: { id: id('编号') },
  answer: download('xlsx', 'zip', 'any'),
})

/** Gives up an export that is under way. */
export const cancelExportTask = endpoint('workbook.cancelExport', 'POST /blade-exam/exporttask/cancel', {
  title: '导出任务：取消',
  access: 'staff',
  query: { id: id('编号') },
})

/** Makes an export again that failed or was given up. */
export const retryExportTask = endpoint('workbook.retryExport', 'POST /blade-exam/exporttask/retry', {
  title: '导出任务：重新导出',
  access: 'staff',
  query: { id: id('编号') },
})

/** An export is news no longer. */
export const seeExportTask = endpoint('workbook.seeExport', 'POST /blade-exam/exporttask/seen', {
  title: '导出任务：已查看',
  access: 'staff',
  query: { id: id('编号') },
})
