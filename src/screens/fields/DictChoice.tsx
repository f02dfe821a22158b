import { Radio } from 'antd'
import { DictSelect, type DictSelectProps, useOptions } from './DictSelect.tsx'
import { storedKey } from './dictionary.ts'

/** Up to this many short words stand side by side instead of in a list. */
const FEW = 4
/** Longest sum of characters that stands side by side. */
const SHORT = 16

/** As {@link DictSelect}, with few short words side by side. Never for an unbounded business dictionary. */
export function DictChoice(props: DictSelectProps & { many?: boolean }) {
  const { many, ...rest } = props
  const options = useOptions(props)
  const length = options.reduce((sum, option) => sum + option.label.length, 0)
  if (many || options.length === 0 || options.length > FEW || length > SHORT) return <DictSelect {...rest} />
  const { code, value, onChange, id, disabled, onBlur } = rest
  return (
    <Radio.Group
      id={id}
      aria-label={rest['aria-label']}
      disabled={disabled}
      options={options}
      value={value === undefined ? undefined : String(value)}
      onChange={event => onChange(storedKey(code, event.target.value as string))}
      onBlur={onBlur}
    />
  )
}
