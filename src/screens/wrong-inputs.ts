import { ApiError } from '../platform/http/browser/http.ts'

/** What a refusal says of single inputs, by their names; nothing where it is about something else. */
export function wrongInputs(error: unknown): Readonly<Record<string, string>> {
  const found =
    error instanceof ApiError && Array.isArray(error.data) ? (error.data as { field: string; msg: string }[]) : []
  return Object.fromEntries(found.filter(one => one.field && one.msg).map(one => [one.field, one.msg]))
}
