/** One choice of a dictionary; `children` make it a tree for cascading inputs. */
export interface DictEntry {
  key: string
  value: string
  children?: readonly DictEntry[]
}

/** Dictionary code to its choices. */
export type Dicts = Readonly<Record<string, readonly DictEntry[]>>

/** One input of a form that staff put together: what is needed to draw it, beside the JSON Schema of its value. */
export interface FormField {
  readonly title: string
  /** Decides how it is drawn. */
  readonly kind: string
  /** Code of the dictionary it is chosen from. */
  readonly dict?: string
  readonly placeholder?: string
  /** Columns of 24. */
  readonly span?: number
  readonly maxLength?: number
  /** The first and the last day or month. */
  readonly least?: string
  readonly most?: string
}
