import { FormInputType } from '#schemas/dictionaries/sign-up'
import { canonical, isBlank } from '../../../engine/blank.ts'
import type { Condition } from '../../../engine/condition.ts'
import { conditionSchema, type ObjectSchema } from '../../../engine/form.ts'
import type { DictEntry, Dicts, FormField } from '../../../engine/form-field.ts'
import { limitedFormat } from '../../../engine/formats.ts'
import { type Content, conditionOf, on, type SignItem, usedItems } from './sign-item.ts'

/** What an input of an exam's own form is called in its schema. */
export type FormKind = keyof typeof FormInputType

/** One input of an exam's own form: a JSON Schema of its value with what is needed to draw it. */
export interface FormProperty extends FormField {
  readonly kind: FormKind
}

/** An exam's own form as JSON Schema (draft-07). Items with a condition stand in `allOf`, each with its `if`. */
export interface SignSchema extends ObjectSchema {
  readonly properties: Readonly<Record<string, FormProperty>>
  readonly allOf?: readonly { readonly if: object; readonly then: ObjectSchema }[]
}

type Rules = Readonly<Record<string, unknown>>

const kinds = new Map(Object.entries(FormInputType).map(([name, key]) => [key as number, name as FormKind]))

/** The kind of an item; one that is not known is a line of text. */
export const kindOf = (item: SignItem): FormKind => kinds.get(item.inputType) ?? 'text'

/** Characters at most where an item does not say. */
const lengths: Partial<Record<FormKind, number>> = { longText: 2000 }
/** Rows at most where a table does not say. */
export const MOST_ROWS = 50
/** Steps at most of a path down a dictionary. */
const STEPS = 6

/** The characters that an item may have. */
export const lengthOf = (item: SignItem): number => item.rules?.maxLength ?? lengths[kindOf(item)] ?? 255

/** Keywords with those left out that limit nothing. */
const limits = (named: Readonly<Record<string, unknown>>): Rules =>
  Object.fromEntries(
    Object.entries(named)
      .filter(([, limit]) => !isBlank(limit) && !Number.isNaN(Number(limit)))
      .map(([keyword, limit]) => [keyword, Number(limit)]),
  )

const entriesOf = (item: SignItem, dicts: Dicts) => (item.dictCode ? dicts[item.dictCode] : undefined)

/** One of some values; without any, nothing fits. */
const oneOf = (values: readonly unknown[]): Rules => (values.length > 0 ? { enum: values } : { not: {} })

const keysOf = (entries: readonly DictEntry[]): string[] =>
  entries.flatMap(entry => [entry.key, ...keysOf(entry.children ?? [])])

const choice = (entries: readonly DictEntry[] | undefined): Rules => ({
  type: 'string',
  ...(entries && oneOf([...new Set(keysOf(entries))])),
})

/** Every way down to an end of a tree. */
const pathsOf = (entries: readonly DictEntry[]): string[][] =>
  entries.flatMap(entry =>
    entry.children?.length ? pathsOf(entry.children).map(below => [entry.key, ...below]) : [[entry.key]],
  )

const text = (item: SignItem, format: string): Rules => ({
  type: 'string',
  format,
  ...limits({ maxLength: lengthOf(item) }),
  ...(item.rules?.regex && { pattern: `^(?:${item.rules.regex})$` }),
})

const bound = (limit: unknown): string | undefined => (isBlank(limit) ? undefined : String(limit).trim())

function dated({ rules }: SignItem, form: string): Rules {
  const [least, most] = [bound(rules?.min), bound(rules?.max)]
  return { type: 'string', format: limitedFormat(form, least, most), ...(least && { least }), ...(most && { most }) }
}

/** The rules for a value of each kind. */
const rulesOf: Readonly<Record<FormKind, (item: SignItem, dicts: Dicts) => Rules>> = {
  text: item => text(item, 'line'),
  longText: item => text(item, 'lines'),
  school: item => text(item, 'line'),
  idCard: item => text(item, 'idCard'),
  phone: item => text(item, 'phone'),
  number: ({ rules }) => ({ type: 'number', ...limits({ minimum: rules?.min, maximum: rules?.max }) }),
  date: item => dated(item, 'recentDate'),
  month: item => dated(item, 'month'),
  radio: (item, dicts) => choice(entriesOf(item, dicts)),
  select: (item, dicts) => choice(entriesOf(item, dicts)),
  checks: (item, dicts) => ({
    type: 'array',
    uniqueItems: true,
    items: choice(entriesOf(item, dicts)),
    ...limits({ minItems: item.rules?.min, maxItems: item.rules?.max }),
  }),
  cascade: (item, dicts) => {
    const entries = entriesOf(item, dicts)
    return {
      type: 'array',
      maxItems: STEPS,
      items: { type: 'string' },
      ...(entries && oneOf(pathsOf(entries).filter(path => path.length <= STEPS))),
    }
  },
  region: () => ({ type: 'array', minItems: 2, maxItems: 3, items: { type: 'string', format: 'region' } }),
  table: ({ columns, rules }, dicts) => ({
    type: 'array',
    items: objectOf(usedItems(columns ?? []), dicts),
    ...limits({ minItems: rules?.min, maxItems: rules?.max ?? MOST_ROWS }),
  }),
  note: () => ({ type: 'null' }),
}

