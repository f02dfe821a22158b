import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { useT } from '../../platform/i18n/i18n.ts'
import mark from '../../screens/window/mark.svg'
import { PRODUCT } from '../../screens/window/title.ts'

/** The product's mark with its two-line title; the mark alone when folded. */
export function Brand({ folded = false }: { folded?: boolean }): ReactNode {
  const t = useT()
  return (
    <Link to="/" className="brand" title={t('返回首页')}>
      <img src={mark} alt="" width={32} height={32} />
      {!folded && (
        <span>
          <strong>{t(PRODUCT)}</strong>
          <small>{t('卫健公开招聘考试报名')}</small>
        </span>
      )}
    </Link>
  )
}
