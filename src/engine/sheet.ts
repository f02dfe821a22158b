import type { Condition } from './condition.ts'
import type { Entity, Fields, FieldsOf, NameOf, ValueOf } from './entity.ts'
import { type Field, valueRules } from './field.ts'

/**
 * What a column of a workbook is for: `entered` is filled in and read, `shown` is written for people and ignored when read,
 * `same` must agree with the row that is found by the key.
 */
export type SheetRole = 'entered' | 'shown' | 'same'

/** A column of a workbook, complete. */
export interface SheetColumn {
  readonly name: string
  /** The field as cells of the column are read: its title is the heading, `optional` says that a cell may be left empty. */
  readonly field: Field
  /** In characters. */
  readonly width: number
  readonly role: SheetRole
  /** Whether a cell has to be filled in: always, where the row meets `requiredWhen` of the entity, or never. */
  readonly asked: 'always' | 'sometimes' | 'never'
  /** `check`: cells are read as texts, and the rule of the sheet is the only one that judges them. */
  readonly judgedBy?: 'check'
  /** What is said of a cell of a `same` column that does not agree; `{value}` is what it should say. */
  readonly differs?: string
}

/** How a column differs from what its field says. */
export interface SheetColumnOptions<Name extends string = string> {
  readonly field: Name
  /** In characters; 16 unless said. */
  readonly width?: number
  readonly role?: 'shown' | 'same'
  /** The heading, where people know the column by another name than the field's title. */
  readonly title?: string
  /** What somebody filling it in should know, in place of the field's `help`. */
  readonly help?: string
  /** Whether each row needs a value. Unless said, an entered column does if its field is required and has no default. */
  readonly required?: boolean
  /**
   * `check`: cells are read as texts, and `check` of the sheet's rules is the only one that judges them. For fields whose
   * value is a text, and whose rule depends on more than the cell.
   */
  readonly judgedBy?: 'check'
  /** What is said of a cell of a `same` column that does not agree, where `{value}` is what it should say; a general sentence unless said. */
  readonly differs?: string
}

/** What a sheet says besides its columns. */
interface SheetTexts {
  /** What the workbook is called: title of the dialog, and of what is written down about an import. */
  readonly title: string
  /** What this template is, with a number that rises when its headings change: `result-1`. A workbook with another is refused. */
  readonly version: string
}

declare const sheetTypes: unique symbol

/** What rules have to know of a sheet: its fields, columns, key and fixed values. */
export interface SheetTypes {
  readonly fields: Fields
  readonly column: string | SheetColumnOptions
  readonly key: string
  readonly fixed: string
}

/**
 * A workbook that is filled in and comes back, as plain JSON: written as a template or with rows in it, and read with every
 * wrong cell named. Made by {@link sheet}; what it does with rows is said by `sheetRules`.
 */
export interface Sheet<T extends SheetTypes = SheetTypes> extends SheetTexts {
  readonly [sheetTypes]?: T
  /** One row as it is read: an entity of the columns that are entered or compared. */
  readonly row: Entity
  readonly columns: readonly SheetColumn[]
  /** Columns by which a row is known. No two rows of a workbook share it, and the rows meant are found by it. */
  readonly key: readonly string[]
  /** Values that hold for all rows of a workbook and stand beside it in the call, such as the stage. */
  readonly fixed: readonly string[]
  /** True: further columns are known only when the workbook is made; the rules name them. */
  readonly open: boolean
}

type NameIn<C> = C extends string ? C : C extends { readonly field: infer N extends string } ? N : never
type IsShown<C> = C extends { readonly role: 'shown' } ? true : false
type IsSame<C> = C extends { readonly role: 'same' } ? true : false

/** The value of a cell that was read. */
type CellOf<F, C> = C extends { readonly judgedBy: 'check' }
  ? string | null
  : C extends { readonly required: true }
    ? NonNullable<ValueOf<F>>
    : C extends { readonly role: 'same' } | { readonly required: false }
      ? ValueOf<F> | null
      : ValueOf<F>

type TypesOf<S> = S extends Sheet<infer T> ? T : never
type FieldOf<T extends SheetTypes, C> = T['fields'][NameIn<C> & keyof T['fields']]

/** A row of a workbook as it was read and checked, by the names of its columns; those that are only shown are not there. */
export type SheetRow<S> = {
  readonly [C in TypesOf<S>['column'] as IsShown<C> extends true ? never : NameIn<C>]: CellOf<FieldOf<TypesOf<S>, C>, C>
}

/** A row that is written into a workbook: any of its columns, as the database has them. */
export type SheetLine<S> = {
  readonly [C in TypesOf<S>['column'] as NameIn<C>]?: ValueOf<FieldOf<TypesOf<S>, C>> | null
}

/** What is found by the key of a row: the key itself, and what its `same` columns must agree with. */
export type SheetFound<S> = {
  readonly [C in TypesOf<S>['column'] as IsSame<C> extends true ? NameIn<C> : never]: ValueOf<
    FieldOf<TypesOf<S>, C>
  > | null
} & { readonly [K in TypesOf<S>['key']]: unknown }

