import type pg from 'pg'
import { clientBeside } from '../database/hosts.ts'
import type { Secrets } from './secrets.ts'

/** Where processes are told that there is a new version of a key. */
export const keyChannel = 'juxian_keys'

/**
 * A process that knows a generation of the vault's keys holds a shared lock of this class and its number, on the connection by
 * which it listens: the process that adds a version sees which others do not know it yet, and waits for none that has ended.
 */
export const keyLock = 8132

/** Milliseconds until a connection that broke is opened again. */
const pause = 1000

/** Reads the secrets until nothing has changed since, and shows which generation is known. @returns its number */
async function catchUp(client: pg.Client, secrets: Secrets, held: number | null): Promise<number> {
  await secrets.reload()
  const known = secrets.generation('vault')
  if (known === held) return held
  await client.query('SELECT pg_advisory_lock_shared($1, $2)', [keyLock, known])
  if (held !== null) await client.query('SELECT pg_advisory_unlock_shared($1, $2)', [keyLock, held])
  return catchUp(client, secrets, known)
}

/**
 * Follows the versions of the vault's key: once this has resolved, no other process uses a version that this one does not
 * know, as long as its connection holds; when it breaks it is opened again.
 * @param direct sessions of it stay
 * @param lost told of every break
 * @returns ends it
 */
export async function followKeys(direct: pg.Pool, secrets: Secrets, lost: (error: Error) => void) {
  let ended = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  const again = (error: Error) => {
    if (ended || timer) return
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
    mine.on('notification', () => {
      held = held.then(generation => catchUp(mine, secrets, generation))
      held.catch(again)
    })
    await held
    await mine.query(`LISTEN ${keyChannel}`)
    // What came between reading and listening.
    held = held.then(generation => catchUp(mine, secrets, generation))
    await held
  }
  await listen()
  return async () => {
    ended = true
    clearTimeout(timer)
    await client?.end().catch(() => {})
  }
}
