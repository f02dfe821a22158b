import { ServerUnreachable } from './errors.ts'

/** What a PowerJob server answers. */
export interface Answer {
  success: boolean
  data: unknown
  message: string
  /** Of version 5; null where there is none. */
  code: string | null
}

/** Digits that a number of JavaScript certainly holds. */
const safeDigits = 15

/**
 * JSON with long whole numbers as text: ids of runs have 19 digits, of which a number keeps 16. Fractions, and digits within
 * texts, stay as they are.
 */
export const quoteLongNumbers = (json: string): string =>
  json.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, part =>
    /^-?\d+$/.test(part) && part.replace('-', '').length > safeDigits ? `"${part}"` : part,
  )

/** Reads an answer; null for what is no answer of PowerJob. */
export function readAnswer(text: string): Answer | null {
  let read: unknown
  try {
    read = JSON.parse(quoteLongNumbers(text))
  } catch {
    return null
  }
  if (typeof read !== 'object' || read === null || !('success' in read) || typeof read.success !== 'boolean')
    return null
  const { success, data, message, code } = read as Record<string, unknown> & { success: boolean }
  const isCode = typeof code === 'string' || typeof code === 'number'
  return { success, data, message: typeof message === 'string' ? message : '', code: isCode ? String(code) : null }
}

/** Values by their name; empty for anything but an object. */
export const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

/** A list of objects. @throws ServerUnreachable for anything else: whoever answers so is no PowerJob server */
export function listOf(value: unknown): Readonly<Record<string, unknown>>[] {
  if (value === null) return []
  if (!Array.isArray(value)) throw new ServerUnreachable('the answer has no list')
  return value.map(objectOf)
}

/** An id as text. @throws ServerUnreachable for anything else */
export function idOf(value: unknown): string {
  const text = String(value ?? '')
  if (!/^\d{1,20}$/.test(text)) throw new ServerUnreachable('the answer has no id')
  return text
}
