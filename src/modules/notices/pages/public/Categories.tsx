import { Segmented } from 'antd'
import type { ReactNode } from 'react'
import { useT } from '../../../../platform/i18n/i18n.ts'

interface Props {
  categories: readonly { key: string; label: string }[]
  value: string
  onChange: (key: string) => void
}

/** All rows, or those of one category. */
export function Categories({ categories, value, onChange }: Props): ReactNode {
  const t = useT()
  const options = [{ key: '', label: '全部' }, ...categories]
  return (
    <div style={{ overflowX: 'auto', marginBottom: 12 }}>
      <Segmented
        value={value}
        onChange={onChange}
        options={options.map(({ key, label }) => ({ value: key, label: t(label) }))}
      />
    </div>
  )
}
