import { Button, Flex, Input, Modal } from 'antd'
import { useState } from 'react'
import { useT } from '../../../platform/i18n/i18n.ts'
import { useSend } from '../../../screens/parts/use-endpoint.ts'
import { useCan } from '../../../screens/providers/rights.ts'
import { useKeptValues } from '../../../screens/use-kept-values.ts'
import { revealNumber } from '../../sign-up/contract.ts'

interface Props {
  id: string
  field: 'idCard' | 'phone'
  /** The number with stars. */
  masked: string
}

interface Looking {
  busy: boolean
  look: (reason: string) => Promise<void>
  onClose: () => void
}

const blank = { reason: '' }

/** Asks for the reason, which is kept with who has looked. */
function RevealDialog({ id, field, busy, look, onClose }: Omit<Props, 'masked'> & Looking) {
  const t = useT()
  const { values, change, draft } = useKeptValues(blank, { form: 'signup/reveal', rowId: `${id}-${field}` })
  const { reason } = values
  const isShort = reason.trim().length < 2
  const run = (): Promise<void> => look(reason).then(draft.saved, () => undefined)
  return (
    <Modal
      open
      title={t('查看完整号码')}
      okButtonProps={{ disabled: isShort }}
      confirmLoading={busy}
      onOk={run}
      onCancel={onClose}
    >
      {draft.bar}
      <Input
        autoFocus
        maxLength={100}
        aria-label={t('查看原因')}
        placeholder={t('查看原因，将被记录')}
        value={reason}
        onChange={event => change({ reason: event.target.value })}
        onPressEnter={() => void run()}
      />
    </Modal>
  )
}

/** A number with stars, and the way to see it whole for a reason that is kept. */
export function Reveal({ id, field, masked }: Props) {
  const t = useT()
  const may = useCan('signup_reveal')
  const [isAsking, setAsking] = useState(false)
  const act = useSend(revealNumber, { done: false })
  const whole = act.data?.[field]
  if (!may || !masked || (whole && !isAsking)) return <>{whole ?? masked}</>
  const close = (): void => setAsking(false)
  const look = (reason: string): Promise<void> => act.mutateAsync({ id, field, reason }).then(close)
  return (
    <>
      <Flex wrap gap="0 8px" align="baseline">
        <span style={{ whiteSpace: 'nowrap' }}>{masked}</span>
        <Button type="link" size="small" style={{ padding: 0 }} onClick={() => setAsking(true)}>
          {t('查看')}
        </Button>
      </Flex>
      {isAsking && <RevealDialog id={id} field={field} busy={act.isPending} look={look} onClose={close} />}
    </>
  )
}
