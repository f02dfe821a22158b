import { DownloadOutlined, ImportOutlined, TeamOutlined } from '@ant-design/icons'
import { App, Button, Form, Modal, Select } from 'antd'
import { useState } from 'react'
import { ApiError } from '../../../platform/http/browser/http.ts'
import { download, upload } from '../../../platform/http/browser/transfer.ts'
import { useT } from '../../../platform/i18n/i18n.ts'
import { RefSelect } from '../../../screens/fields/RefSelect.tsx'
import { SheetUpload } from '../../../screens/parts/SheetUpload.tsx'
import { useAct } from '../../../screens/parts/use-call.ts'
import { type WrongRow, WrongRows } from '../../../screens/WrongRows.tsx'
import { base, type SendInfo } from './types.ts'

interface Imported {
  okNum: number
  errNum: number
  dupNum: number
  rows: readonly WrongRow[]
}

const filters = [
  ['all', '全部已报名'],
  ['passed', '审核通过'],
  ['unpaid', '已通过未缴费'],
  ['paid', '已缴费或免缴'],
  ['returned', '退回修改'],
  ['rejected', '审核不通过'],
] as const

interface Props {
  info: SendInfo
  onDone: () => void
}

/** Brings a list from a file: what is good is taken, every bad row is told. */
function ImportButton({ info, onDone }: Props) {
  const t = useT()
  const { modal } = App.useApp()
  const tell = ({ okNum, errNum, dupNum, rows }: Imported): void => {
    modal[errNum > 0 ? 'warning' : 'success']({
      title: t('导入 {{okNum}} 人，重复 {{dupNum}} 人，错误 {{errNum}} 行', { okNum, dupNum, errNum }),
      width: 640,
      content: rows.length > 0 && <WrongRows rows={rows} />,
    })
  }
  const bring = async (file: File): Promise<void> => {
    const form = new FormData()
    form.append('sendId', info.id)
    form.append('mode', '2')
    form.append('file', file)
    try {
      tell(await upload<Imported>(`${base}/importMessage`, form))
      onDone()
    } catch (error) {
      // Refusals have been shown at the door to the server.
      if (!(error instanceof ApiError)) throw error
    }
  }
  return (
    <SheetUpload icon={<ImportOutlined aria-hidden />} take={bring}>
      {t('导入名单')}
    </SheetUpload>
  )
}

/** Adds candidates of an exam by where they stand. */
function FillButton({ info, onDone }: Props) {
  const t = useT()
  const { message } = App.useApp()
  const [open, setOpen] = useState(false)
  const [examId, setExamId] = useState<string | undefined>(info.examId || undefined)
  const [filter, setFilter] = useState('unpaid')
  const fill = useAct<{ num: number; dupNum: number }>(`${base}/fillMessages`, { done: false })
  const run = (): void =>
    void fill.mutateAsync({ sendId: info.id, examId, filter }).then(
      ({ num, dupNum }) => {
        message.success(t('加入 {{num}} 人，已在名单中 {{dupNum}} 人', { num, dupNum }))
        setOpen(false)
        onDone()
      },
      () => undefined,
    )
  return (
    <>
      <Button icon={<TeamOutlined aria-hidden />} onClick={() => setOpen(true)}>
        {t('从考试选人')}
      </Button>
      <Modal
        open={open}
        title={t('从考试选人')}
        okButtonProps={{ disabled: !examId }}
        confirmLoading={fill.isPending}
        onOk={run}
        onCancel={() => setOpen(false)}
      >
        <Form layout="vertical" component="div">
          <Form.Item label={t('考试')} htmlFor="fill-exam" required>
            <RefSelect
              id="fill-exam"
              entity="examination"
              value={examId}
              onChange={value => setExamId(value ? String(value) : undefined)}
            />
          </Form.Item>
          <Form.Item label={t('接收范围')} htmlFor="fill-filter" required>
            <Select
              id="fill-filter"
              value={filter}
              onChange={setFilter}
              options={filters.map(([value, label]) => ({ value, label: t(label) }))}
            />
          </Form.Item>
        </Form>
      </Modal>
    </>
  )
}

/** The ways onto the list of a draft, and the way to empty it. */
export function Receivers({ info, onDone }: Props) {
  const t = useT()
  const { modal } = App.useApp()
  const clear = useAct(`${base}/deleteAll`)
  const ask = (): void =>
    void modal.confirm({
      title: t('确定清空接收名单?'),
      okButtonProps: { danger: true },
      onOk: () => clear.mutateAsync({ sendId: info.id }).then(onDone, () => undefined),
    })
  const params = info.templateId ? { templateId: info.templateId } : { sendId: info.id }
  return (
    <>
      <Button
        icon={<DownloadOutlined aria-hidden />}
        onClick={() => void download(`${base}/exportSendTemplate`, { params }).catch(() => undefined)}
      >
        {t('下载名单模板')}
      </Button>
      <ImportButton info={info} onDone={onDone} />
      <FillButton info={info} onDone={onDone} />
      {info.num > 0 && (
        <Button danger onClick={ask}>
          {t('清空名单')}
        </Button>
      )}
    </>
  )
}
