import { Input, Modal } from 'antd'
import { useT } from '../../platform/i18n/i18n.ts'
import type { DraftPlace } from '../kept-draft.ts'
import { useKeptValues } from '../use-kept-values.ts'

interface Props {
  title: string
  /** Text of its button; 确定 without. */
  okText?: string
  placeholder: string
  /** What a screen reader calls the input; the placeholder without. */
  label?: string
  maxLength?: number
  danger?: boolean | undefined
  busy: boolean
  /** What the reason is for, where what is typed is kept. */
  kept: Pick<DraftPlace, 'form' | 'rowId'>
  /** Does it; when it is refused the dialog and what was typed stay. */
  run: (reason: string) => Promise<unknown>
  onClose: () => void
}

const blank = { reason: '' }

/** Asks for a reason before something is done that others will ask about. */
export function ReasonDialog(props: Props) {
  const { title, okText, placeholder, label, maxLength = 200, danger, busy, kept, run, onClose } = props
  const t = useT()
  const { values, change, draft } = useKeptValues(blank, kept)
  const { reason } = values
  const save = (): Promise<void> =>
    run(reason.trim()).then(
      () => {
        draft.saved()
        onClose()
      },
      () => undefined,
    )
  return (
    <Modal
      open
      title={title}
      okText={okText ?? t('确定')}
      cancelText={t('取消')}
      okButtonProps={{ danger, disabled: !reason.trim() }}
      confirmLoading={busy}
      onOk={save}
      onCancel={onClose}
    >
      {draft.bar}
      <Input.TextArea
        autoFocus
        rows={3}
        maxLength={maxLength}
        showCount
        placeholder={t(placeholder)}
        aria-label={label && t(label)}
        value={reason}
        onChange={event => change({ reason: event.target.value })}
      />
    </Modal>
  )
}
