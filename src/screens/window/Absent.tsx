import type { ReactNode } from 'react'
import { useIsSayer } from '../../platform/http/browser/absent.ts'
import { useT } from '../../platform/i18n/i18n.ts'

const texts = {
  whole: '所连接的系统没有此功能',
  part: '所连接的系统没有本页的部分功能',
  unlike: '所连接的系统没有本页所需的数据',
} as const

interface Props {
  /** What is missing: the page or place itself, a part of it, or the data in the form that the page can draw. */
  of?: keyof typeof texts
  /** It stands in a window of its own, and says so there whatever the page below says. */
  apart?: boolean
}

/** What stands where the connected server has nothing: it is no fault, and nothing to try again. A page says it once. */
export function Absent({ of = 'whole', apart = false }: Props): ReactNode {
  const t = useT()
  const isSayer = useIsSayer()
  if (!isSayer && !apart) return null
  const space = of === 'part' ? { margin: '0 0 12px' } : { margin: '15vh 0', textAlign: 'center' as const }
  return (
    <p role="status" style={{ color: 'var(--jx-text-2, inherit)', opacity: 0.75, ...space }}>
      {t(texts[of])}
    </p>
  )
}
