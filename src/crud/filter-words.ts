import type { Field, Resource, Suffix } from '#engine'
import { filterField, listNames, pagingKeys, readKey } from './filter.ts'
import { resourceOf } from './lookup.ts'
import type { listKeys } from './query.ts'
import { namesOf } from './row-names.ts'
import type { ReadContext } from './rules.ts'
import { readWords, wordOf } from './words.ts'

/** How each suffix compares a value, as people write it; `*` stands for any text. */
const compared: Readonly<Record<Suffix, (value: string) => string>> = {
  '': value => value,
  _like: value => `*${value}*`,
  _likeleft: value => `*${value}`,
  _likeright: value => `${value}*`,
  _notlike: value => `≠ *${value}*`,
  _equal: value => value,
  _notequal: value => `≠ ${value}`,
  _ge: value => `≥ ${value}`,
  _gt: value => `> ${value}`,
  _le: value => `≤ ${value}`,
  _lt: value => `< ${value}`,
  _datege: value => `≥ ${value}`,
  _dategt: value => `> ${value}`,
  _datele: value => `≤ ${value}`,
  _datelt: value => `< ${value}`,
  _dateequal: value => value,
  _null: () => '空',
  _notnull: () => '非空',
  _ignore: value => value,
}

/** What a list is filtered by beside its fields is called. */
const ownTitles: Readonly<Record<(typeof listKeys)[number], string>> = { chip: '筛选', keyword: '关键词' }

const isOwn = (key: string): key is keyof typeof ownTitles => key in ownTitles

/** Keys of a list call that leave out no row. */
const silent: ReadonlySet<string> = new Set([...pagingKeys, 'view'])

/** A filter on a field, as it was asked for. */
interface Asked {
  readonly field: Field
  readonly suffix: Suffix
  readonly value: string
}

function askedOf(resource: Resource, key: string, value: string): Asked | undefined {
  const { name, suffix } = readKey(key, resource, listNames(resource))
  const field = filterField(resource, name)
  const way = suffix === '' ? resource.searchBy[name] : undefined
  const said = way === 'from' ? '_ge' : way === 'to' ? '_le' : suffix
  return field && suffix !== '_ignore' ? { field, suffix: said, value } : undefined
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
 * The filters of some list calls in words: titles of fields, words of dictionaries, and names of those rows that the reader meets:
 * `考试：春季招聘；岗位状态：正常`.
 * @param lists each a resource with the query parameters of its list
 */
export async function filterWords(
  ctx: Pick<ReadContext, 'app' | 'person' | 'now'>,
  lists: readonly { readonly resource: Resource; readonly query: Readonly<Record<string, string>> }[],
): Promise<string[]> {
  const all = lists.map(({ resource, query }) =>
    Object.entries(query)
      .filter(([key, value]) => value !== '' && !silent.has(key))
      .flatMap(([key, value]): (Asked | string)[] => {
        if (isOwn(key)) return [`${ownTitles[key]}：${value}`]
        const asked = askedOf(resource, key, value)
        return asked ? [asked] : []
      }),
  )
  const asked = all.flat().filter(one => typeof one !== 'string')
  const words = await readWords(
    ctx.app,
    ctx.person.tenantId,
    asked.map(one => one.field),
  )
  const names = await referred(ctx, asked)
  const wordsOf = ({ field: { kind, ref, dict }, value }: Asked): string => {
    if (kind === 'money') return String(Number(value) / 100)
    if (dict) return wordOf(words.get(dict), value).replaceAll(',', '、')
    if (!ref) return value
    const called = value.split(',').map(id => names.get(`${ref} ${id}`) ?? id)
    return called.join('、')
  }
  const told = (one: Asked) => `${one.field.title}：${compared[one.suffix](wordsOf(one))}`
  return all.map(one => one.map(filter => (typeof filter === 'string' ? filter : told(filter))).join('；'))
}
