import type { ReactNode } from 'react'
import { useT } from '../../../../platform/i18n/i18n.ts'

/** That papers for an exemption from a fee are being checked, and what that means for it. */
export function ExemptNote(): ReactNode {
  const t = useT()
  return <p className="my-note">{t('免缴材料正在审核，获批后无需缴费；未获批仍须在截止前缴费。')}</p>
}
