import type { Dictionary } from './dictionary.ts'

/**
 * What a field is. The kind decides its column type, its search, its cell, its input, its rule and message and its
 * Excel column. Each layer answers every kind in one exhaustive `Record<Kind, …>`.
 */
export type Kind =
  | 'text'
  | 'longText'
  | 'richText'
  | 'integer'
  | 'decimal'
  | 'money'
  | 'flag'
  | 'date'
  | 'dateTime'
  | 'dict'
  | 'dicts'
  | 'state'
  | 'ref'
  | 'refs'
  | 'region'
  | 'image'
  | 'file'
  | 'json'
  | 'sealed'
  | 'secret'

declare const valueType: unique symbol

/**
 * One field of an entity: a JSON Schema (draft-07) property with a few words of our own. `V` is the type of its value
 * as the database gives it; it exists for the compiler only.
 */
export interface Field<V = unknown, K extends Kind = Kind> {
  readonly [valueType]?: V
  readonly kind: K
  /** Label a person reads, in Chinese; also the key of its translation. */
  readonly title: string
  readonly type: 'string' | 'integer' | 'number' | 'object' | readonly string[]
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly enum?: readonly (string | number)[]
  readonly default?: string | number
  /** Code of the dictionary that translates the value (kinds `dict`, `dicts`, `state`). */
  readonly dict?: string
  /** Name of the entity whose id the value is (kinds `ref`, `refs`). */
  readonly ref?: string
  /** Field whose value the row referred to must share (kinds `ref`, `refs`). */
  readonly within?: string
  /** `with`: a row goes with the row it refers to (kind `ref`). */
  readonly onRemove?: 'with'
  /** May be left empty. Every other field must have a value. */
  readonly optional?: true
  /** Filled by the server: never in a form, never accepted in a submit. */
  readonly filled?: true
  /** Never leaves the server. */
  readonly hidden?: true
  /** One row per value and tenant, held by a database index. */
  readonly unique?: true
  /** What a person filling it in should know; shown under the input. */
  readonly help?: string
  /** The name that the field had before: its column is renamed and keeps its values. */
  readonly renamed?: string
  /** False: the database holds neither its choices nor its reference. */
  readonly enforced?: false
  /** Row of another entity that the value is the code of (kind `text`). */
  readonly codeOf?: CodeOf
  /** What the value consists of (kind `json`), where that is known; see `structured`. */
  readonly of?: object
  /** What it is kept for and how long, where that is not what the entity says of all its fields. */
  readonly purpose?: string
  readonly keep?: Keep
}

/** How long something is kept, and what becomes of it then. */
export interface Keep {
  /**
   * What the months are counted from: the day on which what it was needed for was archived, the `day` of that itself, or the `end` of
   * what the row is about, such as the last sign-in of an account.
   */
  readonly from: 'archive' | 'day' | 'end'
  /** Whole months, 1 or more. */
  readonly months: number
  /**
   * `erase`: the row goes; `blank`: what tells who it is about goes, the row stays; `stay`: it is kept also when the person asks for
   * it to go, until the months are over.
   */
  readonly then: 'erase' | 'blank' | 'stay'
  /** Why it may be kept: a law or rule, as the person reads it. */
  readonly ground: string
}

/** A row that is named by its code: that of the entity whose field `by` holds it, among those with the same value in `within`. */
export interface CodeOf<N extends string = string> {
  readonly entity: N
  readonly by: string
  /** A field that both entities have, such as the exam. */
  readonly within: string
}

/** Words of a field that say how it is stored, who fills it and where it leads, and nothing of what a value may be. */
export const storageWords = [
  'filled',
  'hidden',
  'unique',
  'renamed',
  'enforced',
  'onRemove',
  'codeOf',
  'purpose',
  'keep',
] as const

/** A field without its {@link storageWords}. */
export const valueRules = (field: Field): Omit<Field, (typeof storageWords)[number]> =>
  Object.fromEntries(
    Object.entries(field).filter(([word]) => !(storageWords as readonly string[]).includes(word)),
  ) as never