function property(item: SignItem, dicts: Dicts): FormProperty {
  const kind = kindOf(item)
  const { itemName: title, dictCode, placeholder, span } = item
  const drawn = { ...(dictCode && { dict: dictCode }), ...(placeholder && { placeholder }), ...(span && { span }) }
  return { title, kind, ...drawn, ...rulesOf[kind](item, dicts) }
}

/** The conditions of an item and of every item it needs to be shown; null when they can never hold. */
function neededBy(item: SignItem, items: readonly SignItem[]): Condition[] | null {
  const seen = new Set([item])
  for (const one of seen)
    for (const code of Object.keys(one.showWhen ?? {})) {
      const needed = items.find(other => other.itemCode === code)
      if (!needed) return null
      seen.add(needed)
    }
  const conditions = [...seen].map(one => conditionOf(one.showWhen))
  const isNever = conditions.some(condition => Object.values(condition).some(keys => [keys].flat().length === 0))
  return isNever ? null : conditions.filter(condition => Object.keys(condition).length > 0)
}

function part(items: readonly SignItem[], dicts: Dicts): SignSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(items.map(item => [item.itemCode, property(item, dicts)])),
    required: items.filter(item => on(item.required) && kindOf(item) !== 'note').map(item => item.itemCode),
  }
}

function objectOf(items: readonly SignItem[], dicts: Dicts): SignSchema {
  const always: SignItem[] = []
  const sometimes = new Map<string, { when: Condition[]; items: SignItem[] }>()
  for (const item of items) {
    const when = neededBy(item, items)
    if (when?.length === 0) always.push(item)
    if (!when?.length) continue
    const key = canonical(when)
    const same = sometimes.get(key)
    sometimes.set(key, { when, items: [...(same?.items ?? []), item] })
  }
  const allOf = [...sometimes.values()].map(({ when, items: shown }) => ({
    if: { allOf: when.map(condition => conditionSchema(condition, true)) },
    then: part(shown, dicts),
  }))
  return { ...part(always, dicts), ...(allOf.length > 0 && { allOf }) }
}

/**
 * An exam's own form for a position type as a JSON Schema: what it is drawn from and checked by, on the server and in the
 * browser. Hidden items are neither required nor looked at. It takes what {@link entered} makes of a content.
 */
export function signForm(
  items: readonly SignItem[],
  { type, dicts = {} }: { type?: string | null; dicts?: Dicts } = {},
): SignSchema {
  return objectOf(usedItems(items, type), dicts)
}

/** The order of inputs in a form and in the rows of its tables, as the form library's `uiSchema`. */
export function formOrder(items: readonly SignItem[], type?: string | null): Rules {
  const used = usedItems(items, type)
  const tables = used.filter(item => kindOf(item) === 'table')
  return {
    'ui:order': used.map(item => item.itemCode),
    ...Object.fromEntries(tables.map(item => [item.itemCode, { items: formOrder(item.columns ?? []) }])),
  }
}

const isRow = (row: unknown): row is Content => typeof row === 'object' && row !== null && !Array.isArray(row)

/** The rows of a table that is being filled in; undefined for what is none. */
export const rowsOf = (value: unknown): readonly Content[] | undefined =>
  Array.isArray(value) && value.length > 0 && value.every(isRow) ? value : undefined

/**
 * What is filled in, without what is blank: `required` asks for what is there. Rows of a table stay, also those in which
 * nothing was entered yet, so that each is told what it lacks.
 */
export function entered(items: readonly SignItem[], content: Content): Content {
  const kept: Content = {}
  for (const { itemCode, inputType, columns } of items) {
    const value = Object.hasOwn(content, itemCode) ? content[itemCode] : undefined
    const rows = inputType === FormInputType.table ? rowsOf(value) : undefined
    if (rows) kept[itemCode] = rows.map(row => entered(columns ?? [], row))
    else if (inputType !== FormInputType.note && !isBlank(value)) kept[itemCode] = value
  }
  return kept
}
