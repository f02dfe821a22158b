import { type ReactNode, useId } from 'react'
import type { Resource } from '#engine'
import type { WireRow } from '../../../../screens/fields/props.ts'
import { bodyOf, type Values } from '../../../../screens/form-values.ts'
import RecordForm from '../../../../screens/RecordForm.tsx'
import { wrongInputs } from '../../../../screens/wrong-inputs.ts'

interface Props {
  resource: Resource
  /** What it began with; null for nothing. */
  row: WireRow | null
  values: Values
  onChange: (values: Values) => void
  disabled: boolean
  /** What the last try was refused with. */
  error: unknown
  onSubmit: (body: Values) => void
  /** Buttons and what else is sent along; a submit button belongs to the form. */
  children: ReactNode
}

/** The form of an entity at a step. What was typed stays when it is refused. */
export function EntityForm({ error, resource, onSubmit, ...rest }: Props): ReactNode {
  const prefix = useId()
  return (
    <RecordForm
      prefix={prefix}
      resource={resource}
      onSubmit={next => onSubmit(bodyOf(resource, next, null))}
      refused={wrongInputs(error)}
      {...rest}
    />
  )
}
