import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { sql } from 'kysely'
import pg from 'pg'
import { readPlatformParam } from '../database/param.ts'
import { apart } from '../database/request-transaction.ts'
import { type Document, draw, drawingVersion, drawWith, type Makers, type Undated } from './drawing.ts'
import { takeOwnFonts } from './rare-glyphs.ts'

/** Makes documents to print. */
export interface Drawings {
  /**
   * A document of a tenant. One that was made before of the same content, by the same program with the same fonts, is not
   * made again, whichever process made it: it says when that was. Whoever asks has made sure that its content may be read.
   */
  get<Name extends keyof Makers>(name: Name, document: Undated<Document<Name>>, tenantId: string): Promise<Buffer>
  /** A document that is not kept. */
  once<Name extends keyof Makers>(name: Name, document: Undated<Document<Name>>): Promise<Buffer>
  /** The Chinese characters of a text that no font has: they print as their numbers. */
  missing(text: string): Promise<string>
  /** Removes what nobody has asked for of late, what is too much, and what was not finished. @returns how many */
  tidy(): Promise<number>
}

declare module 'fastify' {
  interface FastifyInstance {
    drawings: Drawings
  }
}

declare module '../database/tables.ts' {
  interface InternalTables {
    kept_drawing: {
      /** Where the bytes are in the storage, sealed. */
      key: string
      digest: string
      bytes: number
      isWhole: boolean
      madeTime: Date
      usedTime: Date
    }
  }
}

/** Milliseconds: how exactly it is known when a document was asked for last, and when one that is not whole was given up. */
const [usedStep, lostAfter] = [3_600_000, 3_600_000]
/** Chinese characters that came after Unicode 10: the fonts of this program may lack them. */
const unsure = /[\u{4db6}-\u{4dbf}\u{9feb}-\u{9fff}\u{2a6d7}-\u{2a6df}\u{2b735}-\u{2b739}\u{2ebf0}-\u{3ffff}]/gu
/** Documents removed between two looks. */
const portion = 200

/** A value in one spelling: fields in the order of their names, instants as such, bytes by their digest. */
function spelled(value: unknown): unknown {
  if (value instanceof Uint8Array) return { sha256: createHash('sha256').update(value).digest('hex') }
  if (value instanceof Date) return { instant: value.getTime() }
  if (Array.isArray(value)) return value.map(spelled)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([, one]) => one !== undefined)
  return { fields: fields.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => [name, spelled(one)]) }
}

const digestOf = async (tenantId: string, name: string, document: unknown): Promise<string> =>
  createHash('sha256')
    .update(JSON.stringify([await drawingVersion(), tenantId, name, spelled(document)]))
    .digest('hex')

/** The content of a document with the time at which it is made, which stands on every sheet. */
function dated<Name extends keyof Makers>(document: Undated<Document<Name>>, madeAt: Date): Document<Name> {
  const one = (part: object) => ({ ...part, madeAt })
  return (Array.isArray(document) ? document.map(one) : one(document)) as unknown as Document<Name>
}

/** Forgets a document: its bytes first, so that none are left that no row names. */
async function forget({ db, storage }: FastifyInstance, key: string): Promise<void> {
  await storage.remove(key)
  await db.deleteFrom('kept_drawing').where('key', '=', key).execute()
}

/** The kept document with this digest; undefined when there is none that can be read. */
async function find(app: FastifyInstance, digest: string): Promise<Buffer | undefined> {
  const now = app.now()
  const row = await app.db
    .selectFrom('kept_drawing')
    .select(['key', 'usedTime'])
    .where('digest', '=', digest)
    .where('isWhole', '=', true)
    .executeTakeFirst()
  if (!row) return undefined
  try {
    const bytes = app.vault.openBytes(await app.storage.get(row.key))
    if (row.usedTime.getTime() < now.getTime() - usedStep)
      await app.db.updateTable('kept_drawing').set({ usedTime: now }).where('key', '=', row.key).execute()
    return bytes
  } catch (err) {
    app.log.warn({ err }, 'a kept document cannot be read and is made again')
    // A storage that is away keeps it: then there is another one beside it, of which one is removed in time.
    await forget(app, row.key).catch(() => {})
    return undefined
  }
}

