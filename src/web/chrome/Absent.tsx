import type { ReactNode } from 'react'
import { useT } from '../i18n.ts'

/** What stands where the connected server has nothing: it is no fault, and nothing to try again. */
export function Absent({ part = false }: { part?: boolean }): ReactNode {
  const t = useT()
  const text = part ? t('所连接的系统没有本页的部分功能') : t('所连接的系统没有此功能')
  const space = part ? { margin: '0 0 12px' } : { margin: '15vh 0', textAlign: 'center' as const }
  return (
    <p role="status" style={{ color: 'var(--jx-text-2, inherit)', opacity: 0.75, ...space }}>
      {text}
    </p>
  )
}
