import type { Dicts, FormField } from '../../../engine/form-field.ts'

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
  /** The path of the region that the number of the person's ID card begins with, where it is known. */
  home?: readonly string[]
}

/** What every input of an exam's own form is given. */
export interface InputProps {
  /** Of the control itself: labels and corrections lead to it. */
  id: string
  field: FormField
  value: unknown
  onChange: (value: unknown) => void
  dicts: Dicts
  /** See {@link FieldContext.home}. */
  home?: readonly string[]
  disabled?: boolean
  invalid?: boolean
  /** Id of the sentence that says what is wrong. */
  describedBy?: string
}

/** What the control of a field is told about being wrong. */
export const aria = ({ invalid, describedBy }: InputProps) => ({
  'aria-invalid': invalid || undefined,
  'aria-describedby': describedBy,
})

/** The id of a field's control, for example of `jobs[0].unit`. */
export const fieldId = (field: string): string => `f-${field}`

/** A value as text; empty for anything that is none. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

/** A value as a list of texts; empty for anything that is none. */
export const listIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])
