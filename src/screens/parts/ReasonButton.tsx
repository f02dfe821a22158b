import { Button, Input, Modal } from 'antd'
import { useState } from 'react'
import { useT, useVerb } from '../../platform/i18n/i18n.ts'

interface Props {
  /** Text of the button and title of the dialog. */
  label: string
  placeholder: string
  danger?: boolean
  /** Asks at once. */
  asks?: boolean | undefined
  /** Words alone, as the buttons of a row are. */
  isPlain?: boolean | undefined
  busy: boolean
  /** Does it; when it is refused the dialog and what was typed stay. */
  run: (reason: string) => Promise<unknown>
}

/** A button that asks for a reason before something is taken back. */
export function ReasonButton({ label, placeholder, danger, asks = false, isPlain = false, busy, run }: Props) {
  const t = useT()
  const verb = useVerb()
  const [reason, setReason] = useState<string | null>(asks ? '' : null)
  const close = (): void => setReason(null)
  const save = (): Promise<void> => run(reason ?? '').then(close, () => undefined)
  return (
    <>
      {isPlain ? (
        <button type="button" data-danger={danger || undefined} onClick={() => setReason('')}>
          {verb(label)}
        </button>
      ) : (
        <Button danger={danger} onClick={() => setReason('')}>
          {verb(label)}
        </Button>
      )}
      <Modal
        open={reason !== null}
        title={verb(label)}
        okButtonProps={{ disabled: !reason?.trim() }}
        confirmLoading={busy}
        onOk={save}
        onCancel={close}
      >
        <Input.TextArea
          autoFocus
          rows={3}
          maxLength={200}
          showCount
          placeholder={t(placeholder)}
          value={reason ?? ''}
          onChange={event => setReason(event.target.value)}
        />
      </Modal>
    </>
  )
}
