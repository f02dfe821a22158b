import RjsfForm, { type IChangeEvent } from '@rjsf/core/lib/components/Form.js'
import type { RJSFSchema, RJSFValidationError, UiSchema } from '@rjsf/utils'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import type { Resource } from '#engine'
import { t } from '../platform/i18n/i18n.ts'
import type { WireRow } from './fields/props.ts'
import { messagesOf, missingInputs, nameOf, rowMessagesOf } from './form-messages.ts'
import { type FormKnowledge, FormKnowledgeProvider, FormLook, Groups, InputFrame, KindField } from './form-parts.tsx'
import type { FormRows } from './form-rows.ts'
import { drawnSchema } from './form-schema.ts'
import { inputsOf, type Values, withoutStrays } from './form-values.ts'
import { RowsField } from './RowsField.tsx'
import { useSuggestions } from './use-suggestions.ts'
import { validator } from './validator.ts'

interface Props {
  /** What the ids of its inputs begin with; no other form in the document has the same. */
  prefix: string
  resource: Resource
  /** The row being edited, or null for a new one. */
  row: WireRow | null
  /** Rows of other resources that the form holds beside its own. */
  rows?: readonly FormRows[]
  values: Values
  onChange: (values: Values) => void
  /** Called with what is entered when nothing is wrong with it. */
  onSubmit: (values: Values) => void
  disabled?: boolean
  /** What the server found wrong, by input. */
  refused: Readonly<Record<string, string>>
  /** Buttons; a submit button belongs to the form. */
  children: ReactNode
}

const templates = { FieldTemplate: InputFrame, ObjectFieldTemplate: Groups }
const fields = { kind: KindField, rows: RowsField }
const none: readonly FormRows[] = []

function useForm(resource: Resource, rows: readonly FormRows[]) {
  return useMemo(() => {
    const schema = drawnSchema(resource, rows) as RJSFSchema
    const uiSchema = Object.fromEntries([
      ...inputsOf(resource).map(input => [input.field, { 'ui:field': 'kind' }] as const),
      ...rows.map(({ child }) => [child.resource, { 'ui:field': 'rows' }] as const),
    ])
    return { schema, uiSchema: uiSchema as UiSchema<Values, RJSFSchema> }
  }, [resource, rows])
}

type Texts = Readonly<Record<string, string>>

/** The first thing wrong with each input. What the server said counts until the input is changed. */
function problemsOf(errors: readonly RJSFValidationError[], refused: Texts): Texts {
  const found = errors.map(error => [nameOf(error), error.message ?? ''] as const).toReversed()
  const said = Object.entries(refused).map(([name, message]) => [name, t(message)] as const)
  return Object.fromEntries([...found, ...said])
}

/** The form of a resource: inputs by kind in their groups, checked as the server will check them. */
export default function RecordForm(props: Props) {
  const { prefix, resource, row, rows = none, values, onChange, onSubmit, disabled, refused, children } = props
  const { schema, uiSchema } = useForm(resource, rows)
  const [left, setLeft] = useState<Readonly<Record<string, true>>>({})
  const [submitted, setSubmitted] = useState(false)
  const leave = (name: string): void => setLeft(current => ({ ...current, [name]: true }))
  const isOfRows = (error: RJSFValidationError): boolean =>
    rows.some(({ child }) => nameOf(error).startsWith(`${child.resource}.`))
  const words = (errors: RJSFValidationError[]): RJSFValidationError[] => [
    ...messagesOf(
      [...errors.filter(error => !isOfRows(error)), ...missingInputs(resource, values)],
      resource,
      values,
      row,
    ),
    ...rowMessagesOf(errors, rows, values),
  ]
  const { errors } = validator.validateFormData(values, schema, undefined, words)
  const problems = problemsOf(errors, refused)
  const shown = { left: { ...left, ...flags(refused) }, submitted, problems }
  const suggested = useSuggestions(resource, row, values)
  const now = useRef({ values, suggested, onChange })
  now.current = { values, suggested, onChange }
  // The same for good, so that a frame is drawn again only when it has changed itself.
  const [take] = useState(() => (names: readonly string[]): void => {
    const { current } = now
    const taken = names.map(name => [name, current.suggested[name] ?? current.values[name]] as const)
    current.onChange({ ...current.values, ...Object.fromEntries(taken) })
  })
  const known: FormKnowledge = { prefix, resource, row, values, rows, ...shown, leave, suggested, take }
  return (
    <FormKnowledgeProvider value={known}>
      <FormLook>
        <RjsfForm<Values, RJSFSchema>
          idPrefix={prefix}
          schema={schema}
          uiSchema={uiSchema}
          validator={validator}
          templates={templates}
          fields={fields}
          formData={values}
          disabled={disabled}
          noHtml5Validate
          showErrorList={false}
          experimental_defaultFormStateBehavior={{ constAsDefaults: 'never', emptyObjectFields: 'skipDefaults' }}
          transformErrors={words}
          onChange={(event: IChangeEvent<Values>) => onChange(withoutStrays(resource, values, event.formData ?? {}))}
          onSubmit={(event: IChangeEvent<Values>) => onSubmit(event.formData ?? {})}
          onError={wrong => {
            setSubmitted(true)
            document.getElementById(`${prefix}_${wrong[0] ? nameOf(wrong[0]).replaceAll('.', '_') : ''}`)?.focus()
          }}
        >
          {children}
        </RjsfForm>
      </FormLook>
    </FormKnowledgeProvider>
  )
}

const flags = (names: object): Readonly<Record<string, true>> =>
  Object.fromEntries(Object.keys(names).map(name => [name, true as const]))
