import type { AnswerOf, Callable, Endpoint, ValuesOf } from '#engine'
import { type CallOptions, call as exchange } from './http.ts'

/** What files need comes with the first of them. */
const transfer = () => import('./transfer.ts')

/** What a page carries of a call: the build leaves nothing else of a contract. */
type Carried = Pick<Endpoint, 'method' | 'path' | 'query'> & Partial<Pick<Endpoint, 'upload'>>

/** What a page may say beside the values of a call. */
export interface EndpointCallOptions extends Omit<CallOptions, 'params' | 'data'> {
  /** Files of a call that takes a form, by the name of their field. */
  files?: Readonly<Record<string, Blob | readonly Blob[] | undefined>>
  /** How the values of a POST travel where other servers than ours do not look for them in JSON. */
  as?: 'address' | 'form'
}

type Values = Readonly<Record<string, unknown>>

function formOf(values: Values, files: NonNullable<EndpointCallOptions['files']>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(values))
    if (value !== undefined) form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  for (const [name, some] of Object.entries(files))
    for (const file of [some ?? []].flat() as Blob[]) form.append(name, file)
  return form
}

/** The values that are there, as texts. */
const given = (values: Values): [string, string][] =>
  Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))

/** Which values stand in the address, and what is sent: a list as it is. */
function placed({ method, query, upload }: Carried, values: Values, { files, as }: EndpointCallOptions = {}) {
  if (method === 'GET' || as === 'address') return { params: values }
  if (as === 'form') return { data: new URLSearchParams(given(values)) }
  if (Array.isArray(values)) return { data: values }
  const isInAddress = (name: string) => name in ((query ?? {}) as object)
  const entries = Object.entries(values)
  const params = Object.fromEntries(entries.filter(([name]) => isInAddress(name)))
  const sent = Object.fromEntries(entries.filter(([name]) => !isInAddress(name)))
  // A call that takes files takes its values as JSON, too, where there are none.
  const data = upload && files ? formOf(sent, files) : sent
  return Object.keys(params).length > 0 ? { params, data } : { data }
}

/** The address with the value that stands at its end as `:name`, and the values that do not. */
function addressed(path: string, values: Values): { path: string; rest: Values } {
  const [start = '', name] = path.split('/:')
  if (name === undefined) return { path, rest: values }
  const { [name]: last, ...rest } = values
  return { path: `${start}/${encodeURIComponent(String(last))}`, rest }
}

/**
 * Makes a call of a contract or of a resource and answers its data.
 * @param values what it says that it takes
 * @throws ApiError for a refusal, whose message has been shown; AxiosError when the server cannot be reached
 */
export function call<E extends Callable>(
  endpoint: E,
  values: ValuesOf<E>,
  { files, as, ...options }: EndpointCallOptions = {},
): Promise<AnswerOf<E>> {
  const timeout = files ? { timeout: 0 } : {}
  const { path, rest } = addressed(endpoint.path, values as Values)
  return exchange(endpoint.method, path, {
    ...timeout,
    ...options,
    ...placed(endpoint, rest, { files, as }),
  })
}

/** Saves the file that a call answers on the person's device, and answers its name. @throws as {@link call} */
export const saveFile = async <E extends Callable>(
  endpoint: E,
  values: ValuesOf<E>,
  options: EndpointCallOptions & { name?: string } = {},
): Promise<string> => {
  const { path, rest } = addressed(endpoint.path, values as Values)
  const { download } = await transfer()
  return download(path, { ...options, method: endpoint.method, ...placed(endpoint, rest) })
}

/** An address for the picture that a call answers. Revoke it when it is no longer shown. @throws as {@link call} */
export const pictureUrl = async <E extends Callable>(
  endpoint: E,
  values: ValuesOf<E>,
  options: EndpointCallOptions = {},
): Promise<string> => {
  const { path, rest } = addressed(endpoint.path, values as Values)
  const { imageUrl } = await transfer()
  return imageUrl(path, { ...options, ...placed(endpoint, rest) })
}
