import { Select } from 'antd'
import { useT } from '../../platform/i18n/i18n.ts'
import { storedKey, useDictionary } from './dictionary.ts'

/** What a dictionary select is given. Several keys are comma-joined, as on the wire. */
export interface DictSelectProps {
  code: string
  value: string | number | undefined
  onChange: (value: string | number | undefined) => void
  multiple?: boolean
  id?: string
  disabled?: boolean
  status?: 'error'
  placeholder?: string
  /** Keys that are not offered: rows have them by what the server does, nobody chooses them. */
  without?: readonly string[]
  /** Its name where no label stands beside it. */
  'aria-label'?: string
  onBlur?: () => void
}

/** The entries that may be chosen, and those that already are. */
export function useOptions({ code, value, without = [] }: DictSelectProps) {
  const { entries, word } = useDictionary(code)
  const chosen = String(value ?? '').split(',')
  return entries
    .filter(entry => !(entry.sealed || without.includes(entry.key)) || chosen.includes(entry.key))
    .map(entry => ({ value: entry.key, label: word(entry.key) }))
}

/** One key, or several, of a dictionary. Sealed entries are offered only where they are already chosen. */
export function DictSelect(props: DictSelectProps) {
  const t = useT()
  const { code, value, onChange, multiple, placeholder, without: _without, ...rest } = props
  const options = useOptions(props)
  const chosen = value === undefined || value === '' ? [] : String(value).split(',')
  const change = (next: string | string[] | undefined): void => {
    if (Array.isArray(next)) onChange(next.join(',') || undefined)
    else onChange(next === undefined ? undefined : storedKey(code, next))
  }
  return (
    <Select<string | string[]>
      {...rest}
      style={{ width: '100%' }}
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      mode={multiple ? 'multiple' : undefined}
      placeholder={placeholder ?? t('请选择')}
      value={multiple ? chosen : chosen[0]}
      options={options}
      onChange={change}
    />
  )
}
