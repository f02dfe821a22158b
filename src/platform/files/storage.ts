import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { EnableStatus } from '#schemas/dictionaries'
import { isAllowedHost } from '../channels/outside/allowed-host.ts'
import { StorageError } from '../channels/storage/index.ts'
import { localMarker, localStorage } from '../channels/storage/local.ts'
import { openBucket } from '../channels/storage/own-bucket.ts'
import { type Bucket, s3Storage } from '../channels/storage/s3.ts'
import { type OwnFiles, openStores, type Settings, type Stores } from '../channels/storage/stores.ts'
import type { Config } from '../config/config.ts'
import type { Reader } from '../database/database.ts'
import { readPlatformParam } from '../database/param.ts'
import { liveIn } from '../http/server/live.ts'
import { inEnglish } from '../i18n/english.ts'
import { timedCalls } from '../metrics/meter.ts'
import { heldBack } from './file-hold.ts'
import {
  fitStore,
  folderPlace,
  isStill,
  type OwnStore,
  type Places,
  storageOf,
  storeRow,
  WrongStore,
} from './own-store.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Keeps the bytes of uploaded files. */
    storage: Stores
  }
}

/** Keys of dictionary `oss`: providers that want the bucket before the host, and the installation's own storage. */
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

function settingsOf(app: FastifyInstance, own: OwnFiles): Settings {
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
      if (row.category === local) return own.storage
      if (!(await mayStoreAt(app.db, row.endpoint ?? '')))
        throw new StorageError('资源地址的主机不在系统参数 oss.hosts 允许的范围内')
      return timedCalls(app.meter, 's3', s3Storage(bucketOf(app, row)))
    },
  }
}

/** The places in which a process could keep files, by its configuration. */
export function placesOf({ dataDir, s3 }: Pick<Config, 'dataDir' | 's3'>): Places {
  const dir = path.join(dataDir, 'files')
  return {
    folder: { place: folderPlace(dir), files: localStorage(dir), marker: localMarker(dir) },
    bucket: s3 && openBucket(s3),
  }
}

/** Removes all files of an installation that was cleared, and what says that they were here. */
export async function removeAllFiles(config: Pick<Config, 'dataDir' | 's3'>): Promise<void> {
  await rm(path.join(config.dataDir, 'files'), { recursive: true, force: true })
  const { bucket } = placesOf(config)
  if (!bucket) return
  for (const part of [bucket.files, bucket.arrivals]) for await (const { key } of part.list()) await part.remove(key)
  await bucket.marker.remove()
}

/** A bucket that cannot be used, in the words of whoever keeps the installation. */
const inWords = (error: unknown): Error =>
  error instanceof StorageError
    ? new Error(`The bucket of S3_BUCKET cannot be used: ${inEnglish(error.message)}.`, { cause: error })
    : (error as Error)

function filesIn(places: Places, mode: OwnStore['mode']): Pick<OwnFiles, 'storage' | 'bucket'> {
  const { bucket } = places
  const isUsed = bucket && mode !== 'local'
  return {
    storage: storageOf(places, mode),
    bucket: isUsed ? { arrivals: bucket.arrivals, address: mode === 's3' ? bucket.address : null } : null,
  }
}

/** @throws {WrongStore} when the files of the installation are elsewhere */
async function openOwn({ config, db, now, meter }: FastifyInstance): Promise<OwnFiles> {
  const { folder, bucket } = placesOf(config)
  const places = { folder, bucket: bucket && { ...bucket, files: timedCalls(meter, 's3', bucket.files) } }
  const find = () =>
    fitStore(db, places, now()).catch(error => {
      throw inWords(error)
    })
  if (!config.checksFiles) {
    const row = await storeRow(db)
    const mode: OwnStore['mode'] = !places.bucket ? 'local' : row?.kind === 'local' ? 'both' : 's3'
    return { ...filesIn(places, mode), isStill: async () => true, fault: async () => null }
  }
  const store = await find()
  return {
    ...filesIn(places, store.mode),
    isStill: async () => isStill(await storeRow(db), store),
    fault: async () => {
      const row = await storeRow(db)
      if (!isStill(row, store))
        return `The files of this installation are in ${row?.place} now: start this process anew.`
      return find().then(
        () => null,
        (error: unknown) => {
          // A folder or bucket that does not answer for a while is not another one.
          if (error instanceof WrongStore) return error.message
          throw error
        },
      )
    },
  }
}

/**
 * Decorates the app with the storages of its files: the installation's own, and what the settings of tenants name. The start is
 * refused where the files of the installation are not.
 */
export default fp(
  async app => {
    const own = await openOwn(app)
    const note = (error: unknown) => app.log.error({ err: error }, 'a storage of files cannot be used')
    app.decorate('storage', heldBack(app, openStores(own, settingsOf(app, own), note)))
  },
  { name: 'storage', dependencies: ['clock', 'database', 'vault'] },
)
