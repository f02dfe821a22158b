import { commaList } from '#engine'
import { braced } from './braced.ts'

/** When a step that several people do is done. */
export type Done = 'all' | 'any' | 'majority' | 'veto' | 'text'

const known = {
  any: braced('nrOfCompletedInstances >= 1'),
  majority: braced('nrOfPassed / nrOfInstances > 0.5'),
  veto: braced('nrOfRejected > 0'),
} as const

const tight = (text: string): string => text.replace(/\s+/g, '')

/** The kind of an end that stands in a model. */
export function readDone(text: string | undefined): Done {
  if (!text?.trim()) return 'all'
  const found = Object.entries(known).find(([, one]) => tight(one) === tight(text))
  return (found?.[0] as keyof typeof known | undefined) ?? 'text'
}

/** The text for an end; undefined where everybody must decide, and for one of its author's own. */
export const writeDone = (done: Done): string | undefined =>
  done === 'all' || done === 'text' ? undefined : known[done]

/** Whom a step is given to one by one. */
export type Members =
  | { readonly by: 'users'; readonly ids: readonly string[] }
  | { readonly by: 'variable'; readonly name: string }
  | { readonly by: 'text'; readonly text: string }

const chosen = /^[$#]\{\s*'(\d{1,19}(?:\s*,\s*\d{1,19})*)'\s*\}$/
const variable = /^(?:[$#]\{\s*)?([A-Za-z_]\w{0,63})(?:\s*\})?$/

/** The members that a collection names: people chosen in the model stand there as a text of ids with commas. */
export function readMembers(text: string | undefined): Members {
  const given = (text ?? '').trim()
  if (!given) return { by: 'users', ids: [] }
  const ids = chosen.exec(given)?.[1]
  if (ids) return { by: 'users', ids: commaList(ids) }
  const name = variable.exec(given)?.[1]
  return name ? { by: 'variable', name } : { by: 'text', text: given }
}

/** The collection for members. */
export function writeMembers(members: Members): string | undefined {
  switch (members.by) {
    case 'users':
      return members.ids.length > 0 ? braced(`'${members.ids.join(',')}'`) : undefined
    case 'variable':
      return members.name ? braced(members.name) : undefined
    case 'text':
      return members.text || undefined
  }
}
