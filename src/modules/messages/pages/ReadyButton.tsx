import { CheckOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { callOf } from '#engine'
import { send } from '#resources/messages/send'
import { useT } from '../../../platform/i18n/i18n.ts'
import { useSend } from '../../../screens/parts/use-endpoint.ts'
import type { SendInfo } from '../contract.ts'

/** Settles the list of a sending that costs nothing: it can go out then, or waits for its time. */
export function ReadyButton({ info, onDone }: { info: SendInfo; onDone: () => void }) {
  const t = useT()
  const ready = useSend(callOf(send, 'ready'))
  const run = (): void => void ready.mutateAsync({ id: info.id }).then(onDone, () => undefined)
  return (
    <Button type="primary" icon={<CheckOutlined aria-hidden />} loading={ready.isPending} onClick={run}>
      {t('确认名单')}
    </Button>
  )
}
