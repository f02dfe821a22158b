import { useSyncExternalStore } from 'react'
import { traffic } from '../../platform/http/browser/http.ts'
import { t } from '../../platform/i18n/i18n.ts'
import type { LogEntry } from '../contract.ts'
import { isLoadFailure } from './lazy-page.ts'

const NAME = 'juxian-logs'
/** Entries kept; older ones give way. */
const KEPT = 100

const listeners = new Set<() => void>()
let entries: readonly LogEntry[] | undefined

function read(): readonly LogEntry[] {
  try {
    entries ??= JSON.parse(localStorage.getItem(NAME) ?? '[]') as LogEntry[]
  } catch {
    entries = []
  }
  return entries
}

function write(next: readonly LogEntry[]): void {
  entries = next
  localStorage.setItem(NAME, JSON.stringify(next))
  for (const listener of listeners) listener()
}

function now(): string {
  const date = new Date()
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19).replace('T', ' ')
}

/** Keeps an error nobody handled, or a call that failed, in the local log; `info` says where it came from. */
export function record(error: unknown, info = ''): void {
  const known = error instanceof Error ? error : new Error(String(error))
  const entry: LogEntry = {
    url: location.href,
    time: now(),
    type: 'error',
    // A failed call is named, for "Network Error" alone tells nobody what did not work.
    message: /^(GET|POST) /.test(info) ? `${info}: ${known.message}` : known.message,
    stack: known.stack ?? '',
    info,
  }
  write([entry, ...read()].slice(0, KEPT))
}

/** Bytes that one upload may have. */
const ROOM = 190_000
/** Characters of a stack that are sent, the fewer the more entries there are. */
const LENGTHS = [8000, 2000, 800, 300]

/** A text as the server takes it: a cut may leave half of a character, and what failed may have held anything. */
const sendable = (text: string, length: number): string => text.slice(0, length).replaceAll('\0', '').toWellFormed()

/** The entries as they fit into one upload: all of them, with stacks cut where they are too long together. */
export function fitting(log: readonly LogEntry[]): LogEntry[] {
  const cut = (length: number): LogEntry[] =>
    log.map(one => ({
      ...one,
      message: sendable(one.message, length),
      stack: sendable(one.stack, length),
      info: sendable(one.info, length),
      url: sendable(one.url, length),
    }))
  const sizes = LENGTHS.map(cut)
  return sizes.find(some => new Blob([JSON.stringify(some)]).size <= ROOM) ?? cut(100)
}

/** Empties the local log. */
export function clearLog(): void {
  write([])
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The local log, newest first. */
export function useErrorLog(): readonly LogEntry[] {
  return useSyncExternalStore(subscribe, read)
}

/** Refusals and unreachable servers are answers, not errors of the application. */
function isAnswer(reason: unknown): boolean {
  return reason instanceof Error && ['ApiError', 'AxiosError', 'CanceledError'].includes(reason.name)
}

/** Whoever pressed a button whose part could not be loaded is told: nothing else would happen. */
function tellLoadFailure(reason: unknown): void {
  if (isLoadFailure(reason)) traffic.refused(t('没有加载成功，请检查网络后重试或刷新页面'))
}

/** Listens for errors nobody handles. */
export function watchErrors(): void {
  addEventListener('error', event => event.error && record(event.error, 'window'))
  addEventListener('unhandledrejection', event => {
    if (isAnswer(event.reason)) return event.preventDefault()
    record(event.reason, 'promise')
    tellLoadFailure(event.reason)
  })
}
