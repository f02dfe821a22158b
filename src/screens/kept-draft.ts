import type { AnswerOf, Field, Fields } from '#engine'
import { isMissing } from '../platform/http/browser/absent.ts'
import { call } from '../platform/http/browser/call.ts'
import { serverNow, timeOf } from '../platform/http/browser/clock.ts'
import { DRAFTS, session } from '../platform/http/browser/session.ts'
import { draftOf, dropDraft, keepDraft } from './contract.ts'
import { isEmpty } from './fields/props.ts'
import type { Values } from './form-values.ts'

/** Milliseconds after the last key until what a form holds is kept in this browser, and at the server. */
const HERE = 250
const THERE = 2000
/** Milliseconds by which the time of the server, told in seconds, may be behind. */
const SECOND = 1000

/** What somebody has typed into a form: the inputs that differ from what the form began with. */
export interface Draft {
  readonly values: Values
  /** What the same inputs held when the form was opened. */
  readonly base: Values
  /** The Idempotency-Key that the form was to be sent with. */
  readonly key: string
  /** When it was typed, in milliseconds since 1970. */
  readonly at: number
}

/** Which form of which row, and what its inputs are. */
export interface DraftPlace {
  /** The name of a resource, `payrecord/exempt` for the questions of an action, or that of a page. */
  readonly form: string
  /** Missing for a row that is not there yet. */
  readonly rowId?: string | undefined
  readonly fields: Fields
  /** Fields of the rows that the form holds in a table, by its name. */
  readonly rows?: Readonly<Record<string, Fields>>
}

/** Nothing is null in a draft and an empty text on the wire. */
const textOf = (value: unknown): string => JSON.stringify(isEmpty(value) ? null : value)
const isSame = (one: unknown, other: unknown): boolean => textOf(one) === textOf(other)

/** What differs between what a form holds and what it began with, and what that was; an input that was emptied is null. */
export function changesOf(values: Values, start: Values): Pick<Draft, 'values' | 'base'> {
  const names = [...new Set([...Object.keys(start), ...Object.keys(values)])].filter(
    name => !isSame(values[name], start[name]),
  )
  const of = (from: Values): Values => Object.fromEntries(names.map(name => [name, from[name] ?? null]))
  return { values: of(values), base: of(start) }
}

/** Inputs that somebody else has changed since the draft was begun, and that the draft has otherwise. */
export const conflictsOf = ({ values, base }: Draft, start: Values): string[] =>
  Object.keys(values).filter(name => !isSame(base[name], start[name]) && !isSame(values[name], start[name]))

/** How many inputs a draft has otherwise than the form begins with. */
export const countOf = ({ values }: Draft, start: Values): number =>
  Object.keys(values).filter(name => !isSame(values[name], start[name])).length

type Kept = (field: Field | undefined) => boolean
/** Nothing may be known of a secret but by whoever made it. */
const isNoSecret: Kept = field => field?.kind !== 'secret'
/** What is kept encrypted at the server does not lie about in a browser. */
const isOpen: Kept = field => field?.kind !== 'secret' && field?.kind !== 'sealed'

function only(values: Values, { fields, rows = {} }: Pick<DraftPlace, 'fields' | 'rows'>, isKept: Kept): Values {
  const kept = Object.entries(values).filter(([name]) => isKept(fields[name]))
  const inside = (name: string, value: unknown): unknown =>
    rows[name] && Array.isArray(value)
      ? value.map(row => only(row as Values, { fields: rows[name] ?? {} }, isKept))
      : value
  return Object.fromEntries(kept.map(([name, value]) => [name, inside(name, value)]))
}

const partOf = ({ values, base, ...rest }: Draft, place: DraftPlace, isKept: Kept): Draft => ({
  ...rest,
  values: only(values, place, isKept),
  base: only(base, place, isKept),
})

