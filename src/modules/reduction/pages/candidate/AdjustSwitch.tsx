import { Switch } from 'antd'
import { type ReactNode, useState } from 'react'
import { call } from '../../../../platform/http/browser/call.ts'
import { useT } from '../../../../platform/i18n/i18n.ts'
import type { Mine } from '../../../sign-up/contract.ts'
import { changeAdjust } from '../../contract.ts'

/** Whether one accepts being moved to another position, while that may still be said. */
export function AdjustSwitch({ of, onChange }: { of: Mine; onChange: () => void }): ReactNode {
  const t = useT()
  const [busy, setBusy] = useState(false)
  if (!of.canAdjust) return null
  const change = async (accepts: boolean): Promise<void> => {
    setBusy(true)
    // A refusal has been shown, and the page shows how it stands.
    await call(changeAdjust, { id: of.id, adjustAccept: accepts ? 1 : 0 }).catch(() => undefined)
    setBusy(false)
    onChange()
  }
  return (
    <div className="my-words">
      <Switch
        id="adjust-accept"
        checked={Number(of.adjustAccept) === 1}
        loading={busy}
        onChange={accepts => void change(accepts)}
      />
      <label htmlFor="adjust-accept">{t('服从调剂：报考岗位取消时，愿意改报其他岗位')}</label>
    </div>
  )
}
