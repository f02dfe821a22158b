import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import LibraryArray from '@rjsf/core/lib/components/fields/ArrayField.js'
import type {
  ArrayFieldItemTemplateProps,
  ArrayFieldTemplateProps,
  FieldPathId,
  FieldProps,
  FieldTemplateProps,
  ObjectFieldTemplateProps,
} from '@rjsf/utils'
import { Button } from 'antd'
import { type ComponentType, createContext, type ReactNode, useContext } from 'react'
import type { Dicts, FormField } from '../../../engine/form-field.ts'
import { sentence, useT } from '../../../platform/i18n/i18n.ts'
import { inputs } from './inputs.ts'
import { type FieldContext, fieldId, type InputProps, textOf } from './props.ts'
import { TextInput } from './TextInput.tsx'

/** What every part of the form knows. It goes by React's own context: the form library compares its context too loosely. */
export interface FormKnowledge {
  context: FieldContext
  /** Titled parts of the form with the codes of their items. */
  groups: readonly { readonly name: string; readonly label: string; readonly codes: readonly string[] }[]
  /** Draws a part around its items. */
  Group: ComponentType<{ label: string; children: ReactNode }>
}

const Knowledge = createContext<FormKnowledge | null>(null)

/** Tells the parts of the form what they know. */
export const FormKnowledgeProvider = Knowledge.Provider

function useKnowledge(): FormKnowledge {
  const known = useContext(Knowledge)
  if (!known) throw new Error('A part of a form stands outside a form')
  return known
}

/** Whether the table around a row must have rows. */
const TableAsked = createContext(false)

