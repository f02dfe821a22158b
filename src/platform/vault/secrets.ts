import {
  createCipheriv,
  createDecipheriv,
  createECDH,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'

const secretLock = 811_000_002

/**
 * What this installation needs to keep secret, and how each is made. A key pair is JSON `{ publicKey, privateKey }`:
 * hex for `sm2`, PEM for the others.
 */
const recipes = {
  /** Key of the search hashes of encrypted fields. It has one version: rows are found by what it makes of a text. */
  pepper: () => randomBytes(32).toString('base64'),
  /** AES-256 key of encrypted fields. */
  vault: () => randomBytes(32).toString('base64'),
  /** Signs access and refresh tokens. */
  token: () => randomBytes(48).toString('base64'),
  /** Passwords are sent encrypted with it. */
  sm2: sm2Pair,
  /** Signs the codes on admission tickets (Ed25519). */
  ticket: () => pemPair(generateKeyPairSync('ed25519')),
  /** Signs whole archives of exams (Ed25519). */
  archive: () => pemPair(generateKeyPairSync('ed25519')),
  /** The merchant's and the channel's keys of the payment sandbox, and the key of its notifications. */
  payMerchant: () => pemPair(generateKeyPairSync('rsa', { modulusLength: 2048 })),
  payPlatform: () => pemPair(generateKeyPairSync('rsa', { modulusLength: 2048 })),
  payNotify: () => randomBytes(16).toString('hex'),
}

function pemPair({ publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject }): string {
  return JSON.stringify({
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  })
}

function sm2Pair(): string {
  const pair = createECDH('SM2')
  const publicKey = pair.generateKeys('hex')
  return JSON.stringify({ publicKey, privateKey: pair.getPrivateKey('hex').padStart(64, '0') })
}

/** Name of a stored secret. */
export type SecretName = keyof typeof recipes

/** The secrets of the installation, read at the start and whenever there is a new one. */
export interface Secrets {
  /** The version of a secret that is in use, or the given one. Throws when it is not known here. */
  get(name: SecretName, version?: number): string
  /** A key pair. */
  pair(name: 'sm2' | 'ticket' | 'archive' | 'payMerchant' | 'payPlatform'): { publicKey: string; privateKey: string }
  /** Number of the newest version of a secret that is in use. */
  version(name: SecretName): number
  /** Goes up with every version that is made known and with every one that comes into use. */
  generation(name: SecretName): number
  /** Reads them again. */
  reload(): Promise<void>
  /** Makes the next version of a secret, for all processes to know and none to use yet. */
  add(name: SecretName): Promise<void>
}

/**
 * Reads the key that wraps the stored secrets from `<dataDir>/secret.key`. It is made when there is none and nothing was ever
 * wrapped with it.
 * @throws when it is missing although the database holds what it opens: another key would open none of it
 */
export async function readSecretKey(dataDir: string, pool: Pick<pg.Pool, 'query'>): Promise<string> {
  const file = path.join(dataDir, 'secret.key')
  const found = await readFile(file, 'utf8').catch(() => null)
  if (found) return found.trim()
  const { rowCount } = await pool.query('SELECT 1 FROM secret LIMIT 1')
  // Of two processes that start together, the other may have made the file, and stored the first secrets, meanwhile.
  if (rowCount) {
    const late = await readFile(file, 'utf8').catch(() => null)
    if (late) return late.trim()
    throw new Error(
      `${file} is missing, and this database holds data that only its key opens. Put the file back from a backup of DATA_DIR, or give the key as SECRET_KEY. If the file is lost for good, so is what is encrypted; to begin anew, use an empty database and an empty DATA_DIR.`,
    )
  }
  await mkdir(dataDir, { recursive: true })
  const draft = `${file}.${process.pid}`
  await writeFile(draft, randomBytes(32).toString('hex'), { mode: 0o600 })
  // Of two processes that start together one makes the file, whole; both read it.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft)
  return readSecretKey(dataDir, pool)
}

/**
 * Reads the secrets of this installation from its database and makes the missing ones, once for all processes.
 * @param secretKey wraps them: the table alone opens nothing
 * @throws when the secret key is not the one they were wrapped with
 */
export async function loadSecrets(pool: pg.Pool, secretKey: string): Promise<Secrets> {
  const key = Buffer.from(hkdfSync('sha256', secretKey, 'juxian', 'stored secrets', 32))
  let rows = await readRows(pool)
  if (missing(rows).length > 0) {
    await makeMissing(pool, key)
    rows = await readRows(pool)
  }
  let values = unwrapAll(rows, key)
  const newest = (name: SecretName, some = rows) =>
    Math.max(...some.flatMap(row => (row.name === name ? row.version : [])))
  const used = (name: SecretName) =>
    newest(
      name,
      rows.filter(row => row.inUse),
    )
  const get = (name: SecretName, number = used(name)) => {
    const value = values.get(`${name} ${number}`)
    if (value === undefined) throw new Error(`There is no version ${number} of the secret ${name}.`)
    return value
  }
  return {
    get,
    version: used,
    pair: name => JSON.parse(get(name)),
    generation: name => newest(name) + used(name),
    async reload() {
      rows = await readRows(pool)
      values = unwrapAll(rows, key)
    },
    async add(name) {
      const value = wrap(name, recipes[name](), key)
      await pool.query(
        `INSERT INTO secret (name, version, value, "inUse")
         SELECT name, max(version) + 1, $2, false FROM secret WHERE name = $1 GROUP BY name`,
        [name, value],
      )
    },
  }
}

interface Row {
  name: string
  version: number
  value: string
  inUse: boolean
}

const unwrapAll = (rows: readonly Row[], key: Buffer): ReadonlyMap<string, string> =>
  new Map(rows.map(row => [`${row.name} ${row.version}`, unwrap(row, key)]))

const missing = (rows: readonly Row[]) =>
  (Object.keys(recipes) as SecretName[]).filter(name => !rows.some(row => row.name === name))

async function readRows(on: pg.Pool | pg.PoolClient): Promise<Row[]> {
  return (await on.query<Row>('SELECT name, version, value, "inUse" FROM secret')).rows
}

async function makeMissing(pool: pg.Pool, key: Buffer): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await client.query('SET LOCAL lock_timeout = 0')
    await client.query('SELECT pg_advisory_xact_lock($1)', [secretLock])
    const rows = await readRows(client)
    for (const row of rows) unwrap(row, key)
    for (const name of missing(rows)) {
      const value = wrap(name, recipes[name](), key)
      await client.query('INSERT INTO secret (name, version, value) VALUES ($1, 1, $2)', [name, value])
    }
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}

function wrap(name: string, text: string, key: Buffer): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(name))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')
}

function unwrap({ name, value }: Row, key: Buffer): string {
  const bytes = Buffer.from(value, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(Buffer.from(name))
  decipher.setAuthTag(bytes.subarray(12, 28))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
  } catch {
    throw new Error(
      `The stored secret "${name}" does not open: SECRET_KEY, or secret.key in DATA_DIR, is not the one this database was made with.`,
    )
  }
}
