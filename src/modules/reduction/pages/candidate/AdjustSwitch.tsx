import { Switch } from 'antd'
import { type ReactNode, useState } from 'react'
import { call } from '../../../../platform/http/browser/call.ts'
import { useT } from '../../../../platform/i18n/i18n.ts'
import type { SignupPartProps } from '../../../sign-up/pages/parts/signup-parts.ts'
import { changeAdjust } from '../../contract.ts'

/** Whether the candidate accepts another position, as long as that can be changed. */
export function AdjustSwitch({ of, onChange }: SignupPartProps): ReactNode {
  const t = useT()
  const [busy, setBusy] = useState(false)
  if (!of.canAdjust) return null
  const change = async (accepts: boolean): Promise<void> => {
    setBusy(true)
    // The refusal has been shown; the page shows the stored value again.
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
