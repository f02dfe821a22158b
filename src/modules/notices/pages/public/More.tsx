import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useT } from '../../../../platform/i18n/i18n.ts'

/** Asks for the next rows of a list of the public pages, while there are any. */
export function More({ shown, total, onMore }: { shown: number; total: number; onMore: () => void }): ReactNode {
  const t = useT()
  if (total <= shown) return null
  return (
    <Button size="large" block onClick={onMore}>
      {t('显示更多')}
    </Button>
  )
}
