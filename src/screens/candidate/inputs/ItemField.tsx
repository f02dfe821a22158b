import type { ReactNode } from 'react'
import { FormInputType } from '#schemas/dictionaries/sign-up'
import { on } from '../../../modules/exams/rules/sign-item.ts'
import { useT } from '../../../platform/i18n/i18n.ts'
import { ChecksInput, RadioInput, SelectInput } from './ChoiceInput.tsx'
import { DateInput, MonthInput } from './DateInput.tsx'
import { CascadeInput, RegionInput } from './LevelsInput.tsx'
import { problemText } from './problem-text.ts'
import { type FieldProps, fieldId, type InputProps } from './props.ts'
import { SchoolInput } from './SchoolInput.tsx'
import { TableInput } from './TableInput.tsx'
import { LongTextInput, NumberInput, TextInput } from './TextInput.tsx'

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
export function ItemField({ item, field, value, onChange, context }: FieldProps): ReactNode {
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
        <TableInput {...props} field={field} context={context} Field={ItemField} />
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
