import { Alert, App, Button } from 'antd'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { useCanChange } from '../../../../screens/may.ts'
import { useSend } from '../../../../screens/parts/use-endpoint.ts'
import { checkInRecords, checkInRooms, checkInStages, clearRehearsal, type Stage } from '../../check-in/contract.ts'

/** What a rehearsal is, shown while one can be held, and the way to delete what was noted in it. */
export function RehearsalNote({ stage }: { stage: Stage }) {
  const t = useT()
  const { modal } = App.useApp()
  const acts = useCanChange('checkin_act')
  const clear = useSend(clearRehearsal, {
    done: '演练记录已清除',
    stale: [checkInStages, checkInRooms, checkInRecords],
  })
  if (!acts) return null
  const ask = (): void =>
    void modal.confirm({
      title: t('清除 {{n}} 条演练记录?', { n: stage.rehearsed }),
      content: t('只清除演练时的登记，正式签到的记录不受影响。'),
      onOk: () => clear.mutateAsync({ itemId: stage.itemId }).catch(() => undefined),
    })
  return (
    <Alert
      type="warning"
      showIcon
      title={t('现在可以演练')}
      description={t('点考场的“演练”，用真实名单练习扫码和登记。演练不计入到考和缺考，正式签到开始时自动清除。')}
      action={
        stage.rehearsed > 0 && <Button onClick={ask}>{t('清除演练记录（{{n}}）', { n: stage.rehearsed })}</Button>
      }
    />
  )
}
