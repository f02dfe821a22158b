import type { Condition } from './condition.ts'
import { dateTime, type Field, type Keep, type Kind, ref } from './field.ts'
import type { PlainRefusalName } from './refusal.ts'

/** Fields of an entity by name. */
export type Fields = Readonly<Record<string, Field>>

/** A rule that at most one row may have the same values in these fields; held by a database index. */
export interface UniqueRule<Name extends string = string> {
  readonly fields: readonly Name[]
  /** The rule counts only rows that meet this condition. */
  readonly where?: Condition
}

/**
 * What is stored: a JSON Schema (draft-07) of one row, plus what makes it a table. A JSON round trip gives the same value.
 */
export interface Entity<N extends string = string, F extends Fields = Fields> {
  /** Name of the entity; the table is called the same with `_` for `-`. */
  readonly name: N
  readonly title: string
  readonly type: 'object'
  readonly properties: F
  readonly required: readonly string[]
  /** The field that names a row to a person; references show it. */
  readonly label: string
  /** Combined or conditional unique rules; a single field says `unique` itself. */
  readonly uniques: readonly UniqueRule[]
  /** Refusals of values that another row has already, by field; row.codeTaken for the others. */
  readonly taken: Readonly<Record<string, PlainRefusalName>>
  /** Sets of fields that are looked up together; each gets an index. References and states have one anyway. */
  readonly indexes: readonly (readonly string[])[]
  /**
   * Sets of fields that are counted over thousands of rows: each gets an index that holds them, in this order, for rows that are not
   * removed, so that a count reads the index and not the rows.
   */
  readonly covered: readonly (readonly string[])[]
  /** True: a `version` column, raised by every change; a submit with an old one is refused (row.changed). */
  readonly version: boolean
  /** False: one set of rows for the whole installation instead of one per tenant. */
  readonly tenant: boolean
  /** `month`: the table is cut by the month of `createTime`, for rows that come by the thousand and end by age. */
  readonly partition: 'month' | null
  /** The field by which a row is addressed on the wire; `id` unless the world has a better one. */
  readonly key: string
  /** Columns of former fields that the table keeps. */
  readonly retired: readonly string[]
  /** Fields that are asked for only where a row meets a condition, and required there. */
  readonly requiredWhen: Readonly<Record<string, Condition>>
  /** True: who changed which fields of a row, from what to what, when and why, is kept. */
  readonly history: boolean
  /** The field that leads to the person whom a row is about; `id` for the person; null for rows about nobody. */
  readonly about: string | null
  /** Fields that tell who it is, beside those of kinds `sealed`, `image` and `file`. */
  readonly personal: readonly string[]
  /** What rows are kept for. */
  readonly purpose: string | null
  /** How long rows are kept; a field may say otherwise. */
  readonly keep: Keep | null
}

/** For each field the condition on which it is asked for; a sentence for a field that none can be given for. */
type RequiredWhen<F> = {
  readonly [K in keyof F]?: F[K] extends Filled
    ? 'the server fills this field: nobody is asked for it'
    : F[K] extends { readonly optional: true }
      ? Condition<{ [N in keyof F]: ValueOf<F[N]> }>
      : 'this field is always required: write optional(…) to ask for it sometimes'
}

/** What an entity may say besides its fields. Everything has a default. */
export interface EntityOptions<Name extends string, F = unknown> {
  /** The field that names a row to a person; the first field by default. */
  label?: NoInfer<Name>
  /** Combined or conditional unique rules: field lists, or a list with a condition. */
  uniques?: readonly (readonly NoInfer<Name>[] | UniqueRule<NoInfer<Name>>)[]
  /** How a value that another row has already is refused, for fields of unique rules: `{ code: 'exams.positionCodeTaken' }`. */
  taken?: { readonly [K in NoInfer<Name>]?: PlainRefusalName }
  /** Sets of fields that are looked up together. */
  indexes?: readonly (readonly NoInfer<Name>[])[]
  /** Sets of fields that are counted over thousands of rows. */
  covered?: readonly (readonly NoInfer<Name>[])[]
  /** Guards every change with a version number. */
  version?: true
  /** `false` for rows of the whole installation, such as regions and menus. */
  tenant?: false
  /**
   * `month` for rows that come by the thousand and end by age, such as logs: one partition a month, dropped as a whole.
   * Lists are quick where they say from when to when. Nothing can be unique across months, so there are no unique rules.
   */
  partition?: 'month'
  /** The field that addresses a row instead of `id`. */
  key?: NoInfer<Name>
  /**
   * Fields that are asked for only sometimes, with the condition on the row: `{ voucher: { channel: 2 } }`. Where a row meets
   * it, the field is required: in the form, at a submit, in a workbook and in the database. Elsewhere the form hides it and the
   * server stores nothing in it. Each such field is `optional(…)`, because some rows have no value.
   */
  requiredWhen?: NoInfer<RequiredWhen<F>>
  /**
   * Keeps of each row who changed which fields from what to what, when, and why where a reason was asked for. Sealed texts are
   * kept as lists show them; of secrets and of what is large it is kept only that they changed.
   */
  history?: true
  /** Names of former fields. The table keeps their columns with what they hold, and nobody reads or writes them. */
  retired?: readonly string[]
  /**
   * The field that leads to the person whom a row is about: a reference to an account, or to another row that is about a person.
   * `id` where the row is the account itself. Such rows are shown to the person under 我的数据, so `purpose` and `keep` are said, too.
   */
  about?: NoInfer<Name> | 'id'
  /** Fields that tell who it is, beside sealed texts, pictures and files: what `blank` of {@link keep} takes away. */
  personal?: readonly NoInfer<Name>[]
  /** What rows are kept for, as the person reads it: `审核报考资格`. */
  purpose?: string
  /** How long rows are kept, on what ground, and what becomes of them then. Fields may say otherwise. */
  keep?: Keep
}

