import type { ReactNode } from 'react'
import { useT, useVerb } from '../../platform/i18n/i18n.ts'
import type { CellProps } from './props.ts'

/** What an entry of the security log is about: what was done, and small below it to which rows of which list. */
export default function Deed({ value, row }: CellProps): ReactNode {
  const t = useT()
  const verb = useVerb()
  const [title, name, id] = [row.targetTitle, row.targetName, row.targetId].map(one => String(one ?? ''))
  const whom = name || (id?.includes(',') ? '' : id)
  const num = Number(row.targetNum)
  const parts = [title && t(title), whom, num > 1 && t('共 {{n}} 项', { n: num })].filter(Boolean)
  return (
    <span className="list-cell">
      <span>{verb(String(value))}</span>
      {parts.length > 0 && <small>{parts.join(' · ')}</small>}
    </span>
  )
}
