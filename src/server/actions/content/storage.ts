import { newKey } from '../../channels/storage/index.ts'
import { scoped } from '../../crud/scope.ts'
import { Refusal, refuse } from '../../domain/refusal.ts'
import type { ActionContext, Handler } from '../types.ts'
import { enableChannel } from './keys.ts'

/** Key of a storage in a folder of this server. */
const local = 5

/** The settings of a call, which must be of a storage this server can use. @throws 29001, 29009 */
async function usable({ app, person, ids }: ActionContext): Promise<void> {
  const row = await scoped(app, person, 'oss').select(['category']).where('id', '=', String(ids[0])).executeTakeFirst()
  if (!row) throw refuse(29001)
  if (row.category !== local) throw new Refusal(29009, 409, '功能尚未开放')
}

/** Puts a storage into use. @throws 29009 for one that is not built in yet: files would silently stay where they are */
export const enableStorage: Handler = async ctx => {
  await usable(ctx)
  return enableChannel('oss')(ctx)
}

/** Writes a text into the storage, reads it back and removes it. @throws 29009 when what comes back is not what went in */
export const probeStorage: Handler = async ctx => {
  await usable(ctx)
  const { storage } = ctx.app
  const [key, bytes] = [newKey('txt'), Buffer.from(String(ctx.values.text ?? ''))]
  const before = performance.now()
  await storage.put(key, bytes)
  const back = await storage.get(key)
  await storage.remove(key)
  if (!back.equals(bytes)) throw refuse(29009)
  return { message: `读写正常，用时 ${Math.round(performance.now() - before)} 毫秒` }
}