/** Names of the columns of a sheet. */
export type SheetColumnName<S> = NameIn<TypesOf<S>['column']>

/** The fixed values of a sheet, as they come with the call. */
export type SheetFixed<S> = { readonly [K in TypesOf<S>['fixed']]: string }

/** The columns that a fields' owner has. */
type AllFields<E extends Entity, X extends Fields> = Omit<FieldsOf<E>, keyof X> & X

type ColumnIn<E extends Entity, X extends Fields> = NameOf<E> | (keyof X & string)

const usualWidth = 16

/** A field as a cell of its column is read: nobody else fills it, and whether it may be empty is the column's business. */
function readField(field: Field, title: string, isAsked: boolean): Field {
  const { optional: _o, within: _w, ...rest } = valueRules(field)
  const mayBeEmpty = !isAsked && rest.default === undefined
  return { ...rest, title, ...(mayBeEmpty && { optional: true as const }) }
}

/** A column as a sheet has it, with the field that says what a cell holds. */
function columnOf(entity: Entity, field: Field, options: SheetColumnOptions): SheetColumn {
  const { field: name, role = 'entered', width = usualWidth, title = field.title, help, required } = options
  const isEntered = role === 'entered'
  const isAsked = required ?? (isEntered && !field.optional && field.default === undefined)
  const asked = isAsked ? 'always' : isEntered && entity.requiredWhen[name] ? 'sometimes' : 'never'
  const read = readField(field, title, isAsked)
  return {
    name,
    field: help === undefined ? read : { ...read, help },
    width,
    role,
    asked,
    ...(options.judgedBy && { judgedBy: options.judgedBy }),
    ...(options.differs && { differs: options.differs }),
  }
}

/** A column that a field says all of: one of those that the rules of an open sheet name. */
export const sheetColumn = (name: string, field: Field, width = usualWidth): SheetColumn => ({
  name,
  field,
  width,
  role: 'entered',
  asked: field.optional ? 'never' : 'always',
})

/** The entity of one row: what is read of a workbook, and what it asks for on a condition that its columns can meet. */
export function sheetRowEntity(
  { version, title }: SheetTexts,
  columns: readonly SheetColumn[],
  requiredWhen: Readonly<Record<string, Condition>> = {},
): Entity {
  const read = columns.filter(({ role }) => role !== 'shown')
  const properties = Object.fromEntries(read.map(({ name, field }) => [name, field]))
  const isMet = ([name, condition]: readonly [string, Condition]) =>
    [name, ...Object.keys(condition)].every(one => one in properties)
  return {
    name: `sheet ${version} ${read.map(({ field }) => field.title).join(' ')}`,
    title,
    type: 'object',
    properties,
    required: Object.keys(properties).filter(name => !properties[name]?.optional),
    label: read[0]?.name ?? 'id',
    uniques: [],
    taken: {},
    indexes: [],
    covered: [],
    version: false,
    tenant: true,
    history: false,
    partition: null,
    key: 'id',
    requiredWhen: Object.fromEntries(Object.entries(requiredWhen).filter(isMet)),
    retired: [],
    about: null,
    personal: [],
    purpose: null,
    keep: null,
  }
}

/**
 * Defines a workbook to be filled in and read back. Columns take heading, rule, message and choices from their fields, so that
 * what a form says and what a workbook says is the same.
 * @param of the entity whose fields the columns are, or a resource of it
 */
export function sheet<
  E extends Entity,
  const C extends readonly (ColumnIn<E, X> | SheetColumnOptions<ColumnIn<E, X>>)[],
  const K extends readonly NameIn<C[number]>[],
  const W extends readonly NameOf<E>[] = readonly [],
  X extends Fields = Record<never, Field>,
>(
  of: E | { readonly entity: E },
  definition: SheetTexts & {
    /** Columns in their order: fields of the entity and those of `extra`, by name. */
    readonly columns: C
    /** Columns by which a row is known: none is repeated, and the row that is meant is found by them. None for rows that are new. */
    readonly key: K
    /** Fields whose values hold for all rows and come with the call, such as the stage. */
    readonly fixed?: W
    /** Columns that are stored elsewhere or nowhere, by name: `{ schoolCode: School.properties.schoolCode }`. */
    readonly extra?: X
    /** Further columns are known only when the workbook is made: the rules name them. */
    readonly open?: true
  },
): Sheet<{ fields: AllFields<E, X>; column: C[number]; key: K[number]; fixed: W[number] }> {
  const entity: Entity = 'entity' in of ? of.entity : of
  const { title, version, extra = {}, fixed = [], key, open = false } = definition
  const given = definition.columns as readonly (string | SheetColumnOptions)[]
  const columns = given.flatMap(one => {
    const options = typeof one === 'string' ? { field: one } : one
    const field = (extra as Fields)[options.field] ?? entity.properties[options.field]
    return field ? [columnOf(entity, field, options)] : []
  })
  return {
    title,
    version,
    row: sheetRowEntity({ title, version }, columns, entity.requiredWhen),
    columns,
    key,
    fixed,
    open,
  }
}