/** Limits and texts that any field can carry. */
export interface FieldOptions {
  /** Value of a new row when none is given; `$now` for an instant is that of the insert. */
  default?: string | number
  /** One row per value and tenant. */
  unique?: true
  /** Hint under the input, one short sentence. */
  help?: string
  /** The name that the field had before; stays as long as an installation may have a column of that name. */
  renamed?: string
  /**
   * `false`: the database holds neither its choices nor its reference. A reference may then be 0 for the product itself, or the
   * id of a row of another entity.
   */
  enforced?: false
  /** What it is kept for, where that is not what the entity says: `审核身份`. */
  purpose?: string
  /** How long it is kept, where that is not what the entity says. */
  keep?: Keep
}

interface TextOptions extends FieldOptions {
  /** Least number of characters. */
  minLength?: number
  /** Most characters; also the width of the column. */
  maxLength?: number
  /** Regular expression the whole text must match (JSON Schema `pattern`). */
  pattern?: string
  /** `idCard` (18-digit national ID), `phone` (mainland mobile number), `email` or `uri`. */
  format?: 'idCard' | 'phone' | 'email' | 'uri'
  /**
   * The row of another entity that it is the code of: `{ entity: 'examitems', by: 'code', within: 'examId' }`. Lists lead there. It is
   * no reference: nothing holds the row, and there may be none.
   */
  codeOf?: CodeOf<EntityName>
}

interface NumberOptions extends FieldOptions {
  /** Least value allowed, inclusive. */
  minimum?: number
  /** Greatest value allowed, inclusive. */
  maximum?: number
}

const make = <V, K extends Kind>(kind: K, title: string, type: Field['type'], rest: object = {}): Field<V, K> =>
  ({ kind, title, type, ...rest }) as Field<V, K>

/** One line of text. 255 characters unless `maxLength` says otherwise; searched by part. */
export const text = (title: string, options: TextOptions = {}) =>
  make<string, 'text'>('text', title, 'string', { maxLength: 255, ...options })

/** Text of several lines, without a limit unless one is given; entered in a text area. */
export const longText = (title: string, options: TextOptions = {}) =>
  make<string, 'longText'>('longText', title, 'string', options)

/** Formatted text as HTML; sanitised by an allow-list whenever it is saved. */
export const richText = (title: string, options: FieldOptions = {}) =>
  make<string, 'richText'>('richText', title, 'string', options)

/** A whole number, 32 bits. */
export const integer = (title: string, options: NumberOptions = {}) =>
  make<number, 'integer'>('integer', title, 'integer', options)

/** An exact decimal number with up to four decimals. A string in code and on the wire, as Blade sends BigDecimal. */
export const decimal = (title: string, options: NumberOptions = {}) =>
  make<string, 'decimal'>('decimal', title, ['string', 'number'], options)

/** An amount of money in whole fen; people see and type yuan with two decimals. */
export const money = (title: string, options: NumberOptions = {}) =>
  make<number, 'money'>('money', title, 'integer', { minimum: 0, ...options })

/** Yes or no, stored as 1 or 0; dictionary `yes_no`. New rows have 0 unless `default` says otherwise. */
export const flag = (title: string, options: FieldOptions & { default?: 0 | 1 } = {}) =>
  make<0 | 1, 'flag'>('flag', title, 'integer', { enum: [0, 1], dict: 'yes_no', default: 0, ...options })

/** A calendar date, `yyyy-MM-dd`. */
export const date = (title: string, options: FieldOptions = {}) =>
  make<string, 'date'>('date', title, 'string', { format: 'date', ...options })

/** An instant, `yyyy-MM-dd HH:mm:ss` in Asia/Shanghai on the wire; searched between `_dategt` and `_datelt`. */
export const dateTime = (title: string, options: FieldOptions = {}) =>
  make<Date, 'dateTime'>('dateTime', title, 'string', { format: 'dateTime', ...options })

const keysOf = (d: Dictionary) =>
  d.biz ? {} : { enum: Object.keys(d.entries).map(k => (d.type === 'integer' ? Number(k) : k)) }

/** One key of a dictionary. A system dictionary allows its own keys only. */
export const dict = <K extends string | number>(title: string, from: Dictionary<K>, options: FieldOptions = {}) =>
  make<K, 'dict'>('dict', title, from.type, { dict: from.code, ...keysOf(from), ...options })