/** Keeps what somebody types into one form: in this browser at once, at the server when the keys rest. */
export class DraftKeeper {
  readonly #place: DraftPlace
  readonly #owner = session.get()?.user_id ?? ''
  readonly #name: string
  #draft: Draft | undefined
  #timers: ReturnType<typeof setTimeout>[] = []
  /** What is under way to the server; nothing overtakes it. */
  #line: Promise<unknown> = Promise.resolve()
  #isThere = false
  /** The server that is connected keeps no drafts. */
  #isAlone = false

  constructor(place: DraftPlace) {
    this.#place = place
    this.#name = `${DRAFTS}${this.#owner}-form-${place.form}-${place.rowId ?? ''}`
  }

  /** Whether something that was typed now is kept. */
  get hasKept(): boolean {
    return this.#draft !== undefined
  }

  get #address() {
    const { form, rowId } = this.#place
    return { form, ...(rowId && { rowId }) }
  }

  /** Whether the person who typed is still the one who is signed in. */
  get #isOwn(): boolean {
    return this.#owner !== '' && session.get()?.user_id === this.#owner
  }

  #readHere(): Draft | undefined {
    try {
      const found = JSON.parse(localStorage.getItem(this.#name) ?? 'null') as Draft | null
      return found && typeof found.values === 'object' && typeof found.key === 'string' ? found : undefined
    } catch {
      return undefined
    }
  }

  async #readThere(): Promise<Draft | undefined> {
    const answer: unknown = await call(draftOf, this.#address, { pass: 'all' }).catch(error => {
      this.#isAlone = isMissing(error)
    })
    const [found] = Array.isArray(answer) ? (answer as AnswerOf<typeof draftOf>) : []
    this.#isThere = found !== undefined
    return found && { values: found.values, base: found.base, key: found.key, at: timeOf(found.time) }
  }

  /** What was typed before, here or at another place: the newest. Sealed inputs are known to the server alone. */
  async find(): Promise<Draft | undefined> {
    if (!this.#owner) return undefined
    const here = this.#readHere()
    const asked = this.#readThere()
    // What is typed meanwhile is sent after it is known what was there.
    this.#line = asked
    const there = await asked
    if (!here || !there) return here ?? there
    if (here.key !== there.key) return here.at > there.at ? here : there
    const [older, newer] = here.at + SECOND < there.at ? [here, there] : [there, here]
    return { ...newer, values: { ...older.values, ...newer.values }, base: { ...older.base, ...newer.base } }
  }

  /** Keeps a draft as soon as the keys rest. */
  keep(draft: Omit<Draft, 'at'>): void {
    this.#stop()
    this.#draft = { ...draft, at: serverNow() }
    this.#timers = [setTimeout(() => this.#keepHere(), HERE), setTimeout(() => this.#keepThere(), THERE)]
  }

  /** Keeps at once what still waits: the form is closed. */
  flush(): void {
    if (this.#timers.length === 0) return
    this.#keepHere()
    this.#keepThere()
  }

  /** Forgets the draft: it has been saved, or is not wanted. */
  drop(): void {
    this.#stop()
    this.#draft = undefined
    localStorage.removeItem(this.#name)
    this.#queue(async () => {
      if (this.#isThere) await call(dropDraft, this.#address, { pass: 'all' })
      this.#isThere = false
    })
  }

  #stop(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers = []
  }

  #keepHere(): void {
    if (!this.#draft || !this.#isOwn) return
    try {
      localStorage.setItem(this.#name, JSON.stringify(partOf(this.#draft, this.#place, isOpen)))
    } catch {
      // No room, or forbidden: the server still keeps it.
    }
  }

  #keepThere(): void {
    this.#stop()
    const draft = this.#draft
    if (!draft) return
    this.#queue(async () => {
      // While the window waits for its person nothing is sent; somebody else never has it.
      if (draft !== this.#draft || !this.#isOwn || session.isHeld() || this.#isAlone) return
      const { key, values, base } = partOf(draft, this.#place, isNoSecret)
      await call(keepDraft, { ...this.#address, key, values, base }, { pass: 'all' })
      this.#isThere = true
    })
  }

  #queue(work: () => Promise<void>): void {
    this.#line = this.#line.then(work).catch(() => undefined)
  }
}
