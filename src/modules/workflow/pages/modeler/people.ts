import { braced } from './braced.ts'

/** Who does a step alone, as the panel asks for it. */
export type Assignee =
  | { readonly by: 'nobody' }
  | { readonly by: 'initiator' }
  | { readonly by: 'leader' }
  | { readonly by: 'user'; readonly id: string }
  | { readonly by: 'variable'; readonly name: string }
  /** An account or an expression of its author's own. */
  | { readonly by: 'text'; readonly text: string }

const initiator = /^(?:\$INITIATOR|[$#]\{\s*(?:INITIATOR|initiator)\s*\})$/
const leader = /^[$#]\{\s*leader\(\s*initiator\s*\)\s*\}$/
const variable = /^[$#]\{\s*([A-Za-z_]\w{0,63})\s*\}$/

/** What a name of a variable may look like. */
export const variableName = /^[A-Za-z_]\w{0,63}$/

/** The assignee that an attribute names. */
export function readAssignee(text: string | undefined): Assignee {
  const given = (text ?? '').trim()
  if (!given) return { by: 'nobody' }
  if (initiator.test(given)) return { by: 'initiator' }
  if (leader.test(given)) return { by: 'leader' }
  if (/^[1-9]\d{0,18}$/.test(given)) return { by: 'user', id: given }
  const name = variable.exec(given)?.[1]
  return name ? { by: 'variable', name } : { by: 'text', text: given }
}

/** The attribute for an assignee; undefined where it names nobody. */
export function writeAssignee(who: Assignee): string | undefined {
  switch (who.by) {
    case 'nobody':
      return undefined
    case 'initiator':
      return braced('initiator')
    case 'leader':
      return braced('leader(initiator)')
    case 'user':
      return who.id
    case 'variable':
      return braced(who.name)
    case 'text':
      return who.text
  }
}

/** Whom a step waits for when it is nobody's yet, by kind. */
export interface Groups {
  /** Aliases of roles. */
  readonly roles: readonly string[]
  /** Ids of departments. */
  readonly depts: readonly string[]
  /** Codes of posts. */
  readonly posts: readonly string[]
  /** Expressions and whatever else stands there. */
  readonly others: readonly string[]
}

/** The parts of a list that is written with commas; commas inside of an expression do not part it. */
export function listed(text: string | undefined): string[] {
  return (text ?? '').match(/(?:[$#]\{[^}]*\}|[^,])+/g)?.flatMap(one => one.trim() || []) ?? []
}

/** The groups that an attribute names. */
export function readGroups(text: string | undefined): Groups {
  const all = listed(text)
  const of = (prefix: string) => all.flatMap(one => (one.startsWith(prefix) ? one.slice(prefix.length) : []))
  const isExpression = (one: string): boolean => /[${}]/.test(one)
  const bare = all.filter(one => !isExpression(one) && !one.includes(':'))
  return {
    roles: [...bare, ...of('role:')],
    depts: of('dept:'),
    posts: of('post:'),
    others: all.filter(one => isExpression(one) || /^(?!role:|dept:|post:)[^:]*:/.test(one)),
  }
}

/** The attribute for groups; undefined where there are none. */
export function writeGroups({ roles, depts, posts, others }: Groups): string | undefined {
  const all = [...roles, ...depts.map(id => `dept:${id}`), ...posts.map(code => `post:${code}`), ...others]
  return all.join(',') || undefined
}
