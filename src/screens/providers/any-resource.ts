import { type CallText, readCall } from '#engine'
import { type CallOptions, call } from '../../platform/http/browser/http.ts'
import type { WireRow } from '../fields/props.ts'

/** What is known of any resource: where it is, and which of its calls differ from the usual. */
export interface AnyResource {
  readonly path: string
  readonly calls: Readonly<Record<'list' | 'detail' | 'submit' | 'remove', CallText>>
}

interface Page {
  readonly records: readonly WireRow[]
  readonly total: number
}

/** Rows as the server sends them: a page of them, or all at once. */
export type Sent = Page | readonly WireRow[]

/** Whether rows are a page of more. */
export const isPage = (sent: Sent): sent is Page => !Array.isArray(sent)

/** A row as a choice of a reference. */
export type ChoiceRow = WireRow & { readonly id: string; readonly label: string }

/** What generated calls answer where no more is known of a row than that it has fields. */
interface Answers {
  list: Sent
  detail: WireRow
  /** Other Blade servers than ours answer the row. */
  submit: WireRow | null
  remove: unknown
  select: readonly ChoiceRow[]
}

/** Method, address and first parameter of a generated call. */
export function addressOf({ path, calls }: AnyResource, name: keyof Answers) {
  const { method, path: end, params } = readCall(name === 'select' ? 'GET select' : calls[name])
  return { method, path: `${path}/${end}`, key: params[0] ?? (name === 'remove' ? 'ids' : 'id') }
}

/**
 * Makes a generated call of a resource of which no more than its definition is known, for what shows every resource: rows come as
 * values under names, to be read by the fields of the definition. Whoever knows the resource writes `callOf`.
 * @throws as `call`
 */
export function callAny<K extends keyof Answers>(
  resource: AnyResource,
  name: K,
  options: CallOptions,
): Promise<Answers[K]> {
  const { method, path } = addressOf(resource, name)
  return call<Answers[K]>(method, path, options)
}
