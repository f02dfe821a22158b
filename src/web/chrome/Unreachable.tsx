import type { ReactNode } from 'react'
import { useT } from '../../platform/i18n/i18n.ts'
import { loadRights } from '../../screens/providers/rights.ts'

/** Shown when the server did not answer what the person may see. */
export function Unreachable(): ReactNode {
  const t = useT()
  return (
    <div className="trouble" role="alert">
      <h1>{t('暂时连不上服务器')}</h1>
      <p>{t('请检查网络，稍后重试。已填写的内容不会丢失。')}</p>
      <p>
        <button type="button" onClick={loadRights}>
          {t('重试')}
        </button>
      </p>
    </div>
  )
}
