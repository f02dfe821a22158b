import { useCallback, useSyncExternalStore } from 'react'
import { call } from '../platform/http/browser/call.ts'
import { session } from '../platform/http/browser/session.ts'
import { changePreferences, preferences } from './contract.ts'

/** What is kept under one name: parts that change apart from each other. */
type Value = Readonly<Record<string, unknown>>
type Values = Readonly<Record<string, Value>>

/** What this device knows of a person's settings. */
interface Kept {
  /** As the person sees them, for the first picture before the server has answered. */
  readonly values: Values
  /** Parts that the server has not taken yet; null where one was taken away. */
  readonly unsent: Values
}

const NAME = 'juxian-preferences-'
/** Milliseconds after a change until it is written: who tries several columns is done by then. */
const PAUSE = 1000
/** Milliseconds until what the server did not take is sent again. */
const AGAIN = 30_000
/** Most changes that one call takes. */
const MOST = 100

const NOTHING: Kept = { values: {}, unsent: {} }
const NO_VALUE: Value = {}

const owner = (): string => session.get()?.user_id ?? ''

const listeners = new Set<() => void>()
let cached: { owner: string; raw: string | null; kept: Kept } | undefined

/** As this device has it now: another window of the same person may have written it. */
function read(): Kept {
  const who = owner()
  const raw = localStorage.getItem(NAME + who)
  if (cached?.owner === who && cached.raw === raw) return cached.kept
  let kept = NOTHING
  try {
    kept = { ...NOTHING, ...(JSON.parse(raw ?? '{}') as Partial<Kept>) }
  } catch {
    // What cannot be read is asked for again.
  }
  cached = { owner: who, raw, kept }
  return kept
}

function write(kept: Kept): void {
  localStorage.setItem(NAME + owner(), JSON.stringify(kept))
  for (const listener of listeners) listener()
}

/** Parts put in the place of those that were there; those that are null are gone. */
const joined = (value: Value | undefined, part: Value): Value =>
  Object.fromEntries(Object.entries({ ...value, ...part }).filter(([, one]) => one !== null))

const withPart = ({ values, unsent }: Kept, name: string, part: Value): Kept => ({
  values: { ...values, [name]: joined(values[name], part) },
  unsent: { ...unsent, [name]: { ...unsent[name], ...part } },
})

/** What is left to be sent when the server has taken what was sent: a part that changed meanwhile is. */
function without(unsent: Values, sent: Values): Values {
  const isTaken = (name: string, key: string, one: unknown): boolean =>
    key in (sent[name] ?? {}) && JSON.stringify(sent[name]?.[key]) === JSON.stringify(one)
  const left = Object.entries(unsent).map(
    ([name, part]) =>
      [name, Object.fromEntries(Object.entries(part).filter(([key, one]) => !isTaken(name, key, one)))] as const,
  )
  return Object.fromEntries(left.filter(([, part]) => Object.keys(part).length > 0))
}

let timer: ReturnType<typeof setTimeout> | undefined

function later(time: number): void {
  clearTimeout(timer)
  timer = setTimeout(() => void send(), time)
}

async function send(): Promise<void> {
  const who = owner()
  const sent = Object.fromEntries(Object.entries(read().unsent).slice(0, MOST))
  const changes = Object.entries(sent).map(([name, value]) => ({ name, value }))
  if (changes.length === 0) return
  try {
    await call(changePreferences, { changes }, { pass: 'all' })
  } catch {
    // It stays on this device, and is as good here as it was.
    later(AGAIN)
    return
  }
  if (owner() !== who) return
  const now = read()
  const left = { ...now, unsent: without(now.unsent, sent) }
  write(left)
  if (Object.keys(left.unsent).length > 0) later(PAUSE)
}

/** Parts that have changed since the settings were asked for: an answer on its way does not know them. */
let meanwhile: Values | undefined

/** Asks for what the person has chosen, on whichever device. */
export async function loadPreferences(): Promise<void> {
  const who = owner()
  meanwhile = {}
  const answer = await call(preferences, {}, { pass: 'all' }).catch(() => undefined)
  if (!Array.isArray(answer) || owner() !== who) return
  const atServer = Object.fromEntries(answer.map(({ name, value }) => [name, value]))
  const { unsent } = read()
  const values = { ...atServer }
  for (const [name, part] of Object.entries(meanwhile ?? {})) values[name] = joined(values[name], part)
  meanwhile = undefined
  let kept: Kept = { values, unsent: {} }
  for (const [name, part] of Object.entries(unsent)) kept = withPart(kept, name, part)
  // Seldom now: only devices that were in use before settings were kept at the server have any.
  if (Object.keys(localStorage).some(key => /^juxian-(table-|folded)/.test(key)))
    for (const [name, part] of (await import('./device-settings.ts')).takeSettings(who, name => name in atServer))
      kept = withPart(kept, name, part)
  write(kept)
  if (Object.keys(kept.unsent).length > 0) later(0)
}

addEventListener('storage', ({ key }) => {
  if (key === NAME + owner()) for (const listener of listeners) listener()
})

// A window that is left may not come back.
addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden' && session.get()) void send()
})

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Changes parts of what the person has chosen under a name; undefined takes a part away. */
export function changePreference(name: string, part: Value): void {
  const given = Object.fromEntries(Object.entries(part).map(([key, one]) => [key, one === undefined ? null : one]))
  if (meanwhile) meanwhile = { ...meanwhile, [name]: { ...meanwhile[name], ...given } }
  write(withPart(read(), name, given))
  later(PAUSE)
}

/** What the person has chosen under a name, as it is now. */
export const preference = <T extends object>(name: string): Partial<T> =>
  (read().values[name] ?? NO_VALUE) as Partial<T>

/**
 * What the person has chosen under a name, the same on every device, and how to change parts of it. Each part is kept by itself, so
 * that windows that are open at once do not undo each other's changes.
 * @param name of letters, digits, `.`, `_` and `-`
 */
export function usePreference<T extends object>(
  name: string,
): readonly [Partial<T>, (part: { readonly [K in keyof T]?: T[K] | undefined }) => void] {
  const value = useSyncExternalStore(subscribe, () => read().values[name] ?? NO_VALUE)
  const change = useCallback((part: object) => changePreference(name, part as Value), [name])
  return [value as Partial<T>, change]
}
