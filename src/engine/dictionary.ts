/** One dictionary: a closed list of keys and the words people read for them. Plain JSON. */
export interface Dictionary<Key extends string | number = string | number> {
  /** Code under which `dict/dictionary?code=` answers, for example `exam_status`. */
  readonly code: string
  /** Name of the dictionary in the console. */
  readonly title: string
  /** Key → word, in the order offered. Keys of an object are strings in JSON; see {@link Dictionary.type} for the stored type. */
  readonly entries: Readonly<Record<Key, string>>
  /** Stored type of a key: system dictionaries with whole-number keys store integers. */
  readonly type: 'integer' | 'string'
  /** True for a business dictionary: every tenant has its own rows and may change them. */
  readonly biz: boolean
}

/** A system dictionary with whole-number keys: its keys are literal types, so `when: { examStatus: 9 }` does not compile. */
export function dictionary<const E extends Readonly<Record<number, string>>>(
  code: string,
  title: string,
  entries: E,
): Dictionary<keyof E & number> {
  return { code, title, entries: entries as never, type: 'integer', biz: false }
}

/** A system dictionary whose keys are words, for example the owner kinds of an attachment. */
export function wordDictionary<const E extends Readonly<Record<string, string>>>(
  code: string,
  title: string,
  entries: E,
): Dictionary<keyof E & string> {
  return { code, title, entries: entries as never, type: 'string', biz: false }
}

/**
 * A business dictionary: its rows belong to a tenant and are edited there; the entries given are the first ones.
 * Pairs instead of an object, because keys such as `10` would otherwise lose their order.
 */
export function bizDictionary(
  code: string,
  title: string,
  entries: readonly (readonly [key: string, word: string])[],
): Dictionary<string> {
  return { code, title, entries: Object.fromEntries(entries), type: 'string', biz: true }
}
