import { InputNumber } from 'antd'
import { useT } from '../../platform/i18n/i18n.ts'

interface Props {
  id: string
  value: number | undefined
  onChange: (value: number | undefined) => void
  placeholder?: string
  label?: string
}

/** A number searched for. */
export function NumberInput({ id, value, onChange, placeholder, label }: Props) {
  const t = useT()
  return (
    <InputNumber
      id={id}
      style={{ width: '100%' }}
      value={value}
      placeholder={placeholder ?? t('请输入')}
      aria-label={label}
      onChange={next => onChange(next ?? undefined)}
    />
  )
}
