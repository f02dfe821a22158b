import type { Dictionaries } from './fields.ts'
import type { CodeRow, FieldRow, ModelRow } from './rows.ts'

/** A model with its fields, and the dictionaries they name. */
export interface Shape {
  model: ModelRow
  fields: readonly FieldRow[]
  dictionaries: Dictionaries
}

/** What one module is generated from. */
export interface Module extends Shape {
  settings: CodeRow
  /** The dependent table of a parent with children. */
  child: Shape | null
}

/** One generated file: its path inside the archive and its text. */
export interface GeneratedFile {
  path: string
  text: string
}

/** A text as a literal of a program: nothing in it can end the literal. */
export const quote = (text: string): string => `'${text.replace(/[\\']/g, '\\$&').replace(/[\n\r\u2028\u2029]/g, ' ')}'`

/** The name of a model in addresses and files. */
export const slugOf = ({ modelCode }: ModelRow): string => modelCode.toLowerCase().replaceAll('_', '-')

/** Address of a module's calls, below `/api`. */
export const addressOf = (settings: CodeRow, model: ModelRow): string =>
  `/${settings.serviceName.replace(/[^\w-]/g, '')}/${slugOf(model)}`

/** The lines, indented. */
export const indented = (lines: readonly string[], by: number): string =>
  lines.map(line => `${' '.repeat(by)}${line}`).join('\n')