/**
 * Keeps a document.
 * @returns what is kept: another process may have kept one with the same digest meanwhile
 */
async function keep(app: FastifyInstance, digest: string, tenantId: string, bytes: Buffer, now: Date): Promise<Buffer> {
  const { key } = await app.storage.place(tenantId, 'sealed')
  await app.db
    .insertInto('kept_drawing')
    .values({ key, digest, bytes: 0, isWhole: false, madeTime: now, usedTime: now })
    .execute()
  const sealed = app.vault.sealBytes(bytes)
  await app.storage.put(key, sealed)
  try {
    const whole = { isWhole: true, bytes: sealed.length }
    await app.db.updateTable('kept_drawing').set(whole).where('key', '=', key).execute()
    return bytes
  } catch (error) {
    await forget(app, key)
    if (error instanceof pg.DatabaseError && error.code === '23505') return (await find(app, digest)) ?? bytes
    throw error
  }
}

/** Keys of documents to be removed: the oldest first, as long as there are any. */
async function surplus(app: FastifyInstance): Promise<string[]> {
  const days = Number(await readPlatformParam(app.db, 'print.days'))
  const most = Number(await readPlatformParam(app.db, 'print.maxMB')) * 1024 ** 2
  const before = (milliseconds: number) => new Date(app.now().getTime() - milliseconds)
  const { rows } = await sql<{ key: string }>`
    SELECT key FROM (
      SELECT *, sum(bytes) OVER (ORDER BY "usedTime" DESC, key) AS total FROM kept_drawing) x
    WHERE "usedTime" <= ${before(days * 86_400_000)} OR total > ${most}
      OR NOT "isWhole" AND "madeTime" <= ${before(lostAfter)}
    ORDER BY "usedTime" LIMIT ${portion}`.execute(app.db)
  return rows.map(row => row.key)
}

interface Options {
  /** The program of the thread that draws, as one text. */
  program: () => Promise<string>
}

/** Decorates the app with its maker of documents. */
export default fp<Options>(
  async (app, { program }) => {
    drawWith(program)
    takeOwnFonts(app.config.fontDir)
    /** What is being made in this process: who asks for the same meanwhile waits for it. */
    const making = new Map<string, Promise<Buffer>>()
    const make = async <Name extends keyof Makers>(
      [name, document, tenantId]: [Name, Undated<Document<Name>>, string],
      digest: string,
    ): Promise<Buffer> => {
      const kept = await find(app, digest)
      if (kept) return kept
      const now = app.now()
      const bytes = await draw(name, dated(document, now))
      return keep(app, digest, tenantId, bytes, now).catch(err => {
        app.log.warn({ err }, 'a document could not be kept')
        return bytes
      })
    }
    app.decorate('drawings', {
      async get(name, document, tenantId) {
        const digest = await digestOf(tenantId, name, document)
        // What is kept is so for everybody, whatever becomes of the request that asked first.
        const made = making.get(digest) ?? apart(() => make([name, document, tenantId], digest))
        making.set(digest, made)
        return made.finally(() => making.delete(digest))
      },
      once: (name, document) => draw(name, dated(document, app.now())),
      async missing(text) {
        const late = text.match(unsure)?.join('')
        return late ? (await draw('unprintable', { text: late, madeAt: app.now() })).toString('utf8') : ''
      },
      async tidy() {
        let removed = 0
        for (;;) {
          const keys = await surplus(app)
          for (const key of keys) await forget(app, key)
          removed += keys.length
          if (keys.length < portion) return removed
        }
      },
    })
    app.jobs.every({
      name: 'drawings-tidy',
      title: '清理打印文件',
      seconds: 600,
      harmlessToPause: true,
      work: () => app.drawings.tidy(),
    })
  },
  { name: 'drawings', dependencies: ['database', 'vault', 'storage', 'jobs'] },
)
