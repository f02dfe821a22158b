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
  check?: (value: string) => string | undefined
  help?: string
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
}

/** One of a few ways. */
export function ChoiceRow<V extends string>({ label, value, options, onChange, help }: ChoiceRowProps<V>) {
  const t = useT()
  const id = useId()
  const shown = (Object.keys(options) as V[]).map(one => ({ value: one, label: t(options[one]) }))
  return (
    <Form.Item label={t(label)} htmlFor={id} extra={help && t(help)}>
      <Select id={id} value={value} options={shown} onChange={onChange} />
    </Form.Item>
  )
}

/** A row with an input of its own kind, which takes the id of the label. */
export function Row({ label, help, children }: { label: string; help?: string; children: (id: string) => ReactNode }) {
  const t = useT()
  const id = useId()
  return (
    <Form.Item label={t(label)} htmlFor={id} extra={help && t(help)}>
      {children(id)}
    </Form.Item>
  )
}
