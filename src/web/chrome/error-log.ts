import { useSyncExternalStore } from 'react'

/** An error of the browser, as it is kept, shown and sent. */
export interface LogEntry {
  url: string
  /** `yyyy-MM-dd HH:mm:ss`, the device's clock. */
  time: string
  type: 'error'
  message: string
  stack: string
  info: string
}

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

/** Keeps an unhandled error in the local log. */
export function record(error: unknown, info = ''): void {
  const known = error instanceof Error ? error : new Error(String(error))
  const entry: LogEntry = {
    url: location.href,
    time: now(),
    type: 'error',
    message: known.message,
    stack: known.stack ?? '',
    info,
  }
  write([entry, ...read()].slice(0, KEPT))
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

/** Listens for errors nobody handles. */
export function watchErrors(): void {
  addEventListener('error', event => event.error && record(event.error, 'window'))
  addEventListener('unhandledrejection', event => {
    if (isAnswer(event.reason)) event.preventDefault()
    else record(event.reason, 'promise')
  })
}
