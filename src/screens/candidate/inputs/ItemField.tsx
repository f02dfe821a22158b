import type { ReactNode } from 'react'
import { FormInputType } from '#schemas/dictionaries/sign-up'
import { type Dicts, on, type SignItem } from '../../../modules/exams/rules/sign-item.ts'
import { useT } from '../../../platform/i18n/i18n.ts'
import { ChecksInput, RadioInput, SelectInput } from './ChoiceInput.tsx'
import { DateInput, MonthInput } from './DateInput.tsx'
import { CascadeInput, RegionInput } from './LevelsInput.tsx'
import { problemText } from './problem-text.ts'
import { fieldId, type InputProps } from './props.ts'
import { SchoolInput } from './SchoolInput.tsx'
import { TableInput } from './TableInput.tsx'
import { LongTextInput, NumberInput, TextInput } from './TextInput.tsx'

/** What the fields of a form share. */
export interface FieldContext {
  dicts: Dicts
  /** What is wrong with a field, once it may be said. */
  problemOf: (field: string) => string | undefined
  /** The field was left. */
  onLeave: (field: string) => void
  /** Whether a field may be changed. */
  isOpen: (code: string) => boolean
  /** What a reviewer wrote about an item. */
  opinionOf: (code: string) => string | undefined
}

const inputs: Record<number, (props: InputProps) => ReactNode> = {
  [FormInputType.longText]: LongTextInput,
  [FormInputType.number]: NumberInput,
  [FormInputType.date]: DateInput,
  [FormInputType.month]: MonthInput,
  [FormInputType.radio]: RadioInput,
  [FormInputType.checks]: ChecksInput,
  [FormInputType.select]: SelectInput,
  [FormInputType.cascade]: CascadeInput,
  [FormInputType.region]: RegionInput,
  [FormInputType.school]: SchoolInput,
}

/** Controls that are several: a click on their name must not choose the first of them. */
const groups: ReadonlySet<number> = new Set([FormInputType.radio, FormInputType.checks, FormInputType.table])

/** One item of the form: its name, its control, a reviewer's opinion and what is wrong. */
export function ItemField({
  item,
  field,
  value,
  onChange,
  context,
}: {
  item: SignItem
  /** Item code, with row and column inside a table. */
  field: string
  value: unknown
  onChange: (value: unknown) => void
  context: FieldContext
}): ReactNode {
  const t = useT()
  const problem = context.problemOf(field)
  const opinion = context.opinionOf(field)
  const id = fieldId(field)
  if (item.inputType === FormInputType.note) return <p className="in-note">{item.itemName}</p>
  const props: InputProps = {
    id,
    item,
    value,
    onChange,
    dicts: context.dicts,
    disabled: !context.isOpen(item.itemCode),
    invalid: problem !== undefined,
    describedBy: problem ? `${id}-problem` : undefined,
  }
  const Input = inputs[item.inputType] ?? TextInput
  return (
    <fieldset
      className="in-field"
      data-wide={(item.span ?? 24) > 12 || undefined}
      data-marked={opinion !== undefined || undefined}
      onBlur={event => {
        if (!event.currentTarget.contains(event.relatedTarget)) context.onLeave(field)
      }}
    >
      <label htmlFor={groups.has(item.inputType) ? undefined : id}>
        {t(item.itemName)}
        {on(item.required) && (
          <span className="in-must" title={t('必填')}>
            *
          </span>
        )}
      </label>
      {opinion !== undefined && (
        <p className="in-opinion">{t('审核意见：{{opinion}}', { opinion: opinion || t('请修改') })}</p>
      )}
      {item.inputType === FormInputType.table ? (
        <TableInput {...props} field={field} context={context} />
      ) : (
        <Input {...props} />
      )}
      {problem && (
        <p className="in-problem" id={`${id}-problem`} role="alert">
          {problemText(problem, t)}
        </p>
      )}
    </fieldset>
  )
}
