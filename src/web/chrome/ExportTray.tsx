import { CloudDownloadOutlined } from '@ant-design/icons'
import { App, Badge, Button } from 'antd'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import { TaskStatus } from '#schemas/dictionaries/platform'
import { saveFile } from '../../platform/http/browser/call.ts'
import { useT } from '../../platform/i18n/i18n.ts'
import { exportFile } from '../../platform/workbook/contract.ts'
import { askExports, type ExportTask, isUnderWay } from '../../screens/exports.ts'

const TASKS = '/exam/exporttask'

/** Tells the person when an export that was under way has ended. */
function useEnded(tasks: readonly ExportTask[]): void {
  const t = useT()
  const { notification } = App.useApp()
  const navigate = useNavigate()
  const before = useRef<readonly ExportTask[]>(tasks)
  const tell = useEffectEvent(({ id, title, taskStatus, failReason }: ExportTask) => {
    const key = `export-${id}`
    const [isDone, name] = [taskStatus === TaskStatus.done, t(title)]
    const run = async (): Promise<void> => {
      notification.destroy(key)
      if (!isDone) return void navigate(TASKS)
      await saveFile(exportFile, { id }).catch(() => undefined)
      await askExports()
    }
    notification[isDone ? 'success' : 'error']({
      key,
      title: t(isDone ? '导出完成：{{name}}' : '导出失败：{{name}}', { name }),
      description: isDone ? undefined : t(failReason),
      actions: (
        <Button type="primary" size="small" onClick={() => void run()}>
          {t(isDone ? '下载' : '查看导出任务')}
        </Button>
      ),
      duration: 0,
    })
  })
  useEffect(() => {
    const open = new Set(before.current.filter(isUnderWay).map(one => one.id))
    for (const task of tasks) if (open.has(task.id) && !isUnderWay(task)) tell(task)
    before.current = tasks
  }, [tasks])
}

/** The way to the exports in the background: how many wait to be fetched, or that some are being made. */
export default function ExportTray({ tasks }: { tasks: readonly ExportTask[] }): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  useEnded(tasks)
  if (tasks.length === 0) return null
  const ready = tasks.filter(one => one.taskStatus === TaskStatus.done).length
  const isBusy = tasks.some(isUnderWay)
  const label = ready > 0 ? t('{{n}} 个导出文件可以下载', { n: ready }) : t(isBusy ? '正在后台导出' : '导出任务')
  return (
    <Badge count={ready} dot={ready === 0} status={isBusy ? 'processing' : 'error'} size="small" offset={[-6, 6]}>
      <Button
        type="text"
        icon={<CloudDownloadOutlined aria-hidden />}
        title={label}
        aria-label={label}
        onClick={() => void navigate(TASKS)}
      />
    </Badge>
  )
}
