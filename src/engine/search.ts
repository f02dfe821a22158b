import type { Kind } from './field.ts'

/**
 * The operators of a filter by their suffix, as Blade names them: `createTime_dategt=2026-01-01 00:00:00`.
 * The empty suffix stands for the operator natural to the field's kind.
 */
export const suffixes = [
  '',
  '_like',
  '_likeleft',
  '_likeright',
  '_notlike',
  '_equal',
  '_notequal',
  '_ge',
  '_gt',
  '_le',
  '_lt',
  '_datege',
  '_dategt',
  '_datele',
  '_datelt',
  '_dateequal',
  '_null',
  '_notnull',
  '_ignore',
] as const

/** One of {@link suffixes}. */
export type Suffix = (typeof suffixes)[number]

/** How a field without a suffix is searched: by part, by whole, by any of several keys, by hash, between two times, or not at all. */
export type Search = 'part' | 'whole' | 'member' | 'sealed' | 'range' | 'none'

/** The natural search of each kind. */
export const searchOf: Readonly<Record<Kind, Search>> = {
  text: 'part',
  longText: 'part',
  richText: 'part',
  integer: 'whole',
  decimal: 'whole',
  money: 'whole',
  flag: 'whole',
  date: 'range',
  dateTime: 'range',
  dict: 'whole',
  dicts: 'member',
  state: 'whole',
  ref: 'whole',
  refs: 'member',
  region: 'whole',
  image: 'none',
  file: 'none',
  json: 'none',
  sealed: 'sealed',
  secret: 'none',
}

/**
 * How a field is searched where its list says so: by part, by whole, from a value on, up to one, or between two. Between two
 * the ends are sent with suffixes (`_ge` and `_le`, of dates `_dategt` and `_datelt`).
 */
export type SearchBy = 'part' | 'whole' | 'from' | 'to' | 'between'

const wholeNumbers: readonly SearchBy[] = ['whole', 'from', 'to', 'between']

/** The ways in which a kind can be searched, its natural one first. */
export const searchWays = (kind: Kind): readonly SearchBy[] => {
  if (searchOf[kind] === 'part') return ['part', 'whole']
  if (searchOf[kind] === 'range') return ['between', 'whole', 'from', 'to']
  if (kind === 'integer' || kind === 'decimal' || kind === 'money') return wholeNumbers
  return searchOf[kind] === 'none' ? [] : ['whole']
}

/** Splits a filter key into the field and the operator: `createTime_dategt` → `createTime`, `_dategt`. */
export function readFilter(key: string): { field: string; suffix: Suffix } {
  const at = key.lastIndexOf('_')
  const suffix = at < 0 ? '' : key.slice(at)
  return (suffixes as readonly string[]).includes(suffix) && at > 0
    ? { field: key.slice(0, at), suffix: suffix as Suffix }
    : { field: key, suffix: '' }
}
