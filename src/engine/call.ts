/** A call of a resource, read from its short form `METHOD path?param,param=value`. */
export interface Call {
  readonly method: 'GET' | 'POST'
  /** Last part of the address, below the path of the resource. */
  readonly path: string
  /** Names of the parameters it takes in the query, `id` and `ids` among them. */
  readonly params: readonly string[]
  /** Parameters whose value is part of the definition, `status=2`. */
  readonly fixed?: Readonly<Record<string, string>>
}

/** The short form of a call: `POST releaseExam?id`, `GET page`. */
export type CallText = `${'GET' | 'POST'} ${string}`

/** Reads the short form of a call. The form itself is held by its type; `check()` reports what types cannot see. */
export function readCall(text: CallText): Call {
  const [method, address = ''] = text.split(' ') as ['GET' | 'POST', string?]
  const [path = '', query = ''] = address.split('?')
  const given = query ? query.split(',') : []
  const fixed = given.filter(one => one.includes('=')).map(one => one.split('=') as [string, string])
  const params = given.filter(one => !one.includes('='))
  return { method, path, params, ...(fixed.length > 0 && { fixed: Object.fromEntries(fixed) }) }
}

/** Whether a parameter of a call names the rows it is for: `id`, `ids` or `userIds`. */
export const namesRows = (param: string): boolean => /^(id|ids|userIds)$/.test(param)
