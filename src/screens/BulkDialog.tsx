import { App, Checkbox, Form, Modal } from 'antd'
import { useState } from 'react'
import { callOf, type Field, fieldOf, type Kind, type Resource } from '#engine'
import { call } from '../platform/http/browser/call.ts'
import { useT } from '../platform/i18n/i18n.ts'
import { problemOf } from './AskDialog.tsx'
import { idOf } from './actions.ts'
import { FieldInput } from './fields/inputs.tsx'
import type { WireRow } from './fields/props.ts'
import { useDraft } from './use-draft.tsx'
import { useKey } from './use-key.ts'
import './bulk.css'
import { doneText } from './window/toasts.tsx'

interface Props {
  resource: Resource
  rows: readonly WireRow[]
  onClose: () => void
  /** Called when the rows have been changed. */
  onDone: () => void
}

/** The fields that are changed, with what all rows get; empty where they are emptied. */
type Values = Readonly<Record<string, unknown>>

const numbers: readonly Kind[] = ['decimal', 'money', 'integer', 'flag']

/** Whether a row has a value already, however either of them is written. */
function hasValue(row: WireRow, name: string, { kind }: Field, value: unknown): boolean {
  const [now, next] = [row[name] ?? '', value ?? ''].map(String)
  return now === next || (numbers.includes(kind) && now !== '' && next !== '' && Number(now) === Number(next))
}

/** Changes some fields of the chosen rows alike: which fields, and to what, with how many rows are so already. */
export default function BulkDialog({ resource, rows, onClose, onDone }: Props) {
  const t = useT()
  const { message } = App.useApp()
  const [start] = useState<Values>({})
  const [values, setValues] = useState(start)
  const [isAsked, setAsked] = useState(false)
  const [busy, setBusy] = useState(false)
  const key = useKey()
  const { entity, bulk } = resource
  const fields = Object.fromEntries(bulk.map(name => [name, fieldOf(entity, name) as Field]))
  const change = (next: Values): void => {
    setValues(next)
    draft.changed(next)
  }
  const ids = rows.map(row => idOf(resource, row))
  const draft = useDraft({
    form: `${resource.name}/change`,
    rowId: ids.join(',').slice(0, 64),
    fields,
    start,
    key,
    onRestore: restored => change({ ...values, ...restored }),
  })
  const chosen = bulk.filter(name => name in values)
  const problem = (name: string): string | undefined => problemOf(fields[name] as Field, values[name])
  const turn = (name: string, isOn: boolean): void => {
    const { [name]: _gone, ...others } = values
    change(isOn ? { ...values, [name]: fields[name]?.default } : others)
  }
  const save = async (): Promise<void> => {
    setAsked(true)
    if (chosen.length === 0 || chosen.some(problem)) return
    const versions = entity.version && { versions: rows.map(row => row.version).join(',') }
    const given = Object.fromEntries(chosen.map(name => [name, values[name] ?? '']))
    const body = { ids: ids.join(','), ...versions, ...given }
    setBusy(true)
    try {
      await call(callOf(resource, 'change'), body, { key: key.keyFor(body, true) })
      draft.saved()
      void message.success(doneText(t('更新成功'), t('已选 {{n}} 项', { n: rows.length })))
      onDone()
    } catch (error) {
      // A refusal has been shown; what was typed stays.
      key.failed(error)
      setBusy(false)
    }
  }
  /** How many rows there are, and how many of them have the value already. */
  const already = (name: string): string => {
    const m = rows.filter(row => hasValue(row, name, fields[name] as Field, values[name])).length
    return t('{{n}} 个{{title}}，{{m}} 个已是此值', { n: rows.length, m, title: t(entity.title) })
  }
  return (
    <Modal
      open
      title={t('批量修改')}
      okText={t('确定')}
      cancelText={t('取消')}
      confirmLoading={busy}
      onOk={() => void save()}
      onCancel={onClose}
    >
      {draft.bar}
      <p className="ask-count">{t('勾选要修改的项；已选的 {{n}} 项全部改为同一个值。', { n: rows.length })}</p>
      <Form layout="vertical" component="div">
        {bulk.map(name => {
          const field = fields[name] as Field
          const isOn = name in values
          const wrong = isAsked && isOn ? problem(name) : undefined
          const id = `bulk-${name}`
          return (
            <Form.Item
              key={name}
              className="bulk-field"
              validateStatus={wrong ? 'error' : undefined}
              help={wrong && <span role="alert">{wrong}</span>}
              extra={isOn && already(name)}
            >
              <Checkbox checked={isOn} onChange={({ target }) => turn(name, target.checked)}>
                {t(field.title)}
              </Checkbox>
              {isOn && (
                <div className="bulk-input">
                  <label htmlFor={id}>{t('{{title}}改为', { title: t(field.title) })}</label>
                  <FieldInput
                    id={id}
                    name={name}
                    field={field}
                    entity={entity.name}
                    value={values[name]}
                    invalid={Boolean(wrong)}
                    onChange={value => change({ ...values, [name]: value })}
                  />
                </div>
              )}
            </Form.Item>
          )
        })}
      </Form>
      {isAsked && chosen.length === 0 && <p role="alert">{t('请选择要修改的字段')}</p>}
    </Modal>
  )
}
