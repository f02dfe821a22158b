import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { isBalanced } from '../modules/messages/server/ledger.ts'
import { changedBatches } from '../modules/payment/server/export-batch.ts'
import { askPassphrase } from '../platform/backup/ask.ts'
import { startCopy } from '../platform/backup/copy-cluster.ts'
import { compareTables, type Finding, lookThrough } from '../platform/backup/invariants.ts'
import { restoreBackup } from '../platform/backup/restore.ts'
import { readConfig } from '../platform/config/config.ts'
import { liveIn } from '../platform/http/server/live.ts'
import { buildApp } from './app.ts'

// Makes an installation of a backup: `npm run restore -- FILE --into DATA_DIR`. With `--check` restores it into a folder that is
// removed afterwards, starts its database and looks whether all is there. Ends with 1 when it could not, with 2 when a check has
// found something.

const usage = [
  'npm run restore -- FILE --into DATA_DIR   makes the folder of data, which must be empty or not be there',
  'npm run restore -- --check FILE           restores into a folder that is removed afterwards, and looks whether all is there',
  '',
  'BACKUP_PASSPHRASE opens the key in the backup; without it it is asked for. SECRET_KEY is needed where the installation was given',
  'its key. --json answers for programs.',
].join('\n')

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

/** Restores a backup for a moment, and looks whether all is there. */
async function check(file: string, say: (sentence: string) => void): Promise<Finding[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'juxian-check-'))
  // User nobody, who runs PostgreSQL for root, must get in.
  await chmod(folder, 0o755)
  try {
    return await restoreBackup(file, { into: path.join(folder, 'data'), ...asked, say }, async (backup, restored) => {
      const copy = await startCopy(backup.manifest, restored, {}, say)
      try {
        const client = new pg.Client(copy.connection)
        await client.connect()
        const tables = await compareTables(client, backup.manifest).finally(() => client.end())
        const { host, user, database } = copy.connection
        const databaseUrl = `postgresql://${encodeURIComponent(user)}@localhost/${encodeURIComponent(database)}?host=${encodeURIComponent(host)}`
        const app = await buildApp({
          ...config,
          databaseUrl,
          databaseDirectUrl: undefined,
          dataDir: restored.dataDir,
          demo: false,
          jobs: false,
          // Files that a bucket keeps are not in a backup.
          checksFiles: false,
        })
        try {
          return [tables, ...(await lookThrough(app)), await lookThroughBooks(app)]
        } finally {
          await app.close()
        }
      } finally {
        await copy.stop()
      }
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: {
      check: { type: 'boolean', default: false },
      into: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  })
  const [given, ...others] = positionals
  if (!given || others.length > 0 || values.check === (values.into !== undefined)) {
    console.log(usage)
    return 1
  }
  const file = placeOf(given)
  const say = values.json ? () => {} : (sentence: string) => console.log(sentence)
  if (values.check) {
    const findings = await check(file, say)
    const isRight = findings.every(one => one.isRight)
    if (values.json) console.log(JSON.stringify({ isRight, findings }))
    else for (const one of findings) console.log(`${one.isRight ? 'right' : 'WRONG'}  ${one.says}`)
    return isRight ? 0 : 2
  }
  const into = placeOf(values.into!)
  const manifest = await restoreBackup(file, { into, ...asked, say }, async ({ manifest }) => manifest)
  if (values.json) console.log(JSON.stringify({ into, manifest }))
  else
    console.log(
      `${into} holds the installation as it was at ${manifest.ended}. Start the server with DATA_DIR=${into}.`,
    )
  return 0
}

try {
  process.exitCode = await run()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
