import type pg from 'pg'
import { clientBeside } from '../database/hosts.ts'
import { isUnsupported } from '../database/unsupported.ts'
import type { Secrets } from './secrets.ts'

/** Where processes are told that there is a new version of a key. */
const keyChannel = 'juxian_keys'

/**
 * A process that knows a generation of the vault's keys holds a shared lock of this class and its number, on the connection by
 * which it listens: the process that adds a version sees which others do not know it yet, and waits for none that has ended.
 */
export const keyLock = 8132

/** Milliseconds until a connection that broke is opened again. */
const pause = 1000

/** Milliseconds between two questions whether there is a new version, where the database tells of none. */
const every = 2000

/** Reads the secrets until nothing has changed since, and shows which generation is known. @returns its number */
async function catchUp(client: pg.Client, secrets: Secrets, held: number | null): Promise<number> {
  await secrets.reload()
  const known = secrets.generation('vault')
  if (known === held) return held
  await client.query('SELECT pg_advisory_lock_shared($1, $2)', [keyLock, known])
  if (held !== null) await client.query('SELECT pg_advisory_unlock_shared($1, $2)', [keyLock, held])
  return catchUp(client, secrets, known)
}

/** Listens for new versions. @returns false where the database has no notifications */
const listenTo = (client: pg.Client): Promise<boolean> =>
  client.query(`LISTEN ${keyChannel}`).then(
    () => true,
    error => {
      if (isUnsupported(error)) return false
      throw error
    },
  )

/** Tells other processes that there is a new version; where the database has no notifications they ask by themselves. */
export async function tellNewKey(pool: pg.Pool): Promise<void> {
  await pool.query(`NOTIFY ${keyChannel}`).catch(error => {
    if (!isUnsupported(error)) throw error
  })
}

/**
 * Follows the versions of the vault's key: once this has resolved, no other process uses a version that this one does not
 * know, as long as its connection holds; when it breaks it is opened again. Where the database has no LISTEN it is asked every
 * two seconds.
 * @param direct sessions of it stay
 * @param lost told of every break
 * @returns ends it
 */
export async function followKeys(direct: pg.Pool, secrets: Secrets, lost: (error: Error) => void) {
  let ended = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let asking: NodeJS.Timeout | undefined
  const again = (error: Error) => {
    if (ended || timer) return
    clearInterval(asking)
    lost(error)
    timer = setTimeout(() => {
      timer = undefined
      listen().catch(again)
    }, pause).unref()
  }
  const listen = async () => {
    const mine = clientBeside(direct)
    client = mine
    mine.on('error', again).on('end', () => again(new Error('The connection has ended.')))
    await mine.connect()
    let held = catchUp(mine, secrets, null)
    const look = () => {
      held = held.then(generation => catchUp(mine, secrets, generation))
      held.catch(again)
    }
    mine.on('notification', look)
    await held
    if (!(await listenTo(mine))) asking = setInterval(look, every).unref()
    // What came between reading and listening.
    held = held.then(generation => catchUp(mine, secrets, generation))
    await held
  }
  await listen()
  return async () => {
    ended = true
    clearTimeout(timer)
    clearInterval(asking)
    await client?.end().catch(() => {})
  }
}
