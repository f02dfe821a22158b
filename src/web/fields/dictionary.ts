import { dictionaries } from 'virtual:dictionaries'
import { useQuery } from '@tanstack/react-query'
import type { Dictionary } from '#engine'
import { call } from '../http.ts'
import { t } from '../i18n.ts'

/** One key of a dictionary with its word, in Chinese as the server sends it. */
export interface Entry {
  readonly key: string
  readonly word: string
  /** No longer offered, but old rows still show the word. */
  readonly sealed: boolean
}

interface Row {
  dictKey: string | number
  dictValue: string
  isSealed?: number
}

/** Milliseconds after which a dictionary is asked for again: the time in which a sealed entry disappears from selects. */
const FRESH = 10_000

const defined: ReadonlyMap<string, Dictionary> = new Map(dictionaries.map(one => [one.code, one]))

/** Words a dictionary starts with, known before the server has answered. */
function firstEntries(code: string): Entry[] {
  return Object.entries(defined.get(code)?.entries ?? {}).map(([key, word]) => ({ key, word, sealed: false }))
}

async function load(code: string, signal: AbortSignal): Promise<Entry[]> {
  const path = defined.get(code)?.biz ? '/blade-system/dict-biz/dictionary' : '/blade-system/dict/dictionary'
  const rows = await call<Row[]>('GET', path, { params: { code, all: 1 }, signal, pass: 'all' })
  return rows.map(row => ({ key: String(row.dictKey), word: row.dictValue, sealed: row.isSealed === 1 }))
}

/** The first word of a key, whatever a tenant calls it today: colours are chosen by it. */
export function firstWord(code: string, key: string): string | undefined {
  return (defined.get(code)?.entries as Record<string, string> | undefined)?.[key]
}

/** The stored form of a key: whole-number dictionaries store numbers. */
export function storedKey(code: string, key: string): string | number {
  return defined.get(code)?.type === 'integer' ? Number(key) : key
}

/** What {@link useDictionary} answers. */
export interface Words {
  readonly entries: readonly Entry[]
  /** The word of a key in the language in use; the key itself when nobody knows it. */
  readonly word: (key: unknown) => string
}

/** A dictionary, asked for once however many cells and inputs show it. */
export function useDictionary(code: string | undefined): Words {
  const { data } = useQuery({
    queryKey: ['dictionary', code],
    queryFn: ({ signal }) => load(code as string, signal),
    enabled: code !== undefined && code !== 'region',
    staleTime: FRESH,
    retry: false,
    placeholderData: () => firstEntries(code as string),
  })
  // A refused or unreachable dictionary still translates with the words it was defined with.
  const entries = data ?? (code ? firstEntries(code) : [])
  const word = (key: unknown): string => {
    const found = entries.find(entry => entry.key === String(key))
    return found ? t(found.word) : String(key ?? '')
  }
  return { entries, word }
}
