import { type RawBuilder, sql } from 'kysely'

/** A piece of SQL with its bound values: text never holds a value, and names come from definitions only. */
export interface Fragment {
  /** One more text than values; a value stands between two texts. */
  readonly texts: readonly string[]
  readonly values: readonly unknown[]
}

const isFragment = (part: unknown): part is Fragment =>
  typeof part === 'object' && part !== null && 'texts' in part && 'values' in part

/** Writes SQL: fragments are woven in, everything else becomes a bound value. */
export function q(strings: TemplateStringsArray, ...parts: readonly unknown[]): Fragment {
  const texts: string[] = [strings[0] ?? '']
  const values: unknown[] = []
  parts.forEach((part, i) => {
    const after = strings[i + 1] ?? ''
    if (isFragment(part)) {
      texts[texts.length - 1] += part.texts[0] ?? ''
      texts.push(...part.texts.slice(1))
      values.push(...part.values)
      texts[texts.length - 1] += after
    } else {
      values.push(part)
      texts.push(after)
    }
  })
  return { texts, values }
}

/** SQL text that comes from our own program, never from a request. */
export const raw = (text: string): Fragment => ({ texts: [text], values: [] })

/** A number that stands in the text: a name of a dictionary, so that the planner can use partial indexes. */
export const lit = (value: number): Fragment => raw(String(value))

/** The quoted name of a table or column. */
export const ident = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Several fragments with a separator between them. */
export function join(fragments: readonly Fragment[], separator: string): Fragment {
  const between = raw(separator)
  return fragments.reduce((all, one, i) => (i === 0 ? one : q`${all}${between}${one}`), raw(''))
}

/** All of the conditions; true when there is none. */
export const all = (conditions: readonly Fragment[]): Fragment =>
  conditions.length === 0 ? raw('true') : join(conditions, ' AND ')

/** A statement as the driver takes it; one with a name is parsed and planned once per connection. */
export interface Statement {
  readonly name?: string
  readonly text: string
  readonly values: unknown[]
}

const names = new Map<string, string>()
/** More shapes of statements than this are not kept prepared, so that odd filters cannot fill a connection's memory. */
const mostNames = 800

/** The statement of a fragment, prepared under a name of its own shape. */
export function statement(fragment: Fragment): Statement {
  let text = fragment.texts[0] ?? ''
  for (let i = 1; i < fragment.texts.length; i++) text += `$${i}${fragment.texts[i]}`
  const values = [...fragment.values]
  let name = names.get(text)
  if (!name) {
    if (names.size >= mostNames) return { text, values }
    name = `crud_${names.size}`
    names.set(text, name)
  }
  return { name, text, values }
}

/** The same fragment inside a Kysely query. */
export const expression = <T = unknown>(fragment: Fragment): RawBuilder<T> =>
  sql<T>(fragment.texts as unknown as TemplateStringsArray, ...fragment.values)
