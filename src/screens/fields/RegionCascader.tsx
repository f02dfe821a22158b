import { useQuery } from '@tanstack/react-query'
import { Cascader } from 'antd'
import { useState } from 'react'
import { call } from '../../platform/http/browser/call.ts'
import { useT } from '../../platform/i18n/i18n.ts'
import { regionNodes } from '../contract.ts'

interface Option {
  value: string
  label: string
  isLeaf: boolean
  loading?: boolean
  children?: Option[]
}

/** Code of the country, above the provinces. */
const ROOT = '00'

async function level(parentCode: string): Promise<Option[]> {
  const nodes = await call(regionNodes, { parentCode }, { pass: 'all' })
  return nodes.map(node => ({ value: node.id, label: node.title, isLeaf: !node.hasChildren }))
}

function place(options: readonly Option[], at: string, children: Option[]): Option[] {
  return options.map(option => {
    if (option.value === at) return { ...option, children }
    return option.children ? { ...option, children: place(option.children, at, children) } : option
  })
}

/** What a region picker is given; the value is the code of the last level chosen. */
export interface RegionProps {
  value: string | undefined
  onChange: (code: string | undefined) => void
  /** Words of the value known from the row. */
  label?: string
  id?: string
  disabled?: boolean
  status?: 'error'
  onBlur?: () => void
}

/** A region, chosen level by level; each level is asked for when it is opened. */
export function RegionCascader({ value, onChange, label, ...rest }: RegionProps) {
  const t = useT()
  const [loaded, setLoaded] = useState<Option[]>()
  const [path, setPath] = useState<string[]>()
  const top = useQuery({ queryKey: ['region', ROOT], queryFn: () => level(ROOT), retry: false, staleTime: 600_000 })
  const options = loaded ?? top.data ?? []
  const known = path?.at(-1) === value ? path : undefined
  const load = async (chosen: Option[]): Promise<void> => {
    const last = chosen.at(-1)
    if (!last) return
    const children = await level(last.value).catch(() => [])
    setLoaded(current => place(current ?? top.data ?? [], last.value, children))
  }
  return (
    <Cascader<Option>
      {...rest}
      style={{ width: '100%' }}
      allowClear
      changeOnSelect
      options={options}
      loadData={chosen => void load(chosen)}
      value={value ? (known ?? [value]) : undefined}
      displayRender={labels => (known || !label ? labels.join(' / ') : label)}
      placeholder={t('请选择')}
      onChange={next => {
        setPath(next as string[] | undefined)
        onChange((next?.at(-1) as string | undefined) ?? undefined)
      }}
    />
  )
}
