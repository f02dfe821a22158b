import { Form, Input, Select } from 'antd'
import { type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react'
import { useT } from '../../../../../platform/i18n/i18n.ts'

/** Milliseconds of silence after which what was typed stands in the model. */
const PAUSE = 800

interface TextRowProps {
  label: string
  value: string
  onChange: (value: string) => void
  /** What is wrong with a text, in Chinese; such a text does not reach the model. */
  check?: ((value: string) => string | undefined) | undefined
  help?: string | undefined
  required?: boolean
  placeholder?: string
  multiline?: boolean
  maxLength?: number
}

/** A text of the model. It is changed after a pause or by the next click, so that undoing goes by texts and not by letters. */
export function TextRow({
  label,
  value,
  onChange,
  check,
  help,
  placeholder,
  multiline,
  required = false,
  maxLength = 200,
}: TextRowProps) {
  const t = useT()
  const id = useId()
  const [typed, setTyped] = useState(value)
  const [seen, setSeen] = useState(value)
  if (value !== seen) {
    setSeen(value)
    setTyped(value)
  }
  const problem = check?.(typed)
  const commit = (): void => {
    if (typed !== value && !problem) onChange(typed)
  }
  const commitLater = useEffectEvent(commit)
  useEffect(() => {
    if (typed === value) return
    const now = (): void => commitLater()
    const timer = setTimeout(now, PAUSE)
    // Not when the input is left: the buttons beside a step are drawn anew then, under the pointer that is about to press one.
    addEventListener('click', now, true)
    return () => {
      clearTimeout(timer)
      removeEventListener('click', now, true)
    }
  }, [typed, value])
  const given = {
    id,
    value: typed,
    maxLength,
    placeholder: placeholder && t(placeholder),
    status: problem ? ('error' as const) : undefined,
  }
  return (
    <Form.Item
      label={t(label)}
      htmlFor={id}
      required={required}
      extra={help && t(help)}
      validateStatus={problem ? 'error' : undefined}
      help={problem && t(problem)}
    >
      {multiline ? (
        <Input.TextArea
          {...given}
          autoSize={{ minRows: 2, maxRows: 8 }}
          onChange={event => setTyped(event.target.value)}
        />
      ) : (
        <Input {...given} onChange={event => setTyped(event.target.value)} onPressEnter={commit} />
      )}
    </Form.Item>
  )
}

interface ChoiceRowProps<V extends string> {
  label: string
  value: V
  /** Texts by value, in Chinese. */
  options: Readonly<Record<V, string>>
  onChange: (value: V) => void
  help?: string
  required?: boolean
}

/** One of a few ways. */
export function ChoiceRow<V extends string>({
  label,
  value,
  options,
  onChange,
  help,
  required = false,
}: ChoiceRowProps<V>) {
  const t = useT()
  const id = useId()
  const shown = (Object.keys(options) as V[]).map(one => ({ value: one, label: t(options[one]) }))
  return (
    <Form.Item label={t(label)} htmlFor={id} required={required} extra={help && t(help)}>
      <Select id={id} value={value} options={shown} onChange={onChange} />
    </Form.Item>
  )
}

interface KnownRowProps {
  label: string
  value: string
  /** What can be chosen; undefined while it is on its way. */
  options: readonly { readonly value: string; readonly label: string }[] | undefined
  /** Said of a value that cannot be chosen, in Chinese, with `{{name}}` for it. */
  unknown: string
  onChange: (value: string) => void
  help?: string | undefined
  required?: boolean
}

/** One of what the server knows. A value that it does not know stays until it is replaced, and is named so. */
export function KnownRow({ label, value, options, unknown, onChange, help, required = false }: KnownRowProps) {
  const t = useT()
  const id = useId()
  const isUnknown = value !== '' && options !== undefined && !options.some(one => one.value === value)
  return (
    <Form.Item
      label={t(label)}
      htmlFor={id}
      required={required}
      extra={help && t(help)}
      validateStatus={isUnknown ? 'warning' : undefined}
      help={isUnknown && t(unknown, { name: value })}
    >
      <Select
        id={id}
        allowClear
        loading={options === undefined}
        placeholder={t('请选择')}
        value={value || undefined}
        options={[...(options ?? []), ...(isUnknown ? [{ value, label: value }] : [])]}
        showSearch={{ optionFilterProp: 'label' }}
        onChange={(next: string | undefined) => onChange(next ?? '')}
      />
    </Form.Item>
  )
}

interface RowProps {
  label: string
  help?: string
  required?: boolean
  children: (id: string) => ReactNode
}

/** A row with an input of its own kind, which takes the id of the label. */
export function Row({ label, help, required = false, children }: RowProps) {
  const t = useT()
  const id = useId()
  return (
    <Form.Item label={t(label)} htmlFor={id} required={required} extra={help && t(help)}>
      {children(id)}
    </Form.Item>
  )
}
