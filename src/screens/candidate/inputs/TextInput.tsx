import type { ReactNode } from 'react'
import { aria, type InputProps, textOf } from './props.ts'

/** Keyboards and suggestions of the device by kind of text. */
const devices: Record<string, Partial<React.InputHTMLAttributes<HTMLInputElement>>> = {
  phone: { inputMode: 'tel', autoComplete: 'tel' },
  idCard: { autoCapitalize: 'characters', autoComplete: 'off' },
}

/** One line of text. */
export function TextInput(props: InputProps): ReactNode {
  const { id, field, value, onChange, disabled } = props
  return (
    <input
      id={id}
      className="in"
      value={textOf(value)}
      disabled={disabled}
      placeholder={field.placeholder}
      maxLength={field.maxLength}
      onChange={event => onChange(event.target.value)}
      {...devices[field.kind]}
      {...aria(props)}
    />
  )
}

/** Several lines of text; grows with what is written where the browser can. */
export function LongTextInput(props: InputProps): ReactNode {
  const { id, field, value, onChange, disabled } = props
  return (
    <textarea
      id={id}
      className="in"
      rows={4}
      value={textOf(value)}
      disabled={disabled}
      placeholder={field.placeholder}
      maxLength={field.maxLength}
      onChange={event => onChange(event.target.value)}
      {...aria(props)}
    />
  )
}

/** A number; what is typed stays text until the field is left, so that `1.0` can become `1.05`. */
export function NumberInput(props: InputProps): ReactNode {
  const { id, value, onChange, disabled } = props
  const leave = (text: string): void => {
    if (/^-?\d+(\.\d+)?$/.test(text.trim())) onChange(Number(text))
  }
  return (
    <input
      id={id}
      className="in"
      inputMode="decimal"
      value={textOf(value)}
      disabled={disabled}
      onChange={event => onChange(event.target.value)}
      onBlur={event => leave(event.target.value)}
      {...aria(props)}
    />
  )
}
