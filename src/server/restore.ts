import { chmod, mkdtemp, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { entities } from '#schemas'
import { tablesOf } from '../crud/table.ts'
import { isBalanced } from '../modules/messages/server/ledger.ts'
import { changedBatches } from '../modules/payment/server/export-batch.ts'
import { askPassphrase } from '../platform/backup/ask.ts'
import type { Manifest, OpenBackup } from '../platform/backup/backup-file.ts'
import { type RunningCopy, startCopy } from '../platform/backup/copy-cluster.ts'
import { compareTables, type Finding, lookThrough } from '../platform/backup/invariants.ts'
import { addKept } from '../platform/backup/keep-files.ts'
import { backupBefore, checkMoment, momentOf, recoverTo } from '../platform/backup/recover.ts'
import { type Restored, restoreBackup } from '../platform/backup/restore.ts'
import { checkDefinitions, requireEmpty, restoreRows } from '../platform/backup/restore-rows.ts'
import { readConfig } from '../platform/config/config.ts'
import { openWorkPool } from '../platform/database/database.ts'
import { openEmbedded } from '../platform/database/embedded/embedded.ts'
import { connectionTo } from '../platform/database/hosts.ts'
import { liveIn } from '../platform/http/server/live.ts'
import { buildApp } from './app.ts'

// Makes an installation of a backup: `npm run restore -- FILE --into DATA_DIR`. With `--check` restores it into a folder that is
// removed afterwards, starts its database and looks whether all is there. Ends with 1 when it could not, with 2 when a check has
// found something.

const usage = [
  'npm run restore -- FILE --into DATA_DIR     makes the folder of data, which must be empty or not be there',
  'npm run restore -- FILE --database URL      fills an empty database with a logical backup; files go to DATA_DIR, or --into',
  'npm run restore -- --check FILE             restores into a folder that is removed afterwards, and looks whether all is there',
  "npm run restore -- FOLDER --into DATA_DIR --at '2026-11-22 10:13:09+08'",
  '                                            the last backup before that moment, and what `backup -- watch` has received since',
  '',
  'BACKUP_PASSPHRASE opens the key in the backup; without it it is asked for. SECRET_KEY is needed where the installation was given',
  'its key. --json answers for programs.',
].join('\n')

const tables = tablesOf(entities)

/** Paths are meant from where npm was started. */
const placeOf = (name: string) => path.resolve(process.env.INIT_CWD ?? '.', name)

// Nothing is served: what only a server must be told may be missing.
const config = readConfig({ ...process.env, DEMO: 'true' })

const asked = {
  secretKey: config.secretKey,
  passphrase: async () => config.backupPassphrase ?? askPassphrase({ isNew: false }),
}

/** Whether money and messages are what the books say. */
async function lookThroughBooks(app: FastifyInstance): Promise<Finding> {
  const { db: all } = app
  const wrong: string[] = []
  for (const { tenantId } of await all.selectFrom('tenant').select('tenantId').execute()) {
    const db = liveIn(app, tenantId)
    for (const id of await changedBatches(db)) wrong.push(`the batch ${id} of the books was changed`)
    if (!(await isBalanced(db))) wrong.push(`the balance of messages of ${tenantId} is not what its movements make`)
  }
  return { what: 'money', isRight: wrong.length === 0, says: wrong.join(', ') || 'frozen books and balances are right' }
}

/** Does something with a pool on a database. */
async function withPool<T>(connection: pg.PoolConfig, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const pool = openWorkPool(connection)
  return work(pool).finally(() => pool.end())
}

/** Starts the database that was restored, or fills one, for as long as something is done. */
async function withDatabase<T>(
  backup: OpenBackup,
  { dataDir, cluster }: Restored,
  say: (sentence: string) => void,
  work: (connection: RunningCopy['connection']) => Promise<T>,
): Promise<T> {
  if (cluster) {
    const copy = await startCopy(backup.manifest, cluster, {}, say)
    return work(copy.connection).finally(() => copy.stop())
  }
  const embedded = await openEmbedded(dataDir, { say })
  try {
    await withPool(embedded.connection, pool => restoreRows(backup, pool, tables))
    return await work(embedded.connection)
  } finally {
    await embedded.close()
  }
}

/** Looks whether a restored installation is whole. */
async function lookThroughAll(
  { manifest }: OpenBackup,
  dataDir: string,
  connection: RunningCopy['connection'],
): Promise<Finding[]> {
  const { host, user, database } = connection
  const counted = await withPool({ ...connection, max: 1 }, async pool => {
    const client = await pool.connect()
    return compareTables(client, manifest).finally(() => client.release())
  })
  const databaseUrl = `postgresql://${encodeURIComponent(user)}@localhost/${encodeURIComponent(database)}?host=${encodeURIComponent(host)}`
  const app = await buildApp({
    ...config,
    databaseUrl,
    databaseDirectUrl: undefined,
    dataDir,
    demo: false,
    jobs: false,
    // Files that a bucket keeps are not in a backup.
    checksFiles: false,
  })
  try {
    return [counted, ...(await lookThrough(app)), await lookThroughBooks(app)]
  } finally {
    await app.close()
  }
}

/** Restores a backup for a moment, and looks whether all is there. */
async function check(file: string, say: (sentence: string) => void): Promise<Finding[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'juxian-check-'))
  const accept = (manifest: Manifest) => {
    if (manifest.kind === 'logical') checkDefinitions(manifest, tables)
  }
  // User nobody, who runs PostgreSQL for root, must get in.
  await chmod(folder, 0o755)
  try {
    return await restoreBackup(file, { into: path.join(folder, 'data'), ...asked, say, accept }, (backup, restored) =>
      withDatabase(backup, restored, say, connection => lookThroughAll(backup, restored.dataDir, connection)),
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Brings a restored folder to what it was at a moment later than its backup. */
async function bringTo(
  backup: OpenBackup,
  { dataDir, cluster }: Restored,
  moment: Date,
  folder: string,
  say: (sentence: string) => void,
): Promise<void> {
  const reached = await recoverTo(backup, cluster!, moment, path.join(folder, 'wal'), say)
  const added = await addKept(folder, path.join(dataDir, 'files'))
  say(`The last change that was taken over is of ${reached}; ${added} files that came after the backup were added.`)
}

/** Fills an empty database with the rows of a backup, and makes the folder of data for it. */
async function restoreInto(
  url: string,
  file: string,
  into: string,
  say: (sentence: string) => void,
): Promise<Manifest> {
  const connecting = connectionTo(url)
  try {
    await connecting.ready({ tell: say })
    return await withPool(connecting.options, async pool => {
      await requireEmpty(pool)
      const accept = (manifest: Manifest) => checkDefinitions(manifest, tables)
      return restoreBackup(file, { into, ...asked, say, accept }, async backup => {
        await restoreRows(backup, pool, tables)
        return backup.manifest
      })
    })
  } finally {
    connecting.end()
  }
}

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: {
      check: { type: 'boolean', default: false },
      into: { type: 'string' },
      database: { type: 'string' },
      at: { type: 'string' },
      log: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  })
  const [given, ...others] = positionals
  const hasTarget = values.into !== undefined || values.database !== undefined
  if (!given || others.length > 0 || values.check === hasTarget || (values.at && (values.check || values.database))) {
    console.log(usage)
    return 1
  }
  const moment = values.at === undefined ? undefined : momentOf(values.at)
  const isFolder = (await stat(placeOf(given)).catch(() => null))?.isDirectory()
  if (isFolder && !moment) throw new Error(`${given} is a folder: name a backup in it, or say --at.`)
  const file = isFolder && moment ? await backupBefore(placeOf(given), moment) : placeOf(given)
  const say = values.json ? () => {} : (sentence: string) => console.log(sentence)
  if (values.check) {
    const findings = await check(file, say)
    const isRight = findings.every(one => one.isRight)
    if (values.json) console.log(JSON.stringify({ isRight, findings }))
    else for (const one of findings) console.log(`${one.isRight ? 'right' : 'WRONG'}  ${one.says}`)
    return isRight ? 0 : 2
  }
  const into = values.into === undefined ? config.dataDir : placeOf(values.into)
  const folder = values.log ? placeOf(values.log) : path.dirname(file)
  const accept = (manifest: Manifest) => {
    if (moment) return checkMoment(manifest, moment, path.join(folder, 'wal'))
    if (manifest.kind === 'logical') checkDefinitions(manifest, tables)
  }
  const manifest = values.database
    ? await restoreInto(values.database, file, into, say)
    : await restoreBackup(file, { into, ...asked, say, accept }, async (backup, restored) => {
        if (moment) await bringTo(backup, restored, moment, folder, say)
        else if (!restored.cluster) await withDatabase(backup, restored, say, async () => {})
        return backup.manifest
      })
  if (values.json) console.log(JSON.stringify({ into, at: moment?.toISOString() ?? manifest.ended, manifest }))
  else {
    const filled = values.database ? `The database and ${into} hold` : `${into} holds`
    const settings = values.database ? `DATABASE_URL, DATA_DIR=${into} and its key as SECRET_KEY` : `DATA_DIR=${into}`
    console.log(
      `${filled} the installation as it was at ${moment?.toISOString() ?? manifest.ended}. Start the server with ${settings}.`,
    )
  }
  return 0
}

try {
  process.exitCode = await run()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
