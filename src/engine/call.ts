/** A call of a resource, read from its short form `METHOD path?param,param`. */
export interface Call {
  readonly method: 'GET' | 'POST'
  /** Last part of the address, below the path of the resource. */
  readonly path: string
  /** Names of the parameters it takes in the query, `id` and `ids` among them. */
  readonly params: readonly string[]
}

/** The short form of a call: `POST releaseExam?id`, `GET page`. */
export type CallText = `${'GET' | 'POST'} ${string}`

/** Reads the short form of a call. The form itself is held by its type; `check()` reports what types cannot see. */
export function readCall(text: CallText): Call {
  const [method, address = ''] = text.split(' ') as ['GET' | 'POST', string?]
  const [path = '', query = ''] = address.split('?')
  return { method, path, params: query ? query.split(',') : [] }
}
