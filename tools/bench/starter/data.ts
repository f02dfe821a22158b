import type { BaseRecord, DataProvider } from '@refinedev/core'

/** Where the token is kept. */
export const KEY = 'refine-auth'

const PATHS: Record<string, string> = { signups: 'blade-signup/signup', posts: 'blade-system/post' }

/** One call of our server. @throws with the server's words */
export async function ask<T>(path: string, method = 'GET'): Promise<T> {
  const token = localStorage.getItem(KEY)
  const headers = {
    Authorization: `Basic ${btoa('juxian-web:')}`,
    'Blade-Requested-With': 'BladeHttpRequest',
    ...(token && { 'Blade-Auth': `bearer ${token}` }),
  }
  const answer = await fetch(`/api/${path}`, { method, headers })
  const { code, data, msg } = (await answer.json()) as { code: number; data: T; msg: string }
  if (code !== 200) throw Object.assign(new Error(msg), { statusCode: code })
  return data
}

/** Reads our server's lists and rows. */
export const dataProvider: DataProvider = {
  getApiUrl: () => '/api',
  getList: async <T extends BaseRecord>({ resource, pagination }: { resource: string; pagination?: object }) => {
    const { currentPage = 1, pageSize = 10 } = (pagination ?? {}) as { currentPage?: number; pageSize?: number }
    const path = `${PATHS[resource]}/page?current=${currentPage}&size=${pageSize}`
    const { records, total } = await ask<{ records: T[]; total: number }>(path)
    return { data: records, total: Number(total) }
  },
  getOne: async <T extends BaseRecord>({ resource, id }: { resource: string; id: string | number }) => ({
    data: await ask<T>(`${PATHS[resource]}/detail?id=${id}`),
  }),
  deleteOne: async <T extends BaseRecord>({ resource, id }: { resource: string; id: string | number }) => {
    await ask(`${PATHS[resource]}/remove?ids=${id}`, 'POST')
    return { data: { id } as unknown as T }
  },
  create: () => Promise.reject(new Error('Rows are made elsewhere.')),
  update: () => Promise.reject(new Error('Rows are changed elsewhere.')),
}
