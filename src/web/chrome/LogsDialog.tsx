import { App, Button, Modal, Table, type TableProps } from 'antd'
import type { ReactNode } from 'react'
import { call } from '../../platform/http/browser/call.ts'
import { useT } from '../../platform/i18n/i18n.ts'
import { type LogEntry, sendBrowserLog } from '../../screens/contract.ts'
import { clearLog, fitting, useErrorLog } from '../../screens/window/error-log.ts'
import { useSmall } from '../../screens/window/use-width.ts'

function columns(t: (text: string) => string) {
  return [
    { title: t('类型'), dataIndex: 'type', width: 80 },
    { title: t('地址'), dataIndex: 'url', width: 260, ellipsis: true },
    { title: t('内容'), dataIndex: 'message', width: 280, ellipsis: true },
    { title: t('错误堆栈'), dataIndex: 'stack', render: (stack: string) => <pre className="stack">{stack}</pre> },
    { title: t('时间'), dataIndex: 'time', width: 170 },
  ]
}

/** On a phone what went wrong is one column, and where it came from is opened. */
function narrow(t: (text: string) => string): TableProps<LogEntry> {
  const told = ({ message, url, time }: LogEntry): ReactNode => (
    <div className="logs-entry">
      <strong>{message}</strong>
      <span>{url}</span>
      <time>{time}</time>
    </div>
  )
  return {
    columns: [{ key: 'message', title: t('内容'), render: (_, entry) => told(entry) }],
    expandable: { expandedRowRender: ({ stack }) => <pre className="stack">{stack}</pre> },
  }
}

/** 上传 and 清空 of the local log, each after a question; what was sent is cleared only when the server has taken it. */
function useLogActions(entries: readonly LogEntry[]) {
  const t = useT()
  const { modal, message } = App.useApp()
  const ask = (content: string, onOk: () => unknown): void =>
    void modal.confirm({ title: t('提示'), content: t(content), onOk })
  const send = async (): Promise<void> => {
    await call(sendBrowserLog, fitting(entries))
    clearLog()
    message.success(t('发送成功!'))
  }
  const clear = (): void => {
    clearLog()
    message.success(t('清空成功!'))
  }
  return {
    send: () => ask('确定上传本地日志到服务器?', () => send().catch(() => undefined)),
    clear: () => ask('确定清空本地日志记录?', clear),
  }
}

/** Errors of this browser, which can be sent to the server or cleared. */
export default function LogsDialog({ open, onClose }: { open: boolean; onClose: () => void }): ReactNode {
  const t = useT()
  const small = useSmall()
  const entries = useErrorLog()
  const { send, clear } = useLogActions(entries)
  return (
    <Modal
      title={t('本地错误日志')}
      open={open}
      onCancel={onClose}
      footer={null}
      width="100vw"
      rootClassName="logs-whole"
      className="logs"
    >
      <p className="logs-tools">
        <Button type="primary" disabled={entries.length === 0} onClick={send}>
          {t('上传服务器')}
        </Button>
        <Button danger disabled={entries.length === 0} onClick={clear}>
          {t('清空本地日志')}
        </Button>
      </p>
      <Table<LogEntry>
        rowKey={entry => entries.indexOf(entry)}
        size="small"
        dataSource={[...entries]}
        {...(small ? narrow(t) : { columns: columns(t), scroll: { x: 960 } })}
        pagination={{ pageSize: 10, hideOnSinglePage: true }}
      />
    </Modal>
  )
}
