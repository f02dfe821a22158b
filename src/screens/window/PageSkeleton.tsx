import type { ReactNode } from 'react'
import { useT } from '../../platform/i18n/i18n.ts'

/** What a page looks like before it is here: a title, a bar and lines. */
export function PageSkeleton(): ReactNode {
  const t = useT()
  return (
    <div className="skeleton" role="status" aria-label={t('加载中')}>
      <i style={{ width: '28%', height: 28 }} />
      <i style={{ width: '100%', height: 56 }} />
      {['92%', '97%', '88%', '95%', '60%'].map(width => (
        <i key={width} style={{ width }} />
      ))}
    </div>
  )
}
