import LibraryForm from '@rjsf/core/lib/components/Form.js'
import type { RJSFSchema, UiSchema } from '@rjsf/utils'
import type { ReactNode } from 'react'
import { validator } from '../../validator.ts'
import { type FormKnowledge, FormKnowledgeProvider, fields, templates } from './form-parts.tsx'

type Values = Readonly<Record<string, unknown>>

interface Props extends FormKnowledge {
  /** The form as JSON Schema; each property tells its kind. */
  schema: object
  /** The order of inputs. */
  order: object
  values: Values
  onChange: (code: string, value: unknown) => void
}

/** The form is part of a page, which has the buttons. */
const noButton: UiSchema<Values, RJSFSchema> = { 'ui:submitButtonOptions': { norender: true } }

/** Between the steps of a path in the library's ids: no code holds it. */
const SEPARATOR = '.'

/** A table's rows as they are kept: the library knows no value of a new row. */
const rowsOf = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(one => (one === undefined ? {} : one)) : value

/** The form of an exam, drawn from its schema. What is wrong is told by whoever checks it. */
export function ItemForm({ schema, order, values, onChange, ...known }: Props): ReactNode {
  // Only what somebody changes: the library also drops what is hidden now, which is kept in case it is shown again.
  const change = (next: Values, id = ''): void => {
    const code = id.split(SEPARATOR)[1]
    if (code) onChange(code, rowsOf(next[code]))
  }
  return (
    <FormKnowledgeProvider value={known}>
      <LibraryForm<Values, RJSFSchema>
        tagName="div"
        className="in-form"
        idSeparator={SEPARATOR}
        schema={schema as RJSFSchema}
        uiSchema={{ ...order, ...noButton }}
        validator={validator}
        templates={templates}
        fields={fields}
        formData={values}
        noValidate
        showErrorList={false}
        experimental_defaultFormStateBehavior={{
          allOf: 'skipDefaults',
          arrayMinItems: { populate: 'never' },
          constAsDefaults: 'never',
          emptyObjectFields: 'skipDefaults',
        }}
        onChange={({ formData = {} }, id) => change(formData, id)}
      />
    </FormKnowledgeProvider>
  )
}
