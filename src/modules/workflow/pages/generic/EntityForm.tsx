import { type ReactNode, useId, useState } from 'react'
import type { Resource } from '#engine'
import type { WireRow } from '../../../../screens/fields/props.ts'
import { bodyOf, startValues, type Values } from '../../../../screens/form-values.ts'
import RecordForm from '../../../../screens/RecordForm.tsx'
import { wrongInputs } from '../../../../screens/wrong-inputs.ts'

interface Props {
  resource: Resource
  /** What it begins with; null for nothing. */
  row: WireRow | null
  disabled: boolean
  /** What the last try was refused with. */
  error: unknown
  onSubmit: (body: Values) => void
  /** Buttons and what else is sent along; a submit button belongs to the form. */
  children: ReactNode
}

/** The form of an entity at a step. What was typed stays when it is refused. */
export function EntityForm({ resource, row, disabled, error, onSubmit, children }: Props): ReactNode {
  const prefix = useId()
  const [values, setValues] = useState(() => startValues(resource, row))
  return (
    <RecordForm
      prefix={prefix}
      resource={resource}
      row={row}
      values={values}
      onChange={setValues}
      onSubmit={next => onSubmit(bodyOf(resource, next, null))}
      disabled={disabled}
      refused={wrongInputs(error)}
    >
      {children}
    </RecordForm>
  )
}
