import { UploadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { type ReactNode, useRef } from 'react'

/** A button that opens the device's choice of files, camera included. */
export function FilePick({
  id,
  accept,
  multiple,
  disabled,
  type,
  onPick,
  children,
}: {
  id?: string
  accept: string
  multiple?: boolean
  disabled?: boolean
  /** Whether it is the one thing to do. */
  type?: 'primary' | 'default'
  onPick: (files: File[]) => void
  children: ReactNode
}): ReactNode {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        id={id}
        type={type}
        size="large"
        icon={<UploadOutlined aria-hidden />}
        disabled={disabled}
        onClick={() => input.current?.click()}
      >
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        multiple={multiple}
        onChange={event => {
          onPick([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
    </>
  )
}
