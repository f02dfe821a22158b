import { type ReactNode, useState } from 'react'
import { serverNow } from '../../../platform/http/browser/clock.ts'
import { useT } from '../../../platform/i18n/i18n.ts'
import { aria, type InputProps, textOf } from './props.ts'

/** Years offered for a month, back from this one. */
const YEARS = 60
const MONTHS = Array.from({ length: 12 }, (_, at) => String(at + 1).padStart(2, '0'))

/** A day, chosen with the device's own calendar. */
export function DateInput(props: InputProps): ReactNode {
  const { id, field, value, onChange, disabled } = props
  return (
    <input
      id={id}
      type="date"
      className="in"
      value={textOf(value)}
      min={field.least ?? '1900-01-01'}
      max={field.most ?? '2099-12-31'}
      disabled={disabled}
      onChange={event => onChange(event.target.value)}
      {...aria(props)}
    />
  )
}

function yearsFor(value: string, most = ''): string[] {
  const last = Number(most.slice(0, 4)) || new Date(serverNow()).getFullYear() + 2
  const years = Array.from({ length: YEARS }, (_, at) => String(last - at))
  const own = value.slice(0, 4)
  return own && !years.includes(own) ? [...years, own] : years
}

/** Whether the device is one for fingers, with a choice of months of its own: not every browser has one. */
function hasMonths(): boolean {
  const input = document.createElement('input')
  input.type = 'month'
  return input.type === 'month' && matchMedia('(pointer: coarse)').matches
}

/** A month, chosen with the device's own wheel on a phone. The value is complete or empty. */
export function MonthInput(props: InputProps): ReactNode {
  const [isOne] = useState(hasMonths)
  if (!isOne) return <MonthChoices {...props} />
  const { id, field, value, onChange, disabled } = props
  return (
    <input
      id={id}
      type="month"
      className="in"
      value={textOf(value)}
      min={field.least?.slice(0, 7)}
      max={field.most?.slice(0, 7)}
      disabled={disabled}
      onChange={event => onChange(event.target.value)}
      {...aria(props)}
    />
  )
}

/** A month as two choices. */
function MonthChoices(props: InputProps): ReactNode {
  const t = useT()
  const { id, field, value, onChange, disabled } = props
  const text = textOf(value)
  const [half, setHalf] = useState({ year: '', month: '' })
  const year = text.slice(0, 4) || half.year
  const month = text.slice(5, 7) || half.month
  const put = (next: { year: string; month: string }): void => {
    setHalf(next)
    onChange(next.year && next.month ? `${next.year}-${next.month}` : '')
  }
  return (
    <div className="in-levels">
      <select
        id={id}
        className="in"
        aria-label={`${t(field.title)} ${t('年')}`}
        value={year}
        disabled={disabled}
        onChange={event => put({ year: event.target.value, month })}
        {...aria(props)}
      >
        <option value="">{t('年')}</option>
        {yearsFor(text, field.most).map(one => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
      <select
        className="in"
        aria-label={`${t(field.title)} ${t('月')}`}
        value={month}
        disabled={disabled}
        onChange={event => put({ year, month: event.target.value })}
      >
        <option value="">{t('月')}</option>
        {MONTHS.map(one => (
          <option key={one} value={one}>
            {Number(one)}
          </option>
        ))}
      </select>
    </div>
  )
}
