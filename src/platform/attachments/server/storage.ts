import type { Transaction } from 'kysely'
import { OssVendor } from '#schemas/dictionaries'
import { wrongInput } from '../../../crud/input.ts'
import type { ActionContext, Handler, Hooks, Values } from '../../../crud/rule-types.ts'
import { scoped } from '../../../crud/scope.ts'
import { isSame } from '../../../engine/blank.ts'
import { newKey, type Storage, StorageError } from '../../channels/storage/index.ts'
import { unusable } from '../../channels/storage/stores.ts'
import type { Database } from '../../database/database.ts'
import { mayStoreAt } from '../../files/storage.ts'
import { refuse } from '../../http/server/refusal.ts'
import { channelHooks, enableChannel } from '../../settings/server/keys.ts'

const shared = channelHooks('oss')

/** Whether files lie in a storage: where they lie must then stay what it is. */
async function holdsFiles(trx: Transaction<Database>, ossId: string): Promise<boolean> {
  const found = trx.selectFrom('attach').select('id').where('name', 'like', `oss-${ossId}/%`).limit(1)
  return (await found.executeTakeFirst()) !== undefined
}

const changes = (values: Values, before: Values, name: string): boolean =>
  values[name] !== undefined && !isSame(values[name], before[name])

/** Rules of storages: only hosts an administrator allows, and no file loses its place. */
export const storageHooks: Hooks = {
  ...shared,
  async beforeSubmit(ctx, values, before) {
    const kept = (await shared.beforeSubmit?.(ctx, values, before)) ?? values
    const { category, endpoint } = { ...before, ...kept }
    if (category !== OssVendor.local && !(await mayStoreAt(ctx.trx, String(endpoint ?? ''))))
      throw wrongInput([{ field: 'endpoint', msg: '资源地址的主机不在系统参数 oss.hosts 允许的范围内' }])
    const moves = before && ['category', 'bucketName'].some(name => changes(kept, before, name))
    if (moves && (await holdsFiles(ctx.trx, String(before.id))))
      throw wrongInput([{ field: 'bucketName', msg: '该存储中已有文件，不能更换分类和空间' }])
    return kept
  },
  async beforeRemove(ctx, rows) {
    await shared.beforeRemove?.(ctx, rows)
    for (const row of rows) if (await holdsFiles(ctx.trx, String(row.id))) throw refuse(29003)
  },
}

async function roundTrip(storage: Storage, bytes: Buffer): Promise<void> {
  const key = newKey('txt')
  await storage.put(key, bytes)
  const back = await storage.get(key)
  await storage.remove(key)
  if (!back.equals(bytes)) throw new StorageError('读回的内容与写入的不一致')
}

/**
 * Writes a text into a storage, reads it back and removes it.
 * @returns milliseconds it took
 * @throws 29001, and 28010 with the reason
 */
async function tryStorage({ app, person, ids }: ActionContext, text: string): Promise<number> {
  const row = await scoped(app, person, 'oss').select('id').where('id', '=', String(ids[0])).executeTakeFirst()
  if (!row) throw refuse(29001)
  const before = performance.now()
  try {
    await roundTrip(await app.storage.store(row.id), Buffer.from(text))
  } catch (error) {
    throw error instanceof StorageError ? unusable(error.message) : error
  }
  return Math.round(performance.now() - before)
}

/** Puts a storage into use that has just kept a file: no upload is the first to find that it does not work. @throws 28010 */
export const enableStorage: Handler = async ctx => {
  await tryStorage(ctx, 'Juxian')
  return enableChannel('oss')(ctx)
}

/** Says whether a storage works, and how long a file takes. @throws 28010 with what the storage says */
export const probeStorage: Handler = async ctx => ({
  message: `读写正常，用时 ${await tryStorage(ctx, String(ctx.values.text ?? ''))} 毫秒`,
})
