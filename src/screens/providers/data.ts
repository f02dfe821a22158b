import type {
  BaseRecord,
  CreateParams,
  CreateResponse,
  CustomParams,
  CustomResponse,
  DataProvider,
  DeleteManyParams,
  DeleteManyResponse,
  DeleteOneParams,
  DeleteOneResponse,
  GetListParams,
  GetListResponse,
  GetOneParams,
  GetOneResponse,
  UpdateParams,
  UpdateResponse,
} from '@refinedev/core'
import { readCall } from '#engine'
import { call } from '../../platform/http/browser/http.ts'
import { takeEarlyAnswer } from './early-answers.ts'
import { filtersToQuery, pageToQuery, sortersToQuery } from './query.ts'

/** What the provider needs to know of a resource: where it is and which calls differ from the usual. */
export interface Target {
  readonly name: string
  readonly path: string
  readonly calls: Readonly<Record<'list' | 'detail' | 'submit' | 'remove', `${'GET' | 'POST'} ${string}`>>
}

type Kind = keyof Target['calls']
type Params = Record<string, unknown>

/** Rows as the server sends them: a page of them, or all at once. */
export type Sent<T> = { records: T[]; total: number } | T[]

/** Rows as Refine knows them. */
export function received<T extends BaseRecord>(answer: Sent<T>): GetListResponse<T> {
  if (Array.isArray(answer)) return { data: answer, total: answer.length }
  return { data: answer.records, total: Number(answer.total) }
}

/** Where the resources are; loaded only when one is asked for, so that candidates never carry the console's. */
async function find(name: string): Promise<Target> {
  const { catalogue } = await import('virtual:catalogue')
  const target = (catalogue as readonly Target[]).find(resource => resource.name === name)
  if (!target) throw new Error(`No resource is called "${name}"`)
  return target
}

async function addressOf(resource: string, kind: Kind) {
  const target = await find(resource)
  const { method, path, params } = readCall(target.calls[kind])
  return { method, path: `${target.path}/${path}`, key: params[0] ?? (kind === 'remove' ? 'ids' : 'id') }
}

async function submit(resource: string, values: unknown, meta?: Params): Promise<BaseRecord> {
  const { method, path } = await addressOf(resource, 'submit')
  const answer = await call<unknown>(method, path, { data: values, key: meta?.key as string | undefined })
  // A Blade server answers a submit without the row: what was sent is what is known.
  return { ...(values as BaseRecord), ...(answer as BaseRecord | null) }
}

async function remove(resource: string, ids: readonly unknown[]): Promise<void> {
  const { method, path, key } = await addressOf(resource, 'remove')
  await call(method, path, { params: { [key]: ids.join(',') } })
}

async function getList<T extends BaseRecord>(asked: GetListParams): Promise<GetListResponse<T>> {
  const { method, path } = await addressOf(asked.resource, 'list')
  const params = {
    ...filtersToQuery(asked.filters),
    ...sortersToQuery(asked.sorters),
    ...pageToQuery(asked.pagination),
    ...(asked.meta?.params as Params),
  }
  const early = await takeEarlyAnswer<Sent<T>>(path, params)
  return received(early ?? (await call<Sent<T>>(method, path, { params })))
}

async function getOne<T extends BaseRecord>({ resource, id, meta }: GetOneParams): Promise<GetOneResponse<T>> {
  const { method, path, key } = await addressOf(resource, 'detail')
  return { data: await call<T>(method, path, { params: { [key]: id, ...(meta?.params as Params) } }) }
}

async function create<T extends BaseRecord, V>({
  resource,
  variables,
  meta,
}: CreateParams<V>): Promise<CreateResponse<T>> {
  return { data: (await submit(resource, variables, meta)) as T }
}

async function update<T extends BaseRecord, V>({
  resource,
  id,
  variables,
  meta,
}: UpdateParams<V>): Promise<UpdateResponse<T>> {
  const { key } = await addressOf(resource, 'detail')
  return { data: (await submit(resource, { ...variables, [key]: id }, meta)) as T }
}

async function deleteOne<T extends BaseRecord, V>({ resource, id }: DeleteOneParams<V>): Promise<DeleteOneResponse<T>> {
  await remove(resource, [id])
  return { data: { id } as T }
}

async function deleteMany<T extends BaseRecord, V>({
  resource,
  ids,
}: DeleteManyParams<V>): Promise<DeleteManyResponse<T>> {
  await remove(resource, ids)
  return { data: ids.map(id => ({ id }) as T) }
}

async function custom<T extends BaseRecord, Q, P>(asked: CustomParams<Q, P>): Promise<CustomResponse<T>> {
  const params = { ...asked.query, ...filtersToQuery(asked.filters), ...sortersToQuery(asked.sorters) }
  const method = asked.method === 'get' ? 'GET' : 'POST'
  return { data: await call<T>(method, asked.url, { params, data: asked.payload, headers: asked.headers }) }
}

/** Refine's data calls over Blade's conventions. Refusals are shown by `http` and thrown as `ApiError`. */
export const dataProvider: DataProvider = {
  getList,
  getOne,
  create,
  update,
  deleteOne,
  deleteMany,
  custom,
  getApiUrl: () => '',
}
