import { type QueryClient, QueryObserver, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { call } from '../../platform/http/browser/call.ts'
import { t } from '../../platform/i18n/i18n.ts'
import { dictionary, tenantDictionary } from '../contract.ts'
import { loadPart } from '../window/lazy-page.ts'
import { firstWords, learn } from './first-words.ts'

/** One key of a dictionary with its word, in Chinese as the server sends it. */
export interface Entry {
  readonly key: string
  readonly word: string
  /** No longer offered, but old rows still show the word. */
  readonly sealed: boolean
}

/** Milliseconds after which a dictionary is asked for again: the time in which a sealed entry disappears from selects. */
const FRESH = 10_000

const first = new Map<string, Entry[]>()

/** Words a dictionary starts with, known before the server has answered; undefined as long as they are not here. The same list each time. */
function firstEntries(code: string): Entry[] | undefined {
  const made = first.get(code)
  if (made) return made
  const known = firstWords(code)
  if (!known) return undefined
  const { entries, sealed = [] } = known
  const list = Object.entries(entries).map(([key, word]) => ({ key, word, sealed: sealed.includes(key) }))
  first.set(code, list)
  return list
}

/** Fetches the words of all dictionaries for one that no definition has brought. */
async function learnAll(): Promise<void> {
  const { dictionaries } = await loadPart(() => import('virtual:dictionaries'))
  learn(dictionaries)
}

async function load(code: string, signal: AbortSignal): Promise<Entry[]> {
  if (!firstWords(code)) await learnAll()
  const asked = firstWords(code)?.biz ? tenantDictionary : dictionary
  const rows = await call(asked, { code, all: '1' }, { signal, pass: 'all' })
  return rows.map(row => ({ key: String(row.dictKey), word: row.dictValue, sealed: row.isSealed === 1 }))
}

/** The first word of a key, whatever a tenant calls it today: colours are chosen by it. */
export function firstWord(code: string, key: string): string | undefined {
  return (firstWords(code)?.entries as Record<string, string> | undefined)?.[key]
}

/** The stored form of a key: whole-number dictionaries store numbers. Entries that can be chosen are here with their type. */
export function storedKey(code: string, key: string): string | number {
  return firstWords(code)?.type === 'integer' ? Number(key) : key
}

/** What {@link useDictionary} answers. */
export interface Words {
  readonly entries: readonly Entry[]
  /** The word of a key in the language in use; the key itself when nobody knows it. */
  readonly word: (key: unknown) => string
}

/** Places are too many to be asked for as a whole. */
const isAsked = (code: string | undefined): boolean => code !== undefined && code !== 'region'

/** How a dictionary is asked for. */
const question = (code: string | undefined) => ({
  queryKey: ['dictionary', code],
  queryFn: ({ signal }: { signal: AbortSignal }) => load(code as string, signal),
  enabled: isAsked(code),
  staleTime: FRESH,
  retry: false,
  placeholderData: () => firstEntries(code as string),
})

const none: readonly Entry[] = []

/**
 * The entries of a dictionary that is refused or cannot be reached are those it was defined with.
 * @param isPending whether an answer is still to come
 * @returns undefined where nothing is known yet
 */
function entriesOf(code: string | undefined, data: readonly Entry[] | undefined, isPending: boolean) {
  const found = data ?? (code === undefined ? none : firstEntries(code))
  return found ?? (isPending && isAsked(code) ? undefined : none)
}

/** Nothing is shown of a key whose words are on their way. */
function wordOf(entries: readonly Entry[] | undefined, key: unknown): string {
  if (!entries) return ''
  const found = entries.find(entry => entry.key === String(key))
  return found ? t(found.word) : String(key ?? '')
}

/** A dictionary, asked for once however many inputs show it. */
export function useDictionary(code: string | undefined): Words {
  const { data, isPending } = useQuery(question(code))
  const entries = entriesOf(code, data, isPending)
  return { entries: entries ?? none, word: key => wordOf(entries, key) }
}

/** What stands between a dictionary and all cells that show its words. */
interface Watch {
  readonly subscribe: (changed: () => void) => () => void
  readonly entries: () => readonly Entry[] | undefined
}

const watches = new WeakMap<QueryClient, Map<string, Watch>>()

function watch(client: QueryClient, code: string): Watch {
  const observer = new QueryObserver(client, question(code))
  return {
    subscribe: changed => {
      // What nobody has watched for long may have been forgotten meanwhile.
      if (!observer.hasListeners()) observer.setOptions(observer.options)
      return observer.subscribe(changed)
    },
    entries: () => {
      const { data, isPending } = observer.getCurrentResult()
      return entriesOf(code, data, isPending)
    },
  }
}

/**
 * The words of a dictionary for cells, by key. A list has dozens of cells: all that show one dictionary share one watch,
 * for to draw one of them is little beside what a query of its own needs.
 */
export function useWords(code: string): Words['word'] {
  const client = useQueryClient()
  const known = watches.get(client) ?? new Map<string, Watch>()
  watches.set(client, known)
  const own = known.get(code) ?? watch(client, code)
  known.set(code, own)
  const entries = useSyncExternalStore(own.subscribe, own.entries)
  return key => wordOf(entries, key)
}
