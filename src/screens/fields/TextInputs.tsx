import { Input, InputNumber, Switch } from 'antd'
import { useState } from 'react'
import { useT } from '../../platform/i18n/i18n.ts'
import { fen } from './money.ts'
import { type InputProps, inputState } from './props.ts'

const orNothing = (text: string): string | undefined => (text === '' ? undefined : text)

/** One line of text. */
export function TextInput(props: InputProps<string>) {
  const { field, value, onChange } = props
  return (
    <Input
      {...inputState(props)}
      value={value ?? ''}
      maxLength={field.maxLength}
      autoComplete="off"
      onChange={event => onChange(orNothing(event.target.value))}
    />
  )
}

/** A password: never shown unless asked for, never filled in by the browser. */
export function SecretInput(props: InputProps<string>) {
  const { field, value, onChange } = props
  return (
    <Input.Password
      {...inputState(props)}
      value={value ?? ''}
      maxLength={field.maxLength}
      autoComplete="new-password"
      onChange={event => onChange(orNothing(event.target.value))}
    />
  )
}

/** Text of several lines that grows with what is typed. */
export function LongTextInput(props: InputProps<string>) {
  const { field, value, onChange } = props
  return (
    <Input.TextArea
      {...inputState(props)}
      value={value ?? ''}
      maxLength={field.maxLength}
      showCount={field.maxLength !== undefined}
      autoSize={{ minRows: 3, maxRows: 10 }}
      onChange={event => onChange(orNothing(event.target.value))}
    />
  )
}

/** A whole number. */
export function IntegerInput(props: InputProps<number | string>) {
  const { field, value, onChange } = props
  return (
    <InputNumber
      {...inputState(props)}
      style={{ width: '100%' }}
      value={value}
      min={field.minimum}
      max={field.maximum}
      precision={0}
      onChange={next => onChange(next === null ? undefined : Number(next))}
    />
  )
}

/** An exact decimal: kept as text, so that nothing is rounded. */
export function DecimalInput(props: InputProps<number | string>) {
  const { field, value, onChange } = props
  return (
    <InputNumber<string>
      {...inputState(props)}
      style={{ width: '100%' }}
      stringMode
      value={value === undefined ? undefined : String(value)}
      min={field.minimum === undefined ? undefined : String(field.minimum)}
      max={field.maximum === undefined ? undefined : String(field.maximum)}
      onChange={next => onChange(next === null ? undefined : next)}
    />
  )
}

/** An amount typed in yuan, kept in fen. */
export function MoneyInput(props: InputProps<number>) {
  const { field, value, onChange } = props
  const t = useT()
  return (
    <InputNumber
      {...inputState(props)}
      style={{ width: '100%' }}
      value={value === undefined ? undefined : Number(value) / 100}
      min={(field.minimum ?? 0) / 100}
      max={field.maximum === undefined ? undefined : field.maximum / 100}
      precision={2}
      prefix="¥"
      suffix={t('元')}
      onChange={next => onChange(next === null ? undefined : fen(next))}
    />
  )
}

/** Yes or no as 1 and 0. */
export function FlagInput({ id, value, onChange, onBlur, disabled }: InputProps<number>) {
  const t = useT()
  return (
    <Switch
      id={id}
      disabled={disabled}
      checked={Number(value) === 1}
      checkedChildren={t('是')}
      unCheckedChildren={t('否')}
      onChange={on => {
        onChange(on ? 1 : 0)
        onBlur?.()
      }}
    />
  )
}

const print = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, null, 2))

/** Structured data as JSON text. What cannot be read yet stays on the screen and is not taken over. */
export function JsonInput(props: InputProps) {
  const { value, onChange } = props
  const t = useT()
  const [text, setText] = useState(() => print(value))
  const [broken, setBroken] = useState(false)
  const type = (next: string): void => {
    setText(next)
    try {
      onChange(next.trim() ? JSON.parse(next) : undefined)
      setBroken(false)
    } catch {
      setBroken(true)
    }
  }
  return (
    <>
      <Input.TextArea
        {...inputState(props)}
        status={broken ? 'error' : undefined}
        value={text}
        autoSize={{ minRows: 3, maxRows: 12 }}
        style={{ fontFamily: 'monospace' }}
        onChange={event => type(event.target.value)}
      />
      {broken && <div role="alert">{t('不是有效的 JSON')}</div>}
    </>
  )
}
