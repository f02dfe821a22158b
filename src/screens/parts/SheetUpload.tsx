import { Button, type ButtonProps, Upload } from 'antd'
import { type ReactNode, useState } from 'react'

interface Props extends Pick<ButtonProps, 'icon' | 'type'> {
  children: string
  /** Takes the workbook; it tells by itself what went wrong. */
  take: (file: File) => Promise<void>
}

/** A button that asks for a workbook, busy until it has been taken. */
export function SheetUpload({ take, children, ...look }: Props): ReactNode {
  const [busy, setBusy] = useState(false)
  const run = (file: File): void => {
    setBusy(true)
    void take(file).finally(() => setBusy(false))
  }
  return (
    <Upload
      accept=".xlsx"
      showUploadList={false}
      beforeUpload={file => {
        run(file)
        return false
      }}
    >
      <Button {...look} loading={busy}>
        {children}
      </Button>
    </Upload>
  )
}
