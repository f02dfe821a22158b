import { App, Progress } from 'antd'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import type { Resource } from '#engine'
import { exporttask } from '#resources/workbook/exporttask'
import { TaskStatus } from '#schemas/dictionaries/platform'
import { SensitiveLevel } from '#schemas/dictionaries/sign-up'
import { call, saveFile } from '../../platform/http/browser/call.ts'
import { useT } from '../../platform/i18n/i18n.ts'
import { cancelExportTask, exportFile, retryExportTask } from '../../platform/workbook/contract.ts'
import type { RowButton } from '../ActionButtons.tsx'
import type { ChangeColumns } from '../DataTable.tsx'
import { askExports, useExports } from '../exports.ts'
import { grouped } from '../fields/number.ts'
import ListScreen from '../ListScreen.tsx'
import { useSession } from '../providers/use-session.ts'
import type { TableRow } from '../use-rows.ts'

const resource: Resource = exporttask

/** How far an export is: its rows while it is made, their number afterwards. */
function Rows({ row }: { row: TableRow }) {
  const now = useExports().find(one => one.id === row.id) ?? row
  const [rows, total] = [Number(now.rowNum || 0), Number(now.totalNum || 0)]
  if (row.rowNum === '' && row.taskStatus !== TaskStatus.running) return null
  if (row.taskStatus !== TaskStatus.running || total === 0) return grouped(rows)
  return (
    <>
      <div>{`${grouped(rows)} / ${grouped(total)}`}</div>
      <Progress size="small" showInfo={false} percent={Math.round((rows / total) * 100)} style={{ display: 'block' }} />
    </>
  )
}

/** What lists and their fields are called stands in the register in Chinese. */
function Name({ row }: { row: TableRow }) {
  const t = useT()
  const told = String(row.condition ?? '')
    .split('；')
    .filter(Boolean)
    .map(one => {
      const [label = '', ...value] = one.split('：')
      return `${t(label)} ${t(value.join('：'))}`
    })
  return (
    <span className="list-cell">
      <span>{t(String(row.title ?? ''))}</span>
      {told.length > 0 && <small>{told.join(' · ')}</small>}
    </span>
  )
}

const renders: Readonly<Record<string, (value: unknown, row: TableRow) => ReactNode>> = {
  rowNum: (_, row) => <Rows row={row} />,
  title: (_, row) => <Name row={row} />,
}

const withProgress: ChangeColumns = columns =>
  columns.map(column => ({ ...column, ...(renders[String(column.key)] && { render: renders[String(column.key)] }) }))

/** Reads the list again whenever an export has begun or ended. */
function Follow({ reload }: { reload: () => void }) {
  const tasks = useExports()
  const again = useEffectEvent(reload)
  const state = tasks.map(({ id, taskStatus }) => `${id} ${taskStatus}`).join()
  useEffect(() => {
    if (state) again()
  }, [state])
  return null
}

/** What people may do with their own exports. */
function useButtons(): (row: TableRow, reload: () => void) => RowButton[] {
  const t = useT()
  const { message } = App.useApp()
  const person = useSession()
  type Act = typeof cancelExportTask | typeof retryExportTask
  const act = (one: Act, done: string, id: string, reload: () => void) => async () => {
    await call(one, { id }).then(
      () => void message.success(t(done)),
      () => undefined,
    )
    reload()
    await askExports()
  }
  const save = (id: string, reload: () => void) => async () => {
    await saveFile(exportFile, { id }).catch(() => undefined)
    reload()
    await askExports()
  }
  return (row, reload) => {
    if (row.createUser !== person?.user_id || row.inBackground !== 1) return []
    const { taskStatus: state } = row
    const id = String(row.id)
    const isOpen = state === TaskStatus.queued || state === TaskStatus.running
    return [
      ...(state === TaskStatus.done && row.fileId ? [{ key: 'download', label: '下载', run: save(id, reload) }] : []),
      ...(isOpen
        ? [{ key: 'cancel', label: '取消', danger: true, run: act(cancelExportTask, '已取消', id, reload) }]
        : []),
      ...((state === TaskStatus.failed || state === TaskStatus.cancelled) && row.sensitive === SensitiveLevel.plain
        ? [{ key: 'retry', label: '重新导出', run: act(retryExportTask, '已重新排队', id, reload) }]
        : []),
    ]
  }
}

/** The exports a person had made, with their files: it follows what is being made. */
export default function ExportTasksPage() {
  const buttons = useButtons()
  return (
    <ListScreen
      resource={resource}
      slots={{ toolbar: ({ reload }) => <Follow reload={reload} />, rowButtons: buttons, columns: withProgress }}
    />
  )
}
