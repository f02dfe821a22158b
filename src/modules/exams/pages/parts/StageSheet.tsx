import { DownloadOutlined, UploadOutlined } from '@ant-design/icons'
import { Alert, Button, Flex, Modal, Progress, Radio } from 'antd'
import { useState } from 'react'
import type { sheetCountsShape, Wire } from '#engine'
import { saveAttach } from '../../../../platform/files/browser/save-attach.ts'
import { ApiError, type CallOptions } from '../../../../platform/http/browser/http.ts'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { fileMark, useButtonKeys } from '../../../../screens/button-keys.ts'
import { SheetUpload } from '../../../../screens/parts/SheetUpload.tsx'
import { WrongRows } from '../../../../screens/WrongRows.tsx'

/** Rows were wrong and none has been taken in. */
const wrongRows = REFUSAL.workbook.rowsInvalid

type Outcome = Wire<typeof sheetCountsShape>

const isOutcome = (value: unknown): value is Outcome =>
  typeof value === 'object' && value !== null && Array.isArray((value as Outcome).rows)

/** How a workbook is taken in: all rows or none, or those that are right. */
type Mode = 1 | 2

/** A workbook of a stage: the calls that give and take it, and what is said about it. */
export interface StageBook {
  title: string
  /** Saves the workbook to be filled in. */
  give: () => Promise<unknown>
  /** Sends the filled one. */
  take: (file: File, mode: Mode, options: Pick<CallOptions, 'onProgress' | 'key' | 'pass'>) => Promise<Outcome>
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
  const save = () => saveAttach(errFile).catch(() => undefined)
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

function useTaking({ take: send, onDone }: StageBook) {
  const [percent, setPercent] = useState<number>()
  const [outcome, setOutcome] = useState<Outcome>()
  const keys = useButtonKeys()
  const take = async (file: File, mode: Mode): Promise<void> => {
    setPercent(0)
    setOutcome(undefined)
    try {
      const options = { onProgress: setPercent, pass: [wrongRows] }
      setOutcome(await keys.once([fileMark(file), mode], key => send(file, mode, { ...options, key })))
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
  const { title, give, hint, done, onClose } = props
  const t = useT()
  const [mode, setMode] = useState<Mode>(1)
  const { percent, outcome, take } = useTaking(props)
  const template = () => give().catch(() => undefined)
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
