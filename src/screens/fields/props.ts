import type { Field } from '#engine'

/** One row as the server sends it. */
export type WireRow = Readonly<Record<string, unknown>>

/** What a cell is given. */
export interface CellProps {
  readonly field: Field
  readonly name: string
  readonly value: unknown
  readonly row: WireRow
  /** A line of a table, or a detail with room for everything. */
  readonly where: 'table' | 'detail'
}

/** What an input is given. Values are as on the wire; nothing chosen or typed is `undefined`. */
export interface InputProps<V = unknown> {
  readonly id?: string
  readonly field: Field
  readonly name: string
  readonly value: V | undefined
  onChange(value: V | undefined): void
  readonly onBlur?: () => void
  readonly disabled?: boolean
  readonly invalid?: boolean
  /** Id of the element that tells what is wrong. */
  readonly describedBy?: string
  /** The row being edited; it holds labels such as `deptIdName`. */
  readonly row?: WireRow
  /** What the form around it holds now in the field that narrows this one's choices; none where an input stands alone. */
  readonly beside?: unknown
  /** The other rows of the table that the form holds this one in; none where an input stands in a form of its own. */
  readonly rows?: readonly WireRow[]
  /** Name of the entity, which decides whom an upload belongs to. */
  readonly entity?: string
}

/** The part of an input's properties that does not depend on its value. */
export type InputState = Pick<InputProps, 'id' | 'invalid' | 'describedBy' | 'disabled' | 'onBlur'>

/** What assistive technology needs to know of an input, and what tells antd that it is wrong. */
export function inputState(props: InputState) {
  const { id, invalid, describedBy, disabled, onBlur } = props
  return {
    id,
    disabled,
    onBlur,
    status: invalid ? ('error' as const) : undefined,
    'aria-invalid': invalid || undefined,
    'aria-describedby': describedBy,
  }
}

/** True for what this wire calls "no value". */
export const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ''
