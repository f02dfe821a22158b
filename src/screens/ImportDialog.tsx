import { InboxOutlined } from '@ant-design/icons'
import { Alert, App, Button, Flex, Modal, Progress, Radio, Upload } from 'antd'
import { useState } from 'react'
import type { Resource, sheetTotalsShape, Wire } from '#engine'
import { ApiError } from '../platform/http/browser/http.ts'
import { download, upload } from '../platform/http/browser/transfer.ts'
import { useT } from '../platform/i18n/i18n.ts'
import { fileMark, useButtonKeys } from './button-keys.ts'
import { FileLink } from './fields/FileLink.tsx'
import { WrongRows } from './WrongRows.tsx'

interface Props {
  resource: Resource
  /** What every row has in common where the list stands inside another, such as its exam. */
  fixed?: Readonly<Record<string, unknown>> | undefined
  onClose: () => void
  /** Called when rows have been taken in. */
  onDone: () => void
}

/** What the server says of an imported file. */
type Outcome = Wire<typeof sheetTotalsShape>

/** Rows were wrong and none has been taken in. */
const WRONG_ROWS = REFUSAL.workbook.rowsInvalid

const isOutcome = (value: unknown): value is Outcome =>
  typeof value === 'object' && value !== null && Array.isArray((value as Outcome).errors)

function useImport({ resource, fixed, onDone }: Props) {
  const [percent, setPercent] = useState<number>()
  const [outcome, setOutcome] = useState<Outcome>()
  const keys = useButtonKeys()
  const send = async (file: File, mode: number): Promise<void> => {
    const form = new FormData()
    form.append('file', file)
    setPercent(0)
    setOutcome(undefined)
    try {
      const options = { params: { ...fixed, mode }, onProgress: setPercent, pass: [WRONG_ROWS] }
      const answer = await keys.once([fileMark(file), mode], key =>
        upload<Outcome>(`${resource.path}/import`, form, { ...options, key }),
      )
      setOutcome(answer)
      if (answer.success > 0) onDone()
    } catch (error) {
      if (error instanceof ApiError && isOutcome(error.data)) setOutcome(error.data)
    } finally {
      setPercent(undefined)
    }
  }
  return { percent, outcome, send }
}

function OutcomeTable({ outcome }: { outcome: Outcome }) {
  const t = useT()
  const { total, success, failed, errors, errFile } = outcome
  const title = t('共 {{total}} 行，导入 {{success}} 行，有误 {{failed}} 行', { total, success, failed })
  return (
    <>
      <Alert
        showIcon
        type={failed ? 'warning' : 'success'}
        title={title}
        description={errFile && <FileLink id={errFile} />}
      />
      {errors.length > 0 && <WrongRows rows={errors} />}
    </>
  )
}

/** Takes rows in from an Excel file: template, file, progress, and what is wrong row by row. */
export default function ImportDialog(props: Props) {
  const { resource, onClose } = props
  const t = useT()
  const { message } = App.useApp()
  const [mode, setMode] = useState(1)
  const { percent, outcome, send } = useImport(props)
  const busy = percent !== undefined
  const template = (): void => {
    download(`${resource.path}/template`, { name: `${t(resource.title)}.xlsx` }).then(
      name => message.success(t('已下载 {{name}}', { name })),
      () => undefined,
    )
  }
  return (
    <Modal
      open
      title={t('导入{{name}}', { name: t(resource.entity.title) })}
      width={720}
      footer={null}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      <Flex vertical gap="middle">
        <Flex gap="middle" wrap align="center">
          <Radio.Group
            aria-label={t('导入方式')}
            value={mode}
            disabled={busy}
            onChange={event => setMode(event.target.value as number)}
            options={[
              { value: 1, label: t('全部正确才导入') },
              { value: 2, label: t('导入正确行') },
            ]}
          />
          <Button type="link" onClick={template}>
            {t('下载模板')}
          </Button>
        </Flex>
        <Upload.Dragger
          accept=".xlsx"
          showUploadList={false}
          disabled={busy}
          beforeUpload={file => {
            void send(file, mode)
            return Upload.LIST_IGNORE
          }}
        >
          <InboxOutlined aria-hidden style={{ fontSize: 32 }} />
          <p>{t('点击或拖入按模板填写的 .xlsx 文件')}</p>
        </Upload.Dragger>
        {busy && <Progress percent={percent} status="active" />}
        {outcome && <OutcomeTable outcome={outcome} />}
      </Flex>
    </Modal>
  )
}
