import type { ReactNode } from 'react'
import { useT } from '../../../platform/i18n/i18n.ts'
import { aria, type InputProps, listIn, textOf } from './props.ts'

const entriesOf = ({ field, dicts }: InputProps) => (field.dict ? (dicts[field.dict] ?? []) : [])

/** One of a few, all in sight. */
export function RadioInput(props: InputProps): ReactNode {
  const t = useT()
  const { id, field, value, onChange, disabled } = props
  return (
    <div className="in-choices" role="radiogroup" aria-label={t(field.title)} {...aria(props)}>
      {entriesOf(props).map((one, at) => (
        <label key={one.key} className="in-choice">
          <input
            type="radio"
            id={at === 0 ? id : undefined}
            name={id}
            checked={textOf(value) === one.key}
            disabled={disabled}
            onChange={() => onChange(one.key)}
          />
          <span>{t(one.value)}</span>
        </label>
      ))}
    </div>
  )
}

/** Any of a few. */
export function ChecksInput(props: InputProps): ReactNode {
  const t = useT()
  const { id, field, value, onChange, disabled } = props
  const held = listIn(value)
  const toggle = (key: string, on: boolean): void =>
    onChange(on ? [...held.filter(one => one !== key), key] : held.filter(one => one !== key))
  return (
    <fieldset className="in-choices" aria-label={t(field.title)} {...aria(props)}>
      {entriesOf(props).map((one, at) => (
        <label key={one.key} className="in-choice">
          <input
            type="checkbox"
            id={at === 0 ? id : undefined}
            checked={held.includes(one.key)}
            disabled={disabled}
            onChange={event => toggle(one.key, event.target.checked)}
          />
          <span>{t(one.value)}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** One of many, with the device's own picker. */
export function SelectInput(props: InputProps): ReactNode {
  const t = useT()
  const { id, value, onChange, disabled } = props
  const entries = entriesOf(props)
  const held = textOf(value)
  const isGone = held !== '' && !entries.some(one => one.key === held)
  return (
    <select
      id={id}
      className="in"
      value={held}
      disabled={disabled}
      onChange={event => onChange(event.target.value)}
      {...aria(props)}
    >
      <option value="">{t('请选择')}</option>
      {isGone && <option value={held}>{held}</option>}
      {entries.map(one => (
        <option key={one.key} value={one.key}>
          {t(one.value)}
        </option>
      ))}
    </select>
  )
}
