import type { RefusalEntry, RefusalName, Refusals, RefusalValue } from '#engine'
import { baseRefusals } from '../refusals.ts'

const known = new Map<string, RefusalEntry>()
const nameByCode = new Map<number, string>()

/**
 * Makes refusals known by name; the base's are known anyway. The same table may come again.
 * HTTP 401 is reserved for tokens, because clients answer it with a token refresh.
 * @throws when a name or a code means two refusals
 */
export function addRefusals(table: Readonly<Record<string, RefusalEntry>>): void {
  for (const [name, entry] of Object.entries(table)) {
    const [code] = entry
    const taken = nameByCode.get(code)
    if (taken !== undefined && taken !== name)
      throw new Error(`Refusals ${taken} and ${name} have the same code ${code}`)
    if (known.has(name) && known.get(name) !== entry) throw new Error(`Refusal ${name} is defined twice`)
    known.set(name, entry)
    nameByCode.set(code, name)
  }
}

addRefusals(baseRefusals)

/** Whether a refusal of this name is known. */
export const hasRefusal = (name: string): boolean => known.has(name)

function entryOf(name: string): RefusalEntry {
  const entry = known.get(name)
  if (!entry) throw new Error(`There is no refusal ${name}: its table is missing in src/server/refusals.ts`)
  return entry
}

/** The entry of a code; undefined for a code that no table has. */
export function entryOfCode(code: number): RefusalEntry | undefined {
  const name = nameByCode.get(code)
  return name === undefined ? undefined : known.get(name)
}

/** The code that a refusal has on the wire. Tables of modules are known from the start of the server on, not while files load. */
export const refusalCode = <N extends RefusalName>(name: N): Refusals[N][0] => entryOf(name)[0] as Refusals[N][0]

/** What stands in the braces of a text, by name. */
export type Values = Readonly<Record<string, string | number>>

/** A text with its values in place of the braces. */
export const filled = (text: string, values: Values, told: (value: string) => string = String): string =>
  text.replace(/\{([^}]+)\}/g, (_, name: string) => told(String(values[name] ?? '')))

/** A business refusal on its way to the caller; the envelope plugin turns it into the wire answer. */
export class Refusal extends Error {
  /** Body code, for example that of `signup.alreadySignedUp`. */
  readonly code: number
  /** HTTP status, never above 503. */
  readonly status: number
  /** Details for the caller, for example the rows or fields that are wrong. */
  readonly data: unknown
  /** What stands in the braces of its text, by name. */
  readonly values: Values

  constructor(code: number, status: number, message: string, data?: unknown, values: Values = {}) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.status = status
    this.data = data
    this.values = values
  }
}

const told = new WeakSet<Refusal>()

/**
 * A refusal that tells of work that was done, such as an import of which every row is wrong: what was written before it stays.
 */
export function afterWork(refusal: Refusal): Refusal {
  told.add(refusal)
  return refusal
}

/** Whether what was written before an error stays. */
export const isAfterWork = (error: unknown): boolean => error instanceof Refusal && told.has(error)

/** What a refusal takes beside its name: the values of its text, if it has any, and details for `data` of the answer. */
type Given<N extends RefusalName> = [RefusalValue<N>] extends [never]
  ? [values?: Readonly<Record<string, never>>, data?: unknown]
  : [values: Readonly<Record<RefusalValue<N>, string | number>>, data?: unknown]

/** Makes the refusal of a name, with the values of its text and details for `data` of the answer. */
export function refuse<N extends RefusalName>(name: N, ...[values = {}, data]: Given<N>): Refusal {
  const [code, status, text] = entryOf(name)
  return new Refusal(code, status, filled(text, values), data, values)
}

/**
 * Makes a refusal that says more than the text of its name does.
 * @param sentence what a person reads instead, in Chinese; its English is that of the sentence
 * @param data details for `data` of the answer
 */
export function refuseSaying(name: RefusalName, sentence: string, data?: unknown): Refusal {
  const [code, status] = entryOf(name)
  return new Refusal(code, status, sentence, data)
}

/** Whether an error is one of these refusals, whatever its sentence. */
export const isRefusal = (error: unknown, ...names: readonly RefusalName[]): error is Refusal =>
  error instanceof Refusal && names.some(name => refusalCode(name) === error.code)

/** The refusal of a key that comes again with something else. */
export const otherBody = (): Refusal =>
  refuseSaying('input.repeated', 'Idempotency-Key已用于内容不同的请求，请更换后重试')

/** The refusal of a call that is known and guarded, but whose work this version does not do. */
export const notImplemented = (): Refusal => refuseSaying('row.wrongState', '功能尚未开放')
