import type { Dictionary } from '#engine'

/** What pages read of a dictionary before the server has answered. */
export type FirstWords = Pick<Dictionary, 'code' | 'entries' | 'type' | 'sealed'> & { readonly biz?: true }

const known = new Map<string, FirstWords>()

/** Makes words known that dictionaries start with. A definition does so with the dictionaries that its fields name. */
export function learn(dictionaries: readonly FirstWords[]): void {
  for (const one of dictionaries) known.set(one.code, one)
}

/** The words that a dictionary starts with; undefined where nobody has brought them yet. */
export const firstWords = (code: string): FirstWords | undefined => known.get(code)
