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
  /** Keys that are not offered: rows have them from elsewhere or from before, and show their word. */
  readonly sealed?: readonly string[]
}

/** Names of the keys of a system dictionary: what code says instead of the number. */
export type Names = Readonly<Record<string, number>>

/** A system dictionary with whole-number keys: the number is stored and sent, the name stands in code. */
export interface NumberDictionary<N extends Names = Names> extends Dictionary<N[keyof N]> {
  /** Name → key. Each key has its literal type: `payState.names.due` is `0`, not `number`. */
  readonly names: N
}

/** Name → key and word, as a definition says them; `sealed` for what is shown where a row has it and never offered. */
type Named = Readonly<Record<string, readonly [key: number, word: string, sealed?: 'sealed']>>

/**
 * A system dictionary with whole-number keys, offered in the order of the keys:
 * `dictionary('pay_state', '缴费状态', { due: [0, '待缴'], paid: [1, '已缴'] })`. The keys are literal types, so a condition
 * on a key that does not exist does not compile; code says `payState.names.due`.
 */
export function dictionary<const E extends Named>(
  code: string,
  title: string,
  named: E,
): NumberDictionary<{ readonly [N in keyof E]: E[N][0] }> {
  const names = Object.fromEntries(Object.entries(named).map(([name, [key]]) => [name, key]))
  const entries = Object.fromEntries(Object.values(named).map(([key, word]) => [key, word]))
  const sealed = Object.values(named).flatMap(([key, , mark]) => (mark ? [String(key)] : []))
  return { code, title, entries, type: 'integer', biz: false, names, ...(sealed.length > 0 && { sealed }) } as never
}

/** A system dictionary whose keys are words, for example the owner kinds of an attachment. Its words are the names. */
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
