import path from 'node:path'
import { parseArgs } from 'node:util'
import { askPassphrase } from '../platform/backup/ask.ts'
import { takeBackup } from '../platform/backup/take-backup.ts'
import { takeRows } from '../platform/backup/take-rows.ts'
import { readConfig } from '../platform/config/config.ts'
import { openPool } from '../platform/database/database.ts'
import { openEmbedded } from '../platform/database/embedded/embedded.ts'
import { connectionTo } from '../platform/database/hosts.ts'

// Copies the installation while servers run: `npm run backup -- --to FOLDER`. Ends with 1 when it could not; then nothing is left
// in the folder.

const usage = [
  'npm run backup -- --to FOLDER             database, files and key in one file; servers go on meanwhile',
  'npm run backup -- --logical --to FOLDER   the same with the rows only: for another major version or an outside database',
  '',
  'BACKUP_PASSPHRASE wraps the key; without it it is asked for. --json answers for programs.',
].join('\n')

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: {
      to: { type: 'string' },
      logical: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  })
  const config = readConfig()
  if (!values.to || positionals.length > 0 || config.bladeApi) {
    console.log(config.bladeApi ? 'This installation is a gateway and has no database.' : usage)
    return 1
  }
  const embedded = config.databaseUrl ? undefined : await openEmbedded(config.dataDir)
  const url = config.databaseDirectUrl ?? config.databaseUrl
  const connecting = url ? connectionTo(url) : undefined
  const pool = openPool(connecting?.options ?? embedded?.connection ?? {})
  try {
    await connecting?.ready(console.error)
    const began = performance.now()
    const { dataDir, secretKey, backupPassphrase } = config
    const { file, bytes, manifest } = await (values.logical ? takeRows : takeBackup)(
      { pool, dataDir, secretKey },
      {
        to: path.resolve(process.env.INIT_CWD ?? '.', values.to),
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
