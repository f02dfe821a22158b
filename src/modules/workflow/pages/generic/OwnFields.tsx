import { DatePicker, Form, Input, InputNumber, Select } from 'antd'
import dayjs from 'dayjs'
import type { ReactNode } from 'react'
import { type Fields, text } from '#engine'
import { useT } from '../../../../platform/i18n/i18n.ts'
import type { OwnField, StepForm } from './form-resources.ts'

/** What an antd form gives its inputs. */
interface Given {
  id?: string
  value?: unknown
  disabled?: boolean
  onChange?: (value: unknown) => void
}

const DAY = 'YYYY-MM-DD'

const Day = ({ id, value, disabled, onChange }: Given): ReactNode => (
  <DatePicker
    id={id}
    disabled={disabled}
    style={{ width: '100%' }}
    value={value ? dayjs(String(value)) : null}
    onChange={next => onChange?.(next?.format(DAY))}
  />
)

function inputOf(field: OwnField, say: (text: string) => string): ReactNode {
  const disabled = !field.writable
  switch (field.type) {
    case 'long':
      return <InputNumber disabled={disabled} precision={0} style={{ width: '100%' }} />
    case 'double':
      return <InputNumber disabled={disabled} style={{ width: '100%' }} />
    case 'date':
      return <Day disabled={disabled} />
    case 'boolean': {
      const options = [
        { value: true, label: say('是') },
        { value: false, label: say('否') },
      ]
      return <Select disabled={disabled} allowClear options={options} placeholder={say('请选择')} />
    }
    case 'enum': {
      const options = (field.values ?? []).map(one => ({ value: one.id, label: say(one.name) }))
      return <Select disabled={disabled} allowClear options={options} placeholder={say('请选择')} />
    }
    default:
      return <Input.TextArea disabled={disabled} autoSize={{ minRows: 1, maxRows: 6 }} maxLength={500} />
  }
}

/** A value of the form as its input takes it: what the model presets is text. */
function startOf({ type, default: preset }: OwnField): unknown {
  if (preset === undefined || preset === '') return undefined
  if (type === 'long' || type === 'double') return Number(preset)
  return type === 'boolean' ? preset === 'true' : preset
}

/** What the fields begin with. */
export const startValuesOf = ({ fields, values }: StepForm): Record<string, unknown> =>
  Object.fromEntries(
    fields.flatMap(field => {
      const value = (values as Record<string, unknown>)[field.id] ?? startOf(field)
      return value === undefined || value === '' ? [] : [[field.id, value]]
    }),
  )

/** What a draft calls the fields: each by its name in the form. */
export const draftFields = (fields: readonly OwnField[]): Fields =>
  Object.fromEntries(fields.map(({ id, name }) => [`form.${id}`, text(name)]))

/** What is sent: only what may be changed; an emptied one without a value. */
export const writtenOf = (fields: readonly OwnField[], values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    fields.filter(one => one.writable).flatMap(({ id }) => (values[id] === undefined ? [] : [[id, values[id]]])),
  )

/** Inputs of an antd form for fields of the model's own. */
export function OwnFields({ fields }: { fields: readonly OwnField[] }): ReactNode {
  const t = useT()
  return fields
    .filter(one => one.readable || one.writable)
    .map(field => (
      <Form.Item
        key={field.id}
        name={['form', field.id]}
        label={t(field.name)}
        rules={
          field.required && field.writable
            ? [{ required: true, message: t('请填写{{name}}', { name: t(field.name) }) }]
            : []
        }
      >
        {inputOf(field, t)}
      </Form.Item>
    ))
}