/**
 * Defines what is stored.
 * @param name wire and table name, lower case with `-`
 * @param title what a person calls one row
 * @param fields the fields in the order a reader wants them
 */
export function entity<const N extends string, const F extends Fields>(
  name: N,
  title: string,
  fields: F,
  options: EntityOptions<keyof F & string, F> = {},
): Entity<N, F> {
  const names = Object.keys(fields)
  return {
    name,
    title,
    type: 'object',
    properties: fields,
    required: names.filter(field => !fields[field]?.optional && !fields[field]?.filled),
    label: options.label ?? names[0] ?? 'id',
    uniques: (options.uniques ?? []).map(rule => ('fields' in rule ? rule : { fields: rule })),
    taken: (options.taken ?? {}) as Entity['taken'],
    indexes: options.indexes ?? [],
    covered: options.covered ?? [],
    version: options.version ?? false,
    tenant: options.tenant ?? true,
    partition: options.partition ?? null,
    key: options.key ?? 'id',
    requiredWhen: (options.requiredWhen ?? {}) as Entity['requiredWhen'],
    history: options.history ?? false,
    retired: options.retired ?? [],
    about: options.about ?? null,
    personal: options.personal ?? [],
    purpose: options.purpose ?? null,
    keep: options.keep ?? null,
  }
}

/** Columns that every table has; the server alone fills them. */
export const baseFields = {
  createUser: ref('创建人', 'user'),
  createDept: ref('创建机构', 'dept'),
  createTime: dateTime('创建时间'),
  updateUser: ref('更新人', 'user'),
  updateTime: dateTime('更新时间'),
} as const satisfies Fields

/** Names of the base columns, allowed in columns, search and sort. */
export type BaseName = keyof typeof baseFields

/** A field of an entity by name, base columns included. */
export function fieldOf(entity: Entity, name: string): Field | undefined {
  return entity.properties[name] ?? (baseFields as Fields)[name]
}

/** The id of the parent of a row that has none, as the wire has it: sent so, and read as no value. */
export const noParent = '0'

/**
 * Whether a field names the parent of a row: another row of the same entity. One that has to share a value with it (`within`) stands
 * beside it, not above.
 */
export const isParentField = (entity: Pick<Entity, 'name'>, field: Field): boolean =>
  field.kind === 'ref' && field.ref === entity.name && field.within === undefined

/** Table name of an entity. */
export const tableOf = (name: string) => name.replaceAll('-', '_')

/** Names of the fields of an entity. */
export type NameOf<E> = E extends Entity<string, infer F> ? keyof F & string : never

/** Type of the value of a field as the database gives it. */
export type ValueOf<F> = F extends Field<infer V, Kind> ? (F extends { readonly optional: true } ? V | null : V) : never

interface BaseRow {
  id: string
  tenantId: string
  createUser: string | null
  createDept: string | null
  createTime: Date
  updateUser: string | null
  updateTime: Date
  status: number
  isDeleted: number
}

/** One row of an entity as the database gives it. */
export type Row<E> =
  E extends Entity<string, infer F> ? { -readonly [K in keyof F]: ValueOf<F[K]> } & Omit<BaseRow, keyof F> : never

type Filled = { readonly filled: true } | { readonly kind: 'state' }

/** The fields of an entity, by name. */
export type FieldsOf<E> = E extends Entity<string, infer F> ? F : never

