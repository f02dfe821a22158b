import { DownloadOutlined, ImportOutlined, TeamOutlined } from '@ant-design/icons'
import { App, Button, Form, Modal, Select } from 'antd'
import { useState } from 'react'
import { ImportMode } from '#schemas/dictionaries/platform'
import { call, saveFile } from '../../../platform/http/browser/call.ts'
import { ApiError } from '../../../platform/http/browser/http.ts'
import { useT } from '../../../platform/i18n/i18n.ts'
import { RefSelect } from '../../../screens/fields/RefSelect.tsx'
import { SheetUpload } from '../../../screens/parts/SheetUpload.tsx'
import { useSend } from '../../../screens/parts/use-endpoint.ts'
import { WrongRows } from '../../../screens/WrongRows.tsx'
import {
  clearReceivers,
  type FillFilter,
  fillFromExam,
  type Imported,
  importReceivers,
  receiverTemplate,
  type SendInfo,
} from '../contract.ts'

const filters: readonly [FillFilter, string][] = [
  ['all', '全部已报名'],
  ['passed', '审核通过'],
  ['unpaid', '已通过未缴费'],
  ['paid', '已缴费或免缴'],
  ['returned', '退回修改'],
  ['rejected', '审核不通过'],
]

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
    try {
      tell(await call(importReceivers, { sendId: info.id, mode: ImportMode.validRows }, { files: { file } }))
      onDone()
    } catch (error) {
      // Refusals have been shown by the HTTP client.
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
  const [filter, setFilter] = useState<FillFilter>('unpaid')
  const fill = useSend(fillFromExam, { done: false })
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
  const clear = useSend(clearReceivers)
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
        onClick={() => void saveFile(receiverTemplate, params).catch(() => undefined)}
      >
        {t('下载名单模板')}
      </Button>
      <ImportButton info={info} onDone={onDone} />
      <FillButton info={info} onDone={onDone} />
      {Number(info.num) > 0 && (
        <Button danger onClick={ask}>
          {t('清空名单')}
        </Button>
      )}
    </>
  )
}
