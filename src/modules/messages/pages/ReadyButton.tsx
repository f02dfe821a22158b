import { CheckOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useT } from '../../../platform/i18n/i18n.ts'
import { useAct } from '../../../screens/parts/use-call.ts'
import { base, type SendInfo } from './types.ts'

/** Settles the list of a sending that costs nothing: it can go out then, or waits for its time. */
export function ReadyButton({ info, onDone }: { info: SendInfo; onDone: () => void }) {
  const t = useT()
  const ready = useAct(`${base}/ready`)
  const run = (): void => void ready.mutateAsync({ id: info.id }).then(onDone, () => undefined)
  return (
    <Button type="primary" icon={<CheckOutlined aria-hidden />} loading={ready.isPending} onClick={run}>
      {t('确认名单')}
    </Button>
  )
}
