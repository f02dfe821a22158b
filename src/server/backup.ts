import path from 'node:path'
import { parseArgs } from 'node:util'
import { askPassphrase } from '../platform/backup/ask.ts'
import { type BackupState, backupTroubles, readBackupState } from '../platform/backup/backup-state.ts'
import type { Installation } from '../platform/backup/installation.ts'
import { watchFiles } from '../platform/backup/keep-files.ts'
import { takeBackup } from '../platform/backup/take-backup.ts'
import { takeRows } from '../platform/backup/take-rows.ts'
import { type WatchState, watchWal } from '../platform/backup/watch-wal.ts'
import { readConfig } from '../platform/config/config.ts'
import { openWorkPool } from '../platform/database/database.ts'
import { openEmbedded } from '../platform/database/embedded/embedded.ts'
import { connectionTo } from '../platform/database/hosts.ts'

// Copies the installation while servers run: `npm run backup -- --to FOLDER`. Ends with 1 when it could not; then nothing is left
// in the folder. With `watch` receives the log of the database until it is ended; `status` ends with 2 when something is wrong.

const usage = [
  'npm run backup -- --to FOLDER             database, files and key in one file; servers go on meanwhile',
  'npm run backup -- --logical --to FOLDER   the same with the rows only: for another major version or an outside database',
  'npm run backup -- watch --to FOLDER       receives what changes from now on, without end: with the last backup, any second',
  'npm run backup -- status                  how old the last backup is, and what the database holds back for who receives its log',
  '',
  'BACKUP_PASSPHRASE wraps the key; without it it is asked for. --json answers for programs.',
].join('\n')

/** Receives the log and new files until somebody ends it. */
async function watch(installation: Installation, to: string, slot: string): Promise<void> {
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
  const { signal } = ending
  const say = (sentence: string) => console.log(`${new Date().toISOString()} ${sentence}`)
  const report = ({ flushed, behind }: WatchState) => say(`The log is here up to ${flushed}, ${behind} bytes behind.`)
  try {
    await Promise.all([
      watchWal(installation.pool, { to, slot, signal, say, report }),
      watchFiles(installation, { to, signal, say }),
    ])
  } finally {
    ending.abort()
  }
}

/** Tells how backups are. @returns 2 when somebody should do something */
function tellState(state: BackupState, asJson: boolean): number {
  const troubles = backupTroubles(state)
  if (asJson) console.log(JSON.stringify({ ...state, troubles }))
  else {
    const { last, slots } = state
    if (last) console.log(`The last backup (${last.kind}) ended at ${last.ended}: ${last.file} on ${last.host}.`)
    for (const { name, heldBytes } of slots) console.log(`The slot ${name} holds ${heldBytes} bytes back.`)
    for (const one of troubles) console.log(one)
  }
  return troubles.length > 0 ? 2 : 0
}

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: {
      to: { type: 'string' },
      logical: { type: 'boolean', default: false },
      slot: { type: 'string', default: 'juxian_backup' },
      json: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  })
  const config = readConfig()
  const [command = 'take', ...others] = positionals
  const isKnown = command === 'status' || (['take', 'watch'].includes(command) && values.to !== undefined)
  if (!isKnown || others.length > 0 || config.bladeApi) {
    console.log(config.bladeApi ? 'This installation is a gateway and has no database.' : usage)
    return 1
  }
  const embedded = config.databaseUrl ? undefined : await openEmbedded(config.dataDir)
  const url = config.databaseDirectUrl ?? config.databaseUrl
  const connecting = url ? connectionTo(url) : undefined
  const pool = openWorkPool(connecting?.options ?? embedded?.connection ?? {})
  try {
    await connecting?.ready({ tell: console.error })
    if (command === 'status') return tellState(await readBackupState(pool), values.json)
    const to = path.resolve(process.env.INIT_CWD ?? '.', values.to ?? '')
    if (command === 'watch') {
      await watch({ pool, dataDir: config.dataDir, secretKey: config.secretKey }, to, values.slot)
      return 0
    }
    const began = performance.now()
    const { dataDir, secretKey, backupPassphrase } = config
    const { file, bytes, manifest } = await (values.logical ? takeRows : takeBackup)(
      { pool, dataDir, secretKey },
      {
        to,
        passphrase: async () => backupPassphrase ?? askPassphrase({ isNew: true }),
      },
    )
    const seconds = Math.round((performance.now() - began) / 100) / 10
    if (values.json) console.log(JSON.stringify({ file, bytes, seconds, manifest }))
    else console.log(`${file}: ${(bytes / 1024 ** 2).toFixed(1)} MB in ${seconds} s`)
    return 0
  } finally {
    await pool.end()
    connecting?.end()
    await embedded?.close()
  }
}

try {
  process.exitCode = await run()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
