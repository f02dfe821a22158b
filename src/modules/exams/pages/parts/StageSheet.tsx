import { DownloadOutlined, UploadOutlined } from '@ant-design/icons'
import { Alert, Button, Flex, Modal, Progress, Radio } from 'antd'
import { useState } from 'react'
import { ApiError, newKey } from '../../../../platform/http/browser/http.ts'
import { download, upload } from '../../../../platform/http/browser/transfer.ts'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { SheetUpload } from '../../../../screens/parts/SheetUpload.tsx'
import { type WrongRow, WrongRows } from '../../../../screens/WrongRows.tsx'

const base = '/blade-exam/examination'

/** Rows were wrong and none has been taken in. */
const wrongRows = REFUSAL.workbook.rowsInvalid

interface Outcome {
  okNum: number
  errNum: number
  rows: WrongRow[]
  errFile: string
}

const isOutcome = (value: unknown): value is Outcome =>
  typeof value === 'object' && value !== null && Array.isArray((value as Outcome).rows)

/** A workbook of a stage: the calls that give and take it, and what is said about it. */
interface StageBook {
  itemId: string
  title: string
  /** Calls below the exam service. */
  give: string
  take: string
  /** Beside the button that downloads the sheet. */
  hint?: string
  /** What came of it, with `{{ok}}` and `{{bad}}`. */
  done: string
  onDone: () => void
  onClose: () => void
}

function Wrong({ outcome, done }: { outcome: Outcome; done: string }) {
  const t = useT()
  const { okNum, errNum, rows, errFile } = outcome
  const save = () => download('/blade-resource/attach/download', { params: { id: errFile } }).catch(() => undefined)
  return (
    <Flex vertical gap={12} aria-live="polite">
      <Alert
        showIcon
        type={errNum ? 'warning' : 'success'}
        title={t(done, { ok: okNum, bad: errNum })}
        action={errFile && <Button onClick={save}>{t('下载错误明细')}</Button>}
      />
      {rows.length > 0 && <WrongRows rows={rows} />}
    </Flex>
  )
}

function useTaking({ itemId, take: call, onDone }: StageBook) {
  const [percent, setPercent] = useState<number>()
  const [outcome, setOutcome] = useState<Outcome>()
  const take = async (file: File, mode: number): Promise<void> => {
    const form = new FormData()
    form.append('itemId', itemId)
    form.append('mode', String(mode))
    form.append('file', file)
    setPercent(0)
    setOutcome(undefined)
    try {
      const answer = await upload<Outcome>(`${base}/${call}`, form, {
        onProgress: setPercent,
        key: newKey(),
        pass: [wrongRows],
      })
      setOutcome(answer)
      onDone()
    } catch (error) {
      if (error instanceof ApiError && isOutcome(error.data)) setOutcome(error.data)
    } finally {
      setPercent(undefined)
    }
  }
  return { percent, outcome, take }
}

/** A workbook of a stage: the sheet to fill in, the filled one, and what is wrong with it row by row. */
export function StageSheet(props: StageBook) {
  const { itemId, title, give, hint, done, onClose } = props
  const t = useT()
  const [mode, setMode] = useState(1)
  const { percent, outcome, take } = useTaking(props)
  const template = () => download(`${base}/${give}`, { params: { itemId } }).catch(() => undefined)
  return (
    <Modal open title={t(title)} width={720} footer={null} onCancel={onClose}>
      <Flex vertical gap={16}>
        <Flex wrap gap={12} align="center">
          <Button icon={<DownloadOutlined aria-hidden />} onClick={template}>
            {t('下载模板')}
          </Button>
          {hint && <span>{t(hint)}</span>}
        </Flex>
        <Radio.Group
          aria-label={t('导入方式')}
          value={mode}
          onChange={event => setMode(event.target.value)}
          options={[
            { value: 1, label: t('全部正确才导入') },
            { value: 2, label: t('导入正确行') },
          ]}
        />
        <SheetUpload type="primary" icon={<UploadOutlined aria-hidden />} take={file => take(file, mode)}>
          {t('选择文件')}
        </SheetUpload>
        {percent !== undefined && <Progress percent={percent} size="small" />}
        {outcome && <Wrong outcome={outcome} done={done} />}
      </Flex>
    </Modal>
  )
}