/**
 * What somebody has entered in some fields, read and checked: instants are Dates, sealed texts are plain. A field that was left
 * out is not there, one that was emptied is null.
 */
export type Entered<F> = {
  readonly [K in keyof F as F[K] extends { readonly optional: true } ? never : K]: ValueOf<F[K]>
} & { readonly [K in keyof F as F[K] extends { readonly optional: true } ? K : never]?: ValueOf<F[K]> | undefined }

/** What a submit gives of a row: fields that people fill in. A changed row may give any part of them. */
export type Given<E> = {
  readonly [K in keyof FieldsOf<E> as FieldsOf<E>[K] extends Filled ? never : K]?: ValueOf<FieldsOf<E>[K]> | undefined
}

/** What code may write into a row beside what was given: every field of the entity, those the server fills among them. */
export type Settable<E> = { -readonly [K in keyof FieldsOf<E>]?: ValueOf<FieldsOf<E>[K]> | undefined }

/** A value on the wire: instants are `yyyy-MM-dd HH:mm:ss`, and nothing is an empty text. */
export type WireOf<F> = F extends Field<infer V, Kind> ? (V extends Date ? string : V) | '' : never

/** A row on the wire. Whoever may not read a field has a row without it. */
export type WireRow<E> = { readonly id: string } & {
  readonly [K in keyof FieldsOf<E>]?: WireOf<FieldsOf<E>[K]> | undefined
}

/** A column as query builders want it: what is read, what an insert and an update may give. */
export interface ColumnType<Select, Insert, Update> {
  readonly __select__: Select
  readonly __insert__: Insert
  readonly __update__: Update
}

type Defaulted = 'state' | 'flag'
type ColumnOf<F> =
  F extends Field<infer V, infer K>
    ? K extends 'json'
      ? ColumnType<ValueOf<F>, string | null | undefined, string | null>
      : K extends Defaulted
        ? ColumnType<ValueOf<F>, V | undefined, V>
        : K extends 'dateTime'
          ? ColumnType<
              ValueOf<F>,
              F extends { readonly optional: true } ? Date | string | null | undefined : Date | string,
              Date | string | null
            >
          : ColumnType<ValueOf<F>, F extends { readonly optional: true } ? V | null | undefined : V, ValueOf<F>>
    : never
/** Beside each sealed column: a keyed hash for exact search and the text as lists show it. */
type SealedColumns<F> = {
  [K in keyof F & string as F[K] extends Field<infer _V, 'sealed'> ? `${K}Hash` | `${K}Mask` : never]: ColumnType<
    string | null,
    string | null | undefined,
    string | null
  >
}
type BaseColumns = { [K in keyof BaseRow]: ColumnType<BaseRow[K], BaseRow[K] | undefined, BaseRow[K]> } & {
  version: ColumnType<number, number | undefined, number>
}

/**
 * One plain object type. The `-?` takes nothing away (no column is optional); it keeps the compiler from copying the
 * whole mapping for each column of each query, which made two thirds of all types of a check.
 */
type Flat<T> = { [K in keyof T]-?: T[K] }

/** The table of an entity for a typed query builder. `version` is there for entities that keep one. */
export type TableOf<E> =
  E extends Entity<string, infer F>
    ? Flat<{ [K in keyof F]: ColumnOf<F[K]> } & SealedColumns<F> & Omit<BaseColumns, keyof F>>
    : never

type Underscored<S extends string> = S extends `${infer A}-${infer B}` ? `${A}_${Underscored<B>}` : S

/** All tables of a list of entities, by table name. */
export type TablesOf<L extends readonly Entity[]> = {
  [E in L[number] as E extends Entity<infer N> ? Underscored<N> : never]: TableOf<E>
}

/** Base columns that say who made and changed a row, and when. */
type Stamp = 'createUser' | 'createTime' | 'updateUser' | 'updateTime'

type LiveBaseColumns = {
  [K in Exclude<keyof BaseColumns, 'tenantId' | 'isDeleted'>]: K extends Stamp
    ? ColumnType<BaseColumns[K]['__select__'], undefined, undefined>
    : BaseColumns[K]
}

/** The table of an entity without tenant and deletion, and with stamps that are read only: who uses it cannot forget them. */
export type LiveTableOf<E> =
  E extends Entity<string, infer F>
    ? Flat<{ [K in keyof F]: ColumnOf<F[K]> } & SealedColumns<F> & Omit<LiveBaseColumns, keyof F>>
    : never

/** All tables of a list of entities, by table name, as {@link LiveTableOf} shows them. */
export type LiveTablesOf<L extends readonly Entity[]> = {
  [E in L[number] as E extends Entity<infer N> ? Underscored<N> : never]: LiveTableOf<E>
}