/** Several keys of a dictionary, comma-joined. */
export const dicts = (title: string, from: Dictionary, options: FieldOptions = {}) =>
  make<string, 'dicts'>('dicts', title, 'string', { dict: from.code, ...options })

/** A state, moved by actions only: never in a form, never accepted in a submit. New rows have the first key. */
export const state = <K extends string | number>(
  title: string,
  from: Dictionary<K>,
  options: { default?: NoInfer<K>; renamed?: string } = {},
) => {
  const { enum: keys = [] } = keysOf(from)
  return make<K, 'state'>('state', title, from.type, {
    dict: from.code,
    enum: keys,
    default: keys[0],
    filled: true,
    ...options,
  })
}

/**
 * The entities of the application, by name. Each schema file adds its own, so that a reference to an entity that does not
 * exist does not compile: `declare module '#engine' { interface Entities { examination: typeof Examination } }`.
 */
export interface Entities {}

/** Name of an entity of the application. */
export type EntityName = keyof Entities & string

interface RefOptions extends FieldOptions {
  /**
   * A field that both entities have: only rows that share its value with this one can be chosen, and are accepted.
   * A stage of an exam is `ref('考试项目', 'examinationitem', { within: 'examId' })`.
   */
  within?: string
}

interface OneRefOptions extends RefOptions {
  /**
   * What becomes of this row when the row it refers to is removed. Nothing said: that row cannot be removed while this one is there
   * (row.inUse). `with`: this one is removed, too, in the same transaction; listeners and the history are told, `beforeRemove` is
   * not asked, because it says when a row may go by itself. `ref('考试', 'examination', { onRemove: 'with' })`.
   */
  onRemove?: 'with'
}

/** The id of one row of another entity, named by its name. Lists carry its label as `<field>Name`. */
export const ref = <const N extends EntityName>(title: string, entity: N, options: OneRefOptions = {}) =>
  make<string, 'ref'>('ref', title, 'string', {
    ref: entity,
    pattern: '^[0-9]{1,20}$',
    ...options,
  }) as Field<string, 'ref'> & { readonly ref: N }

/** Ids of several rows of another entity, comma-joined; lists carry their labels as `<field>Name`. */
export const refs = (title: string, entity: EntityName, options: RefOptions = {}) =>
  make<string, 'refs'>('refs', title, 'string', { ref: entity, pattern: '^[0-9]{1,20}(,[0-9]{1,20})*$', ...options })

/** The code of an administrative region. `level` 1 province, 2 city, 3 district decides what the picker offers. */
export const region = (title: string, options: FieldOptions = {}) =>
  make<string, 'region'>('region', title, 'string', { dict: 'region', maxLength: 12, ...options })

/** The attachment id of a picture. */
export const image = (title: string, options: FieldOptions = {}) =>
  make<string, 'image'>('image', title, 'string', { pattern: '^[0-9]{1,20}$', ...options })

/** The attachment id of a file. */
export const file = (title: string, options: FieldOptions = {}) =>
  make<string, 'file'>('file', title, 'string', { pattern: '^[0-9]{1,20}$', ...options })

/** Data kept as JSON of which no more is known. `V` is what code takes it for; nothing looks into it. See `structured`. */
export const json = <V = unknown>(title: string, options: FieldOptions = {}) =>
  make<V, 'json'>('json', title, ['object', 'array', 'string', 'number', 'boolean', 'null'], options)

/**
 * Personal text kept encrypted (ID number, phone): a column `<field>Hash` beside it serves exact search and unique
 * rules, lists show it masked.
 */
export const sealed = (title: string, options: TextOptions = {}) =>
  make<string, 'sealed'>('sealed', title, 'string', options)

/** A password or key: accepted, never answered. */
export const secret = (title: string, options: TextOptions = {}) =>
  make<string, 'secret'>('secret', title, 'string', { hidden: true, ...options })

/** Lets a field be empty. */
export const optional = <F extends Field>(field: F): F & { readonly optional: true } => ({ ...field, optional: true })

/** A field the server fills: shown, searched, exported, never entered by hand and never accepted in a submit. */
export const filled = <F extends Field>(field: F): F & { readonly filled: true } => ({ ...field, filled: true })

/** A field that never leaves the server. */
export const hidden = <F extends Field>(field: F): F & { readonly hidden: true } => ({ ...field, hidden: true })
