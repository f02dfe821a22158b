import axios, { type InternalAxiosRequestConfig } from 'axios'

/** A call as the server sees it: method, path, query and body. */
export interface Seen {
  method: string
  path: string
  query: Record<string, unknown>
  body: unknown
}

/** What the server says: data, or a refusal. */
export type Said = { data: unknown } | { code: number; msg: string; data?: unknown }

/** The other end of every call, and what came over. A test gives `answer`. */
export const wire = {
  seen: [] as Seen[],
  /** The Idempotency-Key of each call in `seen`, empty for those without. */
  keys: [] as string[],
  answer: (_seen: Seen): Said => ({ data: [] }),
  /** Paths with their query, in the order of the calls. */
  paths: (): string[] => wire.seen.map(({ path, query }) => `${path}?${new URLSearchParams(query as never)}`),
}

/** What was sent: a form with files as it is, a plain form and JSON as the values in them. */
function bodyOf({ data, headers }: InternalAxiosRequestConfig): unknown {
  if (data instanceof FormData) return data
  if (String(headers?.get('content-type')).includes('urlencoded')) return Object.fromEntries(new URLSearchParams(data))
  return data && JSON.parse(String(data))
}

/** Puts the wire under every call. Must run before the first module that makes calls is loaded. */
export function connect(): void {
  axios.defaults.adapter = async (config: InternalAxiosRequestConfig) => {
    const { method = 'get', url = '', params = {} } = config
    const seen = {
      method: method.toUpperCase(),
      path: url,
      query: params as Record<string, unknown>,
      body: bodyOf(config),
    }
    wire.seen.push(seen)
    wire.keys.push(String(config.headers?.get('Idempotency-Key') ?? ''))
    const said = wire.answer(seen)
    const body = 'code' in said ? { success: false, ...said } : { code: 200, success: true, msg: '操作成功', ...said }
    return { data: body, status: 'code' in said ? 400 : 200, statusText: '', headers: {}, config }
  }
}
