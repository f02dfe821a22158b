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
import { call } from '../../platform/http/browser/http.ts'
import { type AnyResource, addressOf, callAny, isPage, type Sent } from './any-resource.ts'
import { takeEarlyAnswer } from './early-answers.ts'
import { filtersToQuery, pageToQuery, sortersToQuery } from './query.ts'

type Params = Record<string, unknown>

/** Rows as Refine knows them. */
export function received<T extends BaseRecord>(answer: Sent): GetListResponse<T> {
  const [rows, total] = isPage(answer) ? [answer.records, Number(answer.total)] : [answer, answer.length]
  return { data: rows as readonly BaseRecord[] as T[], total }
}

/** Where the resources are; loaded only when one is asked for, so that candidates never carry the console's. */
async function find(name: string): Promise<AnyResource> {
  const { catalogue } = await import('virtual:catalogue')
  const target = catalogue.find(resource => resource.name === name)
  if (!target) throw new Error(`No resource is called "${name}"`)
  return target
}

async function submit(resource: AnyResource, values: BaseRecord, meta?: Params): Promise<BaseRecord> {
  const answer = await callAny(resource, 'submit', { data: values, key: meta?.key as string | undefined })
  // A Blade server answers a submit without the row: what was sent is what is known.
  return { ...values, ...answer }
}

async function remove(name: string, ids: readonly unknown[]): Promise<void> {
  const resource = await find(name)
  await callAny(resource, 'remove', { params: { [addressOf(resource, 'remove').key]: ids.join(',') } })
}

async function getList<T extends BaseRecord>(asked: GetListParams): Promise<GetListResponse<T>> {
  const resource = await find(asked.resource)
  const params = {
    ...filtersToQuery(asked.filters),
    ...sortersToQuery(asked.sorters),
    ...pageToQuery(asked.pagination),
    ...(asked.meta?.params as Params),
  }
  return received((await takeEarlyAnswer(resource, params)) ?? (await callAny(resource, 'list', { params })))
}

async function getOne<T extends BaseRecord>(asked: GetOneParams): Promise<GetOneResponse<T>> {
  const resource = await find(asked.resource)
  const params = { [addressOf(resource, 'detail').key]: asked.id, ...(asked.meta?.params as Params) }
  return { data: (await callAny(resource, 'detail', { params })) as BaseRecord as T }
}

async function create<T extends BaseRecord, V>({
  resource,
  variables,
  meta,
}: CreateParams<V>): Promise<CreateResponse<T>> {
  return { data: (await submit(await find(resource), variables as BaseRecord, meta)) as T }
}

async function update<T extends BaseRecord, V>(asked: UpdateParams<V>): Promise<UpdateResponse<T>> {
  const resource = await find(asked.resource)
  const values = { ...asked.variables, [addressOf(resource, 'detail').key]: asked.id }
  return { data: (await submit(resource, values, asked.meta)) as T }
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
