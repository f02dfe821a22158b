import { Button } from 'antd'
import { type ComponentProps, useState } from 'react'
import { useVerb } from '../../platform/i18n/i18n.ts'
import { ReasonDialog } from './ReasonDialog.tsx'

interface Props extends Pick<ComponentProps<typeof ReasonDialog>, 'placeholder' | 'busy' | 'kept' | 'run'> {
  /** Text of the button and title of the dialog. */
  label: string
  danger?: boolean
  /** Asks at once. */
  asks?: boolean | undefined
}

/** A button that asks for a reason before something is taken back. */
export function ReasonButton({ label, danger, asks = false, ...rest }: Props) {
  const verb = useVerb()
  const [isOpen, setOpen] = useState(asks)
  return (
    <>
      <Button danger={danger} onClick={() => setOpen(true)}>
        {verb(label)}
      </Button>
      {isOpen && <ReasonDialog title={verb(label)} onClose={() => setOpen(false)} {...rest} />}
    </>
  )
}
