import { Tag } from 'antd'
import type { ReactNode } from 'react'
import { useT } from '../../platform/i18n/i18n.ts'
import { hookEventTree } from '../contract.ts'
import { useEndpoint } from '../parts/use-endpoint.ts'
import type { CellProps } from './props.ts'

/** Events by what they are called: in a line the first and how many there are, in a detail all of them. */
export default function EventNames({ value, where }: CellProps): ReactNode {
  const t = useT()
  const { data = [] } = useEndpoint(hookEventTree, {})
  const words = new Map(data.map(({ code, label }) => [code, label]))
  const names = String(value)
    .split(',')
    .map(code => t(words.get(code) ?? code))
  const [first = ''] = names
  if (names.length === 1) return first
  if (where === 'table') return t('{{name}}等{{n}}项', { name: first, n: names.length })
  return (
    <span style={{ display: 'flex', flexWrap: 'wrap', gap: 4 }}>
      {names.map(name => (
        <Tag key={name} style={{ margin: 0 }}>
          {name}
        </Tag>
      ))}
    </span>
  )
}
