import { Alert, Form, Modal } from 'antd'
import { type ReactNode, useState } from 'react'
import { type Field, type Fields, formats, type Resource } from '#engine'
import { useT, useVerb } from '../platform/i18n/i18n.ts'
import { type AnyAction, idOf } from './actions.ts'
import { FieldInput } from './fields/inputs.tsx'
import { isEmpty, type WireRow } from './fields/props.ts'
import { formatText, missingText } from './form-messages.ts'
import { startValues } from './run-action.ts'
import { SentBefore } from './SentBefore.tsx'
import { useDraft } from './use-draft.tsx'
import { useKey } from './use-key.ts'

interface Props {
  resource: Resource
  action: AnyAction
  fields: Fields
  /** The rows it is for, where what it begins with stands in them. */
  rows?: readonly WireRow[]
  /** What is told of the rows: how many they are, in words, when there are several. */
  about?: ReactNode
  /** Runs the action; the dialog closes when it succeeds and keeps what was typed when it does not. */
  onRun: (values: Record<string, unknown>, key: string) => Promise<void>
  onClose: () => void
}

/** What is wrong with a value asked for, in words; undefined when nothing is. */
export function problemOf(field: Field, value: unknown): string | undefined {
  if (isEmpty(value)) return field.optional ? undefined : missingText(field)
  const text = String(value)
  const wrong =
    (field.format && formats[field.format]?.(text) === false) ||
    (field.pattern !== undefined && !new RegExp(field.pattern, 'u').test(text))
  return wrong ? formatText(field, value) : undefined
}

/** Asks for what an action needs before it runs. */
export function AskDialog({ resource, action, fields, rows = [], about, onRun, onClose }: Props) {
  const t = useT()
  const verb = useVerb()
  const [start] = useState(() => startValues(action, fields, rows))
  const [values, setValues] = useState(start)
  const [left, setLeft] = useState<Readonly<Record<string, true>>>({})
  const [busy, setBusy] = useState(false)
  const key = useKey()
  const [isSentBefore, setSentBefore] = useState(false)
  const draft = useDraft({
    form: `${resource.name}/${action.name}`,
    // Questions about several rows are about these together.
    rowId: rows
      .map(row => idOf(resource, row))
      .join(',')
      .slice(0, 64),
    fields,
    start,
    key,
    onRestore: restored => change({ ...values, ...restored }),
  })
  const change = (next: Record<string, unknown>): void => {
    setValues(next)
    draft.changed(next)
  }
  const [first, ...others] = rows
  const alone = others.length === 0 ? first : undefined
  const names = Object.keys(fields)
  const problem = (name: string): string | undefined => problemOf(fields[name] as Field, values[name])
  const run = async (): Promise<void> => {
    setLeft(Object.fromEntries(names.map(name => [name, true as const])))
    if (names.some(problem)) return
    setBusy(true)
    // A refusal has been shown; the dialog stays with what was typed.
    const done = (): void => {
      draft.saved()
      onClose()
    }
    await onRun(values, key.keyFor(values)).then(done, (error: unknown) => {
      setSentBefore(key.failed(error))
      setBusy(false)
    })
  }
  const again = (): void => {
    key.renew()
    setSentBefore(false)
    void run()
  }
  return (
    <Modal
      open
      title={verb(action.label)}
      okText={t('确定')}
      cancelText={t('取消')}
      okButtonProps={{ danger: action.danger }}
      confirmLoading={busy}
      onOk={() => void run()}
      onCancel={onClose}
    >
      {action.confirm && <Alert type="warning" title={t(action.confirm)} style={{ marginBottom: 16 }} />}
      {draft.bar}
      {isSentBefore && <SentBefore again="再提交一次" onAgain={again} />}
      {about && <div className="ask-about">{about}</div>}
      <Form layout="vertical" component="div">
        {names.map(name => {
          const field = fields[name] as Field
          const wrong = left[name] ? problem(name) : undefined
          const id = `ask-${name}`
          return (
            <Form.Item
              key={name}
              label={t(field.title)}
              htmlFor={id}
              required={!field.optional}
              validateStatus={wrong ? 'error' : undefined}
              help={wrong && <span role="alert">{wrong}</span>}
              extra={field.help && t(field.help)}
            >
              <FieldInput
                id={id}
                name={name}
                field={field}
                entity={resource.entity.name}
                value={values[name]}
                beside={field.within && { ...alone, ...values }[field.within]}
                invalid={Boolean(wrong)}
                onChange={value => change({ ...values, [name]: value })}
                onBlur={() => setLeft(current => ({ ...current, [name]: true }))}
              />
            </Form.Item>
          )
        })}
      </Form>
    </Modal>
  )
}
