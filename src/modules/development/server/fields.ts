import { type Dictionary, type Kind, type Names, type SearchBy, searchOf, searchWays } from '#engine'
import * as known from '#schemas/dictionaries'
import type { FieldRow } from './rows.ts'

/** What a person calls a field. */
export const labelOf = ({ jdbcComment, propertyName }: FieldRow): string => jdbcComment || propertyName

/** What is known of a dictionary that a field names; without a name it is none of the program and is generated, too. */
export interface NamedDictionary extends Pick<Dictionary, 'code' | 'title' | 'type' | 'biz'> {
  /** Key and word of each entry, in their order. */
  readonly entries: readonly (readonly [key: string, word: string])[]
  /** What the program calls it. */
  readonly exported?: string
  /** What the program calls its keys. */
  readonly names?: Names
}

/** Dictionaries by their codes. */
export type Dictionaries = ReadonlyMap<string, NamedDictionary>

/** The dictionaries of the program by their codes, with the names they are exported by. */
export const ownDictionaries: Dictionaries = new Map(
  Object.entries<unknown>(known).flatMap(([exported, one]) => {
    if (typeof one !== 'object' || one === null || !('entries' in one)) return []
    const { code, title, type, biz, entries, names } = one as Dictionary & { names?: Names }
    const words = Object.entries(entries) as [string, string][]
    return [[code, { code, title, type, biz, entries: words, exported, names }] as const]
  }),
)

const base = /^(id|tenantId|create(User|Dept|Time)|update(User|Time)|status|isDeleted)$/

/** Whether every table of ours has a column anyway. A `status` with words of its own is a field. */
export const isBase = ({ propertyName, dictCode }: FieldRow): boolean =>
  base.test(propertyName) && !(propertyName === 'status' && dictCode)

/** What kind of field a field of a model becomes. */
export function kindOf({ componentType, propertyType, dictCode, isState }: FieldRow): Kind {
  if (isState === 1) return 'state'
  if (dictCode) return 'dict'
  if (componentType === 'date') return 'date'
  if (componentType === 'datetime') return 'dateTime'
  if (componentType === 'textarea') return 'longText'
  if (componentType === 'upload') return 'file'
  if (propertyType === 'Integer') return 'integer'
  if (propertyType === 'Boolean') return 'flag'
  return ['Long', 'Double', 'BigDecimal'].includes(propertyType) ? 'decimal' : 'text'
}

const ways: Readonly<Record<string, SearchBy>> = { eq: 'whole', like: 'part', ge: 'from', le: 'to', between: 'between' }

/** How a field is searched where the model says so, and it is not the way of its kind. */
export function wayOf(field: FieldRow): SearchBy | undefined {
  const way = ways[field.queryType ?? '']
  return way === searchWays(kindOf(field))[0] ? undefined : way
}

/** The default of a field as its kind has it; undefined when it has none. */
export function defaultOf(field: FieldRow, dictionaries: Dictionaries): string | number | undefined {
  const text = (field.defaultValue ?? '').trim()
  if (!text) return undefined
  const kind = kindOf(field)
  const isWhole = dictionaries.get(field.dictCode ?? '')?.type === 'integer'
  return kind === 'integer' || kind === 'flag' || isWhole ? Number(text) : text
}

const defaults: Partial<Record<Kind, readonly [pattern: RegExp, msg: string]>> = {
  integer: [/^-?\d{1,9}$/, '默认值应为整数'],
  decimal: [/^-?\d{1,16}(\.\d{1,4})?$/, '默认值应为数字'],
  flag: [/^[01]$/, '默认值应为0或1'],
  date: [/^\d{4}-\d{2}-\d{2}$/, '默认值应为日期 yyyy-MM-dd'],
  dateTime: [/^\$now$/, '时间的默认值只能是 $now'],
  file: [/^$/, '附件没有默认值'],
}

function defaultProblem(field: FieldRow, dictionary: NamedDictionary | undefined): string | null {
  const text = (field.defaultValue ?? '').trim()
  if (!text) return null
  if (dictionary) return dictionary.entries.some(([key]) => key === text) ? null : '默认值不在字典中'
  const [pattern, msg] = defaults[kindOf(field)] ?? []
  if (pattern && !pattern.test(text)) return msg ?? null
  return field.maxLength && text.length > field.maxLength ? '默认值超过最大长度' : null
}

function problemOf(field: FieldRow, all: readonly FieldRow[], dictionaries: Dictionaries): string | null {
  const kind = kindOf(field)
  const dictionary = dictionaries.get(field.dictCode ?? '')
  if (field.dictCode && !dictionary) return `字典${field.dictCode}不存在`
  if (field.isState === 1 && (!dictionary || dictionary.biz)) return '状态须有系统字典'
  if (field.maxLength && kind !== 'text' && kind !== 'longText') return '只有文本有最大长度'
  if (field.uniqueGroup && all.filter(one => one.uniqueGroup === field.uniqueGroup).length < 2)
    return '组合唯一至少要有两个字段'
  if (field.isUnique === 1 && kind === 'state') return '状态不能唯一'
  const isFilled = field.isForm === 1 || kind === 'state' || Boolean(field.defaultValue?.trim())
  if (field.isRequired === 1 && !isFilled) return '必填字段须在表单中，或有默认值'
  if (field.isQuery === 1 && searchOf[kind] === 'none') return '附件不能查询'
  const way = field.isQuery === 1 ? ways[field.queryType ?? ''] : undefined
  if (way && !searchWays(kind).includes(way)) return '该类型的字段不能这样查询'
  return defaultProblem(field, dictionary)
}

/** What of the fields of a model cannot be made true, by field. */
export const fieldProblems = (fields: readonly FieldRow[], dictionaries: Dictionaries) =>
  fields
    .filter(field => !isBase(field))
    .flatMap(field => {
      const msg = problemOf(field, fields, dictionaries)
      return msg ? [{ field: field.propertyName, msg: `${labelOf(field)}：${msg}` }] : []
    })
