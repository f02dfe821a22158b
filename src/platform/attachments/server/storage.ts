import { oss } from '#resources/resource/oss'
import { OssVendor } from '#schemas/dictionaries'
import type { Oss } from '#schemas/resource/oss'
import { wrongInput } from '../../../crud/input.ts'
import { type ActionContext, type Handler, type HandlerOf, type Hooks, on } from '../../../crud/rules.ts'
import { scoped } from '../../../crud/scope.ts'
import { makeTransition } from '../../../crud/transition.ts'
import { isSame } from '../../../engine/blank.ts'
import { newKey, type Storage, StorageError } from '../../channels/storage/index.ts'
import { unusable } from '../../channels/storage/stores.ts'
import type { Trx } from '../../database/database.ts'
import { mayStoreAt } from '../../files/storage.ts'
import { refuse } from '../../http/server/refusal.ts'
import { accessKeys, disableOthers, sealedKeys } from '../../settings/server/keys.ts'

/** Whether a storage holds files: its place must then stay what it is. */
async function holdsFiles(trx: Trx, ossId: string): Promise<boolean> {
  const found = trx.selectFrom('attach').select('id').where('name', 'like', `oss-${ossId}/%`).limit(1)
  return (await found.executeTakeFirst()) !== undefined
}

/** Rules of storages: only hosts an administrator allows, and no file loses its place. */
export const storageHooks: Hooks<typeof Oss> = {
  async beforeSubmit({ trx, app, set }, given, before) {
    const { accessKey, secretKey } = sealedKeys(app.vault, given, accessKeys)
    if (accessKey) set({ accessKey })
    if (secretKey) set({ secretKey })
    const { category, endpoint } = { ...before, ...given }
    if (category !== OssVendor.local && !(await mayStoreAt(trx, endpoint ?? '')))
      throw wrongInput([{ field: 'endpoint', msg: '资源地址的主机不在系统参数 oss.hosts 允许的范围内' }])
    const moves =
      before && (['category', 'bucketName'] as const).some(name => name in given && !isSame(given[name], before[name]))
    if (moves && (await holdsFiles(trx, before.id)))
      throw wrongInput([{ field: 'bucketName', msg: '该存储中已有文件，不能更换分类和空间' }])
  },
  async beforeRemove({ trx }, rows) {
    for (const row of rows) if (await holdsFiles(trx, row.id)) throw refuse('row.inUse')
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
 * @throws row.notFound, and file.storageUnavailable with the reason
 */
async function tryStorage(
  { app, person, id }: Pick<ActionContext, 'app' | 'person' | 'id'>,
  text: string,
): Promise<number> {
  const row = await scoped(app, person, 'oss').select('id').where('id', '=', id).executeTakeFirst()
  if (!row) throw refuse('row.notFound')
  const before = performance.now()
  try {
    await roundTrip(await app.storage.store(row.id), Buffer.from(text))
  } catch (error) {
    throw error instanceof StorageError ? unusable(error.message) : error
  }
  return Math.round(performance.now() - before)
}

/**
 * Puts a storage into use that has just kept a file: no upload is the first to find that it does not work.
 * @throws file.storageUnavailable
 */
export const enableStorage: Handler = async ctx => {
  await tryStorage(ctx, 'Juxian')
  const { app, person: caller, now, id } = ctx
  await ctx.db.transaction().execute(trx => makeTransition({ app, trx, caller, now }, oss, 'putIntoUse', [id]))
}

/** The storage that is put into use is the only one. */
export const storageRules = [
  on(oss, 'putIntoUse', async ({ db, caller, rows }) => {
    for (const { id } of rows) await disableOthers(db, 'oss', caller, id)
  }),
]

/**
 * Says whether a storage works, and how long a file takes.
 * @throws file.storageUnavailable with what the storage says
 */
export const probeStorage: HandlerOf<typeof oss, 'probe'> = async ctx => ({
  message: `读写正常，用时 ${await tryStorage(ctx, ctx.values.text ?? '')} 毫秒`,
})