/** A path as problems name it: `jobs[0].unit`. */
const nameOf = (path: FieldPathId['path']): string =>
  path.map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at ? '.' : ''}${step}`)).join('')

/** Controls that are several: a click on their name must not choose the first of them. */
const severals: ReadonlySet<string> = new Set(['radio', 'checks', 'table'])

/** Choices up to this many are all in sight instead of in a list that is opened first. */
const FEW = 6

/**
 * How an item is drawn. One that may be left out stays a list, in which one can go back to no choice, as does one that holds what
 * is no choice any more.
 */
function kindOf({ kind, dict = '' }: FormField, isAsked: boolean | undefined, value: unknown, dicts: Dicts): string {
  const entries = dicts[dict] ?? []
  const isFew = kind === 'select' && isAsked === true && entries.length > 0 && entries.length <= FEW
  const isKnown = textOf(value) === '' || entries.some(one => one.key === textOf(value))
  return isFew && isKnown ? 'radio' : kind
}

const problemId = (id: string): string => `${id}-problem`

/** One item of the form: its name, its control, a reviewer's opinion and what is wrong. */
function ItemFrame({ fieldPathId, schema, required, formData, children }: FieldTemplateProps): ReactNode {
  const t = useT()
  const { context } = useKnowledge()
  const { path } = fieldPathId
  const field = schema as unknown as FormField
  const { title, span = 24 } = field
  const kind = kindOf(field, required, formData, context.dicts)
  // The form itself and the rows of its tables have no frame.
  if (typeof path.at(-1) !== 'string') return children
  if (kind === 'note') return <p className="in-note">{title}</p>
  const name = nameOf(path)
  const problem = context.problemOf(name)
  const opinion = context.opinionOf(name)
  const id = fieldId(name)
  return (
    <fieldset
      className="in-field"
      data-wide={span > 12 || undefined}
      data-marked={opinion !== undefined || undefined}
      onBlur={event => {
        if (!event.currentTarget.contains(event.relatedTarget)) context.onLeave(name)
      }}
    >
      <label htmlFor={severals.has(kind) ? undefined : id}>
        {t(title)}
        {required && (
          <span className="in-must" title={t('必填')}>
            *
          </span>
        )}
      </label>
      {opinion !== undefined && (
        <p className="in-opinion">{t('审核意见：{{opinion}}', { opinion: opinion || t('请修改') })}</p>
      )}
      {children}
      {problem && (
        <p className="in-problem" id={problemId(id)} role="alert">
          {sentence(problem)}
        </p>
      )}
    </fieldset>
  )
}

/** Draws the input that the kind asks for. */
function KindField({ schema, fieldPathId, formData, onChange, required }: FieldProps): ReactNode {
  const { context } = useKnowledge()
  const { path } = fieldPathId
  const field = schema as unknown as FormField
  const name = nameOf(path)
  const id = fieldId(name)
  const isWrong = context.problemOf(name) !== undefined
  const kind = kindOf(field, required, formData, context.dicts)
  const Input = (inputs as Readonly<Record<string, (props: InputProps) => ReactNode>>)[kind] ?? TextInput
  return (
    <Input
      id={id}
      field={field}
      value={formData}
      onChange={value => onChange(value, path)}
      dicts={context.dicts}
      home={context.home}
      disabled={!context.isOpen(String(path[0]))}
      invalid={isWrong}
      describedBy={isWrong ? problemId(id) : undefined}
    />
  )
}

/** A table that must have rows begins with an empty one. */
const ONE_ROW = [{}]

/** A list of choices, or a table. */
function ListField(props: FieldProps): ReactNode {
  if ((props.schema as unknown as FormField).kind !== 'table') return <KindField {...props} />
  const isEmpty = !Array.isArray(props.formData) || props.formData.length === 0
  return (
    <TableAsked value={props.required === true}>
      <LibraryArray
        {...(props as FieldProps<unknown[]>)}
        formData={isEmpty && props.required ? ONE_ROW : props.formData}
      />
    </TableAsked>
  )
}

/** A table of the form: one card for each row, so that it can be filled in on a phone. */
function Rows({ items, canAdd, onAddClick, fieldPathId, schema }: ArrayFieldTemplateProps): ReactNode {
  const t = useT()
  const { context } = useKnowledge()
  const { path } = fieldPathId
  return (
    <div className="in-rows">
      {items}
      {canAdd && context.isOpen(String(path[0])) && (
        <Button
          id={items.length === 0 ? fieldId(nameOf(path)) : undefined}
          size="large"
          icon={<PlusOutlined aria-hidden />}
          onClick={onAddClick}
        >
          {t('添加{{what}}', { what: t(schema.title ?? '') })}
        </Button>
      )}
    </div>
  )
}

function Row({ index, totalItems, buttonsProps, children }: ArrayFieldItemTemplateProps): ReactNode {
  const t = useT()
  const { context } = useKnowledge()
  const isAsked = useContext(TableAsked)
  const isOpen = context.isOpen(String(buttonsProps.fieldPathId.path[0]))
  return (
    <fieldset className="in-row">
      <legend>
        {t('第 {{n}} 条', { n: index + 1 })}
        {isOpen && (totalItems > 1 || !isAsked) && (
          <Button
            type="text"
            icon={<DeleteOutlined aria-hidden />}
            aria-label={t('删除第 {{n}} 条', { n: index + 1 })}
            onClick={buttonsProps.onRemoveItem}
          />
        )}
      </legend>
      {children}
    </fieldset>
  )
}

/** The items in their groups, beside and below one another; or the columns of a row. */
function Groups({ properties, fieldPathId }: ObjectFieldTemplateProps): ReactNode {
  const { groups, Group } = useKnowledge()
  if (fieldPathId.path.length > 0) return properties.map(({ content }) => content)
  const content = new Map(properties.map(property => [property.name, property.content]))
  return groups
    .map(({ codes, ...group }) => ({ ...group, shown: codes.filter(code => content.has(code)) }))
    .filter(({ shown }) => shown.length > 0)
    .map(({ name, label, shown }) => (
      <Group key={name} label={label}>
        <div className="in-grid">{shown.map(code => content.get(code))}</div>
      </Group>
    ))
}

/** The form library's templates. */
export const templates = {
  FieldTemplate: ItemFrame,
  ObjectFieldTemplate: Groups,
  ArrayFieldTemplate: Rows,
  ArrayFieldItemTemplate: Row,
}

/** The form library's fields: the type of a value only decides whether it is a list. */
export const fields = {
  StringField: KindField,
  NumberField: KindField,
  NullField: () => null,
  ArrayField: ListField,
}
