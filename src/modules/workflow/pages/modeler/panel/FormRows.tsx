import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Checkbox, Select } from 'antd'
import { type ReactNode, useState } from 'react'
import { useT } from '../../../../../platform/i18n/i18n.ts'
import type { Shape } from '../editor.ts'
import { type OwnField, ownFieldsOf, setOwnFields } from '../extensions.ts'
import { nextName } from '../next-name.ts'
import { listed } from '../people.ts'
import { nameProblem } from './AssigneeRows.tsx'
import { useChoices } from './choices.ts'
import { useEditor } from './knowledge.ts'
import { ChoiceRow, KnownRow, Row, TextRow } from './rows.tsx'

type Way = 'none' | 'own' | 'key'

const ways = { none: '没有表单', own: '自定义字段', key: '已有表单' } as const satisfies Record<Way, string>
const types = {
  string: '文本',
  long: '整数',
  double: '小数',
  boolean: '是否',
  date: '日期',
  enum: '选项',
} as const

/** The name under which fields of one's own stand. */
const generic = 'generic'

/** What is filled in at a step. */
export function FormRows({ of }: { of: Shape }): ReactNode {
  const t = useT()
  const choices = useChoices()
  const editor = useEditor()
  const key = of.businessObject.get<string>('flowable:formKey') ?? ''
  const fields = ownFieldsOf(of.businessObject)
  const [begun, begin] = useState<Way>()
  const written: Way = key && key !== generic ? 'key' : key === generic || fields.length > 0 ? 'own' : 'none'
  const way = begun ?? written
  const turn = (next: Way): void => {
    begin(next)
    if (next !== 'own' && fields.length > 0) setOwnFields(editor, of, [])
    editor.set(of, { 'flowable:formKey': next === 'own' ? generic : undefined })
  }
  return (
    <>
      <ChoiceRow label="表单" value={way} options={ways} onChange={turn} />
      {way === 'key' && (
        <KnownRow
          label="表单名称"
          value={key === generic ? '' : key}
          options={choices?.forms.map(one => ({ value: one.key, label: t(one.title) }))}
          unknown="没有登记名为{{name}}的表单，部署时会被拒绝"
          onChange={next => editor.set(of, { 'flowable:formKey': next || undefined })}
        />
      )}
      {way === 'own' && <OwnFields fields={fields} onChange={next => setOwnFields(editor, of, next)} />}
    </>
  )
}

interface OwnFieldsProps {
  fields: readonly OwnField[]
  onChange: (fields: readonly OwnField[]) => void
}

/** Fields in their order, each to be changed and taken away. */
function OwnFields({ fields, onChange }: OwnFieldsProps): ReactNode {
  const t = useT()
  const change = (at: number, next: Partial<OwnField>): void =>
    onChange(fields.map((one, place) => (place === at ? { ...one, ...next } : one)))
  const add = (): void =>
    onChange([
      ...fields,
      {
        id: nextName(
          fields.map(one => one.id),
          'field',
        ),
        name: '',
        type: 'string',
        required: false,
        writable: true,
        default: '',
        values: [],
      },
    ])
  return (
    <>
      {fields.map((field, at) => (
        <fieldset key={field.id} className="modeler-field">
          <legend>{t('第{{n}}个字段', { n: at + 1 })}</legend>
          <OwnFieldRows
            field={field}
            taken={fields.filter(one => one !== field).map(one => one.id)}
            onChange={next => change(at, next)}
          />
          <Button
            size="small"
            danger
            icon={<DeleteOutlined aria-hidden />}
            onClick={() => onChange(fields.filter(one => one !== field))}
          >
            {t('删除字段')}
          </Button>
        </fieldset>
      ))}
      <Button block type="dashed" icon={<PlusOutlined aria-hidden />} onClick={add}>
        {t('添加字段')}
      </Button>
    </>
  )
}

interface OwnFieldProps {
  field: OwnField
  taken: readonly string[]
  onChange: (next: Partial<OwnField>) => void
}

function OwnFieldRows({ field, taken, onChange }: OwnFieldProps): ReactNode {
  const t = useT()
  const idProblem = (id: string): string | undefined => {
    if (id === '') return '请输入字段标识'
    return taken.includes(id) ? '字段标识重复' : nameProblem(id)
  }
  return (
    <>
      <TextRow label="字段名称" value={field.name} maxLength={50} onChange={name => onChange({ name })} />
      <TextRow
        label="字段标识"
        value={field.id}
        check={idProblem}
        maxLength={64}
        help="条件中用它取值"
        onChange={id => onChange({ id })}
      />
      <Row label="字段类型">
        {id => (
          <Select
            id={id}
            value={field.type}
            options={Object.entries(types).map(([value, name]) => ({ value, label: t(name) }))}
            onChange={type => onChange({ type })}
          />
        )}
      </Row>
      {field.type === 'enum' && (
        <TextRow
          label="选项内容"
          value={field.values.map(one => one.name || one.id).join(',')}
          help="用逗号分隔"
          onChange={text => onChange({ values: listed(text).map(name => ({ id: name, name })) })}
        />
      )}
      <TextRow label="默认值" value={field.default} onChange={value => onChange({ default: value })} />
      <p className="modeler-checks">
        <Checkbox checked={field.required} onChange={event => onChange({ required: event.target.checked })}>
          {t('必填')}
        </Checkbox>
        <Checkbox checked={!field.writable} onChange={event => onChange({ writable: !event.target.checked })}>
          {t('只读')}
        </Checkbox>
      </p>
    </>
  )
}
