import type { RefOption } from './ref-options.ts'

/** What a reference select is given. Several values are comma-joined, as on the wire. */
export interface RefSelectProps {
  /** Name of the entity referred to. */
  entity: string
  value: string | undefined
  onChange: (value: string | undefined) => void
  /** Words of the value known from the row (`<field>Name`), shown until the choices are loaded. */
  label?: string
  multiple?: boolean
  /** Fixed narrowing of the choices, for example `{ examId }`. */
  params?: Readonly<Record<string, unknown>>
  id?: string
  /** Name of the input where no label stands beside it. */
  name?: string
  disabled?: boolean
  status?: 'error'
  placeholder?: string
  onBlur?: () => void
}

const splitValue = (value: string | undefined): string[] => (value ? value.split(',') : [])
const joinValue = (value: string | string[] | undefined | null): string | undefined =>
  (Array.isArray(value) ? value.join(',') : value) || undefined

/** The choices, with the chosen ones in front that a page of choices does not hold. */
export function withChosen(
  options: readonly RefOption[],
  value: string | undefined,
  label: string | undefined,
): RefOption[] {
  const labels = label?.split(/[,、]/) ?? []
  const missing = splitValue(value)
    .map((one, at) => ({ value: one, label: labels[at] || one }))
    .filter(one => !options.some(option => option.value === one.value))
  return [...missing, ...options]
}

/** Words of the chosen values, as far as they are known. */
export function labelsOf(chosen: readonly RefOption[], value: string | undefined): string {
  return splitValue(value)
    .map(one => chosen.find(option => option.value === one)?.label ?? one)
    .join(',')
}

/** What a flat and a deep select are given alike. */
export function selectProps(props: RefSelectProps, t: (text: string) => string) {
  const { id, disabled, status, onBlur, placeholder, multiple } = props
  const value = multiple ? splitValue(props.value) : props.value || undefined
  return {
    id,
    'aria-label': props.name,
    disabled,
    status,
    onBlur,
    value,
    allowClear: true,
    style: { width: '100%' },
    placeholder: placeholder ?? t('请选择'),
    ...(multiple && { maxTagCount: 'responsive' as const }),
    onChange: (next: string | string[] | undefined | null) => props.onChange(joinValue(next)),
  }
}
