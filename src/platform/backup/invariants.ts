import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { storeRow } from '../files/own-store.ts'
import { sealedColumns } from '../vault/sealed-columns.ts'
import type { Manifest } from './backup-file.ts'
import { countTables, quoted } from './installation.ts'

/** One thing that was looked at. */
export interface Finding {
  readonly what: 'tables' | 'keys' | 'audit' | 'files' | 'money'
  readonly isRight: boolean
  /** What was found, in words for an operator. */
  readonly says: string
}

/** Things that are named in a sentence. */
const named = 10
const some = (list: readonly string[]): string =>
  `${list.slice(0, named).join(', ')}${list.length > named ? `, and ${list.length - named} more` : ''}`

/**
 * Compares the rows of a restored database with those that its backup counted. A table that was changed while a physical backup was
 * being taken may have others, but never changes of before that are lost; whether it was changed is known of most tables.
 */
export async function compareTables(client: pg.ClientBase, { tables, kind }: Manifest): Promise<Finding> {
  const found = await countTables(client)
  const wrong: string[] = []
  let changed = 0
  for (const [name, { rows, changes }] of Object.entries(tables)) {
    const now = found[name]
    if (!now) wrong.push(`${name} is missing`)
    else if (kind === 'logical' || (changes !== null && now.changes === changes)) {
      if (now.rows !== rows) wrong.push(`${name} has ${now.rows} rows instead of ${rows}`)
    } else if (changes !== null && BigInt(now.changes ?? 0) < BigInt(changes))
      wrong.push(`${name} is older than the beginning of the backup`)
    else if (now.rows !== rows) changed++
  }
  const count = Object.keys(tables).length
  const meanwhile = changed > 0 ? `, but for ${changed} that were changed while it was being taken` : ''
  return {
    what: 'tables',
    isRight: wrong.length === 0,
    says: wrong.length > 0 ? some(wrong) : `${count} tables have the rows that the backup counted${meanwhile}`,
  }
}

/** Sealed texts opened of each column. */
const tried = 100

/** Whether what is sealed opens with the key of the backup. */
async function openSealed({ pool, vault }: FastifyInstance): Promise<Finding> {
  const wrong: string[] = []
  let opened = 0
  for (const { table, column } of sealedColumns) {
    const { rows } = await pool.query<{ text: string }>(
      `SELECT ${quoted(column)} AS text FROM ${quoted(table)} WHERE ${quoted(column)} ~ '^v[0-9]+:' LIMIT ${tried}`,
    )
    for (const { text } of rows)
      try {
        vault.open(text)
        opened++
      } catch {
        wrong.push(`${table}.${column}`)
        break
      }
  }
  return {
    what: 'keys',
    isRight: wrong.length === 0,
    says: wrong.length > 0 ? `sealed texts do not open: ${some(wrong)}` : `${opened} sealed texts open`,
  }
}

/** Whether the security log of each tenant is as it was written. */
async function verifyAudits({ db, audit }: FastifyInstance): Promise<Finding> {
  const tenants = await db.selectFrom('tenant').select('tenantId').orderBy('tenantId').execute()
  const wrong: string[] = []
  let entries = 0
  for (const { tenantId } of tenants) {
    const { count, broken } = await audit.verify(tenantId)
    entries += count
    if (broken !== null) wrong.push(`${tenantId} from entry ${broken} on`)
  }
  return {
    what: 'audit',
    isRight: wrong.length === 0,
    says:
      wrong.length > 0
        ? `the security log was tampered with: ${some(wrong)}`
        : `${entries} entries of the security log are as written`,
  }
}

/** Rows of one look. */
const portion = 1000

/** Whether each file that is shown is there, with the bytes that were kept. Those of other servers are not looked at. */
async function readFiles({ pool, storage, config, db }: FastifyInstance): Promise<Finding> {
  // What a bucket keeps that nobody has named here is not looked at either.
  const isElsewhere = (await storeRow(db))?.kind === 's3' && !config.s3
  const wrong: string[] = []
  let [read, elsewhere, after] = [0, 0, '0']
  for (;;) {
    const { rows } = await pool.query<{ id: string; name: string; sha256: string }>(
      `SELECT id::text, name, sha256 FROM attach WHERE id > $1 AND "isDeleted" = 0 AND name <> '' ORDER BY id LIMIT ${portion}`,
      [after],
    )
    for (const { id, name, sha256 } of rows) {
      if (isElsewhere || name.startsWith('oss-')) {
        elsewhere++
        continue
      }
      const hash = createHash('sha256')
      try {
        for await (const bytes of storage.open(name)) hash.update(bytes)
        if (hash.digest('hex') !== sha256) wrong.push(`${id} has other bytes`)
        read++
      } catch {
        wrong.push(`${id} is not there`)
      }
    }
    const last = rows.at(-1)
    if (!last) break
    after = last.id
  }
  const others = elsewhere > 0 ? `; ${elsewhere} are kept by other servers and were not looked at` : ''
  return {
    what: 'files',
    isRight: wrong.length === 0,
    says: wrong.length > 0 ? `files: ${some(wrong)}` : `${read} files are there with their bytes${others}`,
  }
}

/** Looks whether a restored installation is whole, once the program has opened it. */
export async function lookThrough(app: FastifyInstance): Promise<Finding[]> {
  return [await openSealed(app), await verifyAudits(app), await readFiles(app)]
}
