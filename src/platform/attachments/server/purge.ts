import type { FastifyInstance } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { tableOf } from '#engine'
import { entities } from '#schemas'
import { removeLeft } from '../../files/file-hold.ts'

const day = 86_400_000
/** How long an upload may wait for its use, such as a form that is finished on another day, and removed bytes for regret. */
const patience = { unused: 7 * day, removed: day }
/** Files of one round; the rest waits for the next. */
const atOnce = 500

/** Tables whose texts name only files that were claimed, or none that would still be shown. */
const claimed = new Set(['signup', 'signuplog', 'examinelog', 'sendmessage', 'auditlog', 'exporttask'])

interface Place {
  table: string
  column: string
  /** Whether the column holds the number of a file; else it is a text that may hold its address. */
  isNumber: boolean
}

/** Every place of the definitions where a file can be named. */
const places: readonly Place[] = entities.flatMap(({ name, properties }) => {
  const isTold = !claimed.has(name) && !name.startsWith('log-')
  return Object.entries(properties).flatMap(([column, { kind, ...field }]) => {
    const isNumber = kind === 'image' || kind === 'file' || (kind === 'ref' && 'ref' in field && field.ref === 'attach')
    const isText = isTold && (kind === 'richText' || kind === 'longText' || kind === 'json')
    return isNumber || isText ? [{ table: tableOf(name), column, isNumber }] : []
  })
})

/** Whether nothing names the file `a`. */
function isUnnamed(): RawBuilder<boolean> {
  const found = places.map(({ table, column, isNumber }) => {
    const [from, at] = [sql.table(table), sql.ref(`t.${column}`)]
    const names = isNumber ? sql`${at} = a.id` : sql`strpos(${at}::text, a.id::text) > 0`
    return sql`NOT EXISTS (SELECT 1 FROM ${from} t WHERE ${names})`
  })
  return sql<boolean>`(${sql.join(found, sql` AND `)})`
}

/** Removes uploads of the week before that nothing uses. One that is claimed in the same moment stays. @returns how many */
async function removeUnused({ db, now: clock }: FastifyInstance): Promise<number> {
  const now = clock()
  const before = new Date(now.getTime() - patience.unused)
  const { numAffectedRows } = await sql`
    UPDATE attach SET "isDeleted" = 1, "updateTime" = ${now}
    WHERE "ownerId" IS NULL AND "isDeleted" = 0 AND id IN (
      SELECT a.id FROM (SELECT id FROM attach WHERE "ownerId" IS NULL AND "isDeleted" = 0 AND "createTime" < ${before}
        ORDER BY random() LIMIT ${atOnce}) a
      WHERE ${isUnnamed()})`.execute(db)
  return Number(numAffectedRows)
}

/** Keys of files that were removed a day ago, some at a time: any of them, so that one that cannot go holds up no other. */
async function goneKeys({ db, now }: FastifyInstance): Promise<string[]> {
  const rows = await db
    .selectFrom('attach')
    .select('name')
    .where('isDeleted', '=', 1)
    .where('name', '<>', '')
    .where('updateTime', '<', new Date(now().getTime() - patience.removed))
    .orderBy(sql`random()`)
    .limit(atOnce)
    .execute()
  return [...new Set(rows.map(row => row.name))]
}

/** Those of some keys that a file still shown shares. */
async function sharedKeys({ db }: FastifyInstance, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const live = db.selectFrom('attach').select('name').where('isDeleted', '=', 0).where('name', 'in', keys)
  return new Set((await live.execute()).map(row => row.name))
}

/** Removes the bytes of files that were removed, the bytes first: a round cut short is made up for by the next. */
async function removeBytes(app: FastifyInstance): Promise<number> {
  const keys = await goneKeys(app)
  if (keys.length === 0) return 0
  const shared = await sharedKeys(app, keys)
  const done: string[] = []
  for (const key of keys) {
    const gone = shared.has(key) ? Promise.resolve() : app.storage.remove(key)
    await gone.then(() => done.push(key)).catch(err => app.log.warn({ err, key }, 'bytes could not be removed'))
  }
  if (done.length > 0)
    await app.db.updateTable('attach').set({ name: '' }).where('isDeleted', '=', 1).where('name', 'in', done).execute()
  return done.length
}

/**
 * Removes uploads of all tenants that nothing uses after a week, and a day later their bytes, like those of all files that
 * were removed.
 * @returns how many of each
 */
export async function purgeFiles(app: FastifyInstance): Promise<{ unused: number; bytes: number }> {
  const removed = { unused: await removeUnused(app), bytes: await removeBytes(app) }
  await removeLeft(app, (key, err) => app.log.warn({ err, key }, 'bytes could not be removed'))
  if (removed.unused + removed.bytes > 0) app.journal.note('info', 'attach-purge', removed)
  return removed
}
