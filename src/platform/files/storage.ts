import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { EnableStatus } from '#schemas/dictionaries'
import { isAllowedHost } from '../channels/outside/allowed-host.ts'
import { type Storage, StorageError } from '../channels/storage/index.ts'
import { localStorage } from '../channels/storage/local.ts'
import { type Bucket, s3Storage } from '../channels/storage/s3.ts'
import { openStores, type Settings, type Stores } from '../channels/storage/stores.ts'
import type { Reader } from '../database/database.ts'
import { readPlatformParam } from '../database/param.ts'
import { liveIn } from '../http/server/live.ts'
import { heldBack } from './file-hold.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Keeps the bytes of uploaded files. */
    storage: Stores
  }
}

/** Keys of dictionary `oss`: providers that want the bucket before the host, and the folder of this server. */
const [aliyun, tencent, local] = [3, 4, 5] as const

/** The settings behind an id: files name it and no tenant. */
const rowOf = (db: FastifyInstance['db'], id: string) =>
  db.selectFrom('oss').selectAll().where('id', '=', id).where('isDeleted', '=', 0).executeTakeFirst()

type OssRow = NonNullable<Awaited<ReturnType<typeof rowOf>>>

function bucketOf({ vault }: Pick<FastifyInstance, 'vault'>, row: OssRow): Bucket {
  const { category, endpoint, bucketName, accessKey, secretKey, appId } = row
  if (!endpoint || !bucketName || !accessKey || !secretKey) throw new StorageError('对象存储配置不完整')
  // A bucket's whole name at Tencent ends with the number of its owner.
  const bucket =
    category === tencent && appId && !bucketName.endsWith(`-${appId}`) ? `${bucketName}-${appId}` : bucketName
  return {
    endpoint,
    bucket,
    accessKey: vault.open(accessKey),
    secretKey: vault.open(secretKey),
    region: row.region || 'us-east-1',
    style: category === aliyun || category === tencent ? 'host' : 'path',
  }
}

/**
 * True for the address of a server alone, whose host the installation's parameter `oss.hosts` names. Asked at each use: the parameter
 * may have changed.
 */
export async function mayStoreAt(db: Reader, address: string): Promise<boolean> {
  if (!/^https?:\/\/[^/?#@\\]+\/?$/.test(address) || !URL.canParse(address)) return false
  const { hostname, port, protocol } = new URL(address)
  const list = await readPlatformParam(db, 'oss.hosts')
  return isAllowedHost(hostname, port || (protocol === 'https:' ? '443' : '80'), list)
}

function settingsOf(app: FastifyInstance, folder: Storage): Settings {
  return {
    inUse: tenantId =>
      liveIn(app, tenantId)
        .selectFrom('oss')
        .select(['id', 'ossCode'])
        .where('ossStatus', '=', EnableStatus.enabled)
        .where('category', '<>', local)
        .executeTakeFirst(),
    async open(ossId) {
      const row = await rowOf(app.db, ossId)
      if (!row) throw new StorageError('对象存储配置不存在')
      if (row.category === local) return folder
      if (!(await mayStoreAt(app.db, row.endpoint ?? '')))
        throw new StorageError('资源地址的主机不在系统参数 oss.hosts 允许的范围内')
      return s3Storage(bucketOf(app, row))
    },
  }
}

/** Decorates the app with the storages of its files: a folder of the data folder, and what the settings of tenants name. */
export default fp(
  async app => {
    const folder = localStorage(path.join(app.config.dataDir, 'files'))
    const note = (error: unknown) => app.log.error({ err: error }, 'a storage of files cannot be used')
    app.decorate('storage', heldBack(app, openStores(folder, settingsOf(app, folder), note)))
  },
  { name: 'storage', dependencies: ['clock', 'database', 'vault'] },
)
