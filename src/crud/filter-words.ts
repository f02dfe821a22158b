import type { Field, Resource, Suffix } from '#engine'
import { filterField, listNames, pagingKeys, readKey } from './filter.ts'
import { namesOf } from './row-names.ts'
import type { ReadContext } from './rules.ts'
import { resourceOf } from './scope.ts'
import { readWords, wordOf } from './words.ts'

/** One filter of a list in words: what is compared, how where it is not by being the same, and with what. */
export interface FilterWords {
  readonly label: string
  readonly sign: string
  readonly value: string
}

/** How each suffix compares, as people write it. */
const signs: Readonly<Record<Suffix, string>> = {
  '': '',
  _like: '含',
  _likeleft: '结尾是',
  _likeright: '开头是',
  _notlike: '不含',
  _equal: '',
  _notequal: '≠',
  _ge: '≥',
  _gt: '>',
  _le: '≤',
  _lt: '<',
  _datege: '≥',
  _dategt: '>',
  _datele: '≤',
  _datelt: '<',
  _dateequal: '',
  _null: '为空',
  _notnull: '不为空',
  _ignore: '',
}

/** What a list is filtered by beside its fields. */
const ownKeys: Readonly<Record<string, string>> = { chip: '筛选', keyword: '关键词' }

/** Keys of a list call that leave out no row. */
const silent: ReadonlySet<string> = new Set([...pagingKeys, 'view'])

/** A filter on a field, as it was asked for. */
interface Asked {
  readonly field: Field
  readonly sign: string
  readonly value: string
}

function askedOf(resource: Resource, key: string, value: string): Asked | undefined {
  const { name, suffix } = readKey(key, resource, listNames(resource))
  const field = filterField(resource, name)
  const way = suffix === '' ? resource.searchBy[name] : undefined
  const sign = way === 'from' ? signs._ge : way === 'to' ? signs._le : signs[suffix]
  return field && suffix !== '_ignore' ? { field, sign, value } : undefined
}

/** What the rows of other lists are called that filters name, by the entity and the id. */
async function referred(
  ctx: Pick<ReadContext, 'app' | 'person' | 'now'>,
  asked: readonly Asked[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  for (const ref of new Set(asked.flatMap(({ field }) => field.ref ?? []))) {
    const ids = asked.filter(({ field }) => field.ref === ref).flatMap(({ value }) => value.split(','))
    const found = await namesOf(ctx, resourceOf(ref), [...new Set(ids.filter(id => /^\d{1,19}$/.test(id)))])
    for (const [id, name] of found) names.set(`${ref} ${id}`, name)
  }
  return names
}

/**
 * The filters of some list calls in words: titles of fields, words of dictionaries, and names of those rows that the reader meets.
 * @param lists each a resource with the query parameters of its list
 */
export async function filterWords(
  ctx: Pick<ReadContext, 'app' | 'person' | 'now'>,
  lists: readonly { readonly resource: Resource; readonly query: Readonly<Record<string, string>> }[],
): Promise<FilterWords[][]> {
  const all = lists.map(({ resource, query }) =>
    Object.entries(query)
      .filter(([key, value]) => value !== '' && !silent.has(key))
      .flatMap(([key, value]): (Asked | FilterWords)[] => {
        const label = ownKeys[key]
        if (label !== undefined) return [{ label, sign: '', value }]
        const asked = askedOf(resource, key, value)
        return asked ? [asked] : []
      }),
  )
  const asked = all.flat().flatMap(one => ('field' in one ? [one] : []))
  const words = await readWords(
    ctx.app,
    ctx.person.tenantId,
    asked.map(one => one.field),
  )
  const names = await referred(ctx, asked)
  const told = ({ field, sign, value }: Asked): FilterWords => {
    const { title: label, ref, dict } = field
    if (sign === signs._null || sign === signs._notnull) return { label, sign, value: '' }
    if (dict) return { label, sign, value: wordOf(words.get(dict), value).replaceAll(',', '、') }
    if (!ref) return { label, sign, value }
    const called = value.split(',').map(id => names.get(`${ref} ${id}`) ?? id)
    return { label, sign, value: called.join('、') }
  }
  return all.map(one => one.map(filter => ('field' in filter ? told(filter) : filter)))
}
