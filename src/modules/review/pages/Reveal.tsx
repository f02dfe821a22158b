import { Button, Flex, Input, Modal } from 'antd'
import { useState } from 'react'
import { useT } from '../../../platform/i18n/i18n.ts'
import { useSend } from '../../../screens/parts/use-endpoint.ts'
import { useCan } from '../../../screens/providers/rights.ts'
import { revealNumber } from '../../sign-up/contract.ts'

interface Props {
  id: string
  field: 'idCard' | 'phone'
  /** The number with stars. */
  masked: string
}

/** A number with stars, and the way to see it whole for a reason that is kept. */
export function Reveal({ id, field, masked }: Props) {
  const t = useT()
  const may = useCan('signup_reveal')
  const [reason, setReason] = useState<string | null>(null)
  const act = useSend(revealNumber, { done: false })
  const whole = act.data?.[field]
  if (!may || !masked || whole) return <>{whole ?? masked}</>
  const close = (): void => setReason(null)
  const look = (): Promise<void> => act.mutateAsync({ id, field, reason: reason ?? '' }).then(close, () => undefined)
  return (
    <>
      <Flex wrap gap="0 8px" align="baseline">
        <span style={{ whiteSpace: 'nowrap' }}>{masked}</span>
        <Button type="link" size="small" style={{ padding: 0 }} onClick={() => setReason('')}>
          {t('查看')}
        </Button>
      </Flex>
      <Modal
        open={reason !== null}
        title={t('查看完整号码')}
        okButtonProps={{ disabled: (reason ?? '').trim().length < 2 }}
        confirmLoading={act.isPending}
        onOk={look}
        onCancel={close}
      >
        <Input
          autoFocus
          maxLength={100}
          aria-label={t('查看原因')}
          placeholder={t('查看原因，将被记录')}
          value={reason ?? ''}
          onChange={event => setReason(event.target.value)}
          onPressEnter={() => void look()}
        />
      </Modal>
    </>
  )
}
