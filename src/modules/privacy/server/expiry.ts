import type { FastifyInstance } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { type Entity, tableOf } from '#engine'
import { userEvents } from '#resources/system/events'
import { HoldStatus, SignStatus, UserType } from '#schemas/dictionaries'
import { keeping } from '#schemas/keeping'
import { Sendmessage } from '#schemas/messages/sendmessage'
import { Delivery } from '#schemas/notifications/delivery'
import { Formeraddress } from '#schemas/notifications/formeraddress'
import { Signup } from '#schemas/sign-up/signup'
import { Datarequest } from '#schemas/system/datarequest'
import { Idclaim } from '#schemas/system/idclaim'
import { User } from '#schemas/system/user'
import { Userupdateinfo } from '#schemas/system/userupdateinfo'
import { emitOnce } from '../../../crud/emit.ts'
import type { Reader, Trx } from '../../../platform/database/database.ts'
import { liveFor, raw } from '../../../platform/database/live.ts'
import { erasePerson } from './erase.ts'
import { blankedFields, type Erasure, erasedAtOnce, erasedText, eraseRows, heldFields, holds } from './erasing.ts'
import { column, personalEntities, tableFor } from './kinds.ts'
import { erasureBlock } from './plan.ts'
import { isInUse, type PurgedExam } from './purge/parts.ts'

// What goes by itself, without an exam that somebody decides on: forms that nobody handed in, requests about personal data, text messages that
// belong to no exam, addresses that messages went to, and the accounts of candidates who have been away. Each is one condition, by which it is counted and by which it goes.

/** Days for which whoever has been away knows before the account goes. */
const noticeDays = 30

/** How many of each are due, or have gone. */
export interface Expired {
  /** Forms that were begun and never handed in. */
  readonly drafts: number
  /** Requests about personal data that are kept without who made them. */
  readonly requests: number
  /** Text messages of sendings without an exam that are kept without whom they were for and what they said. */
  readonly texts: number
  /** Messages that are kept without the address they went to. */
  readonly addresses: number
  /** Accounts whose owners are told that they will go. */
  readonly asked: number
  /** Accounts that go. */
  readonly accounts: number
}

const months = (count: number) => sql`make_interval(months => ${sql.lit(count)})`

/** SQL that is true for an exam `x` whose data must not be erased while something is in dispute. */
const isHeld = sql<boolean>`EXISTS (SELECT 1 FROM datahold h WHERE h."examId" = x.id AND h."holdStatus" = ${sql.lit(HoldStatus.held)})`

/** SQL that is true for a form `t` of an exam `x` that was never handed in, long after its sign-up has ended, and that nothing holds. */
const isDraftOver = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`t."signStatus" = ${SignStatus.draft} AND t."submitTime" IS NULL
    AND x."signEndTime" + ${months(keeping.drafts.months)} < ${now} AND NOT ${isHeld}`

const draftsOf = (now: Date): RawBuilder<unknown> =>
  sql`signup t JOIN examination x ON x.id = t."examId" WHERE ${isDraftOver(now)}`

/** Rows of one kind that lose what tells whom they are about once they are kept for long enough. */
interface Blanking {
  readonly entity: Entity
  readonly names: readonly string[]
  /** SQL that is true for a row `t` whose time is over, whether it has lost it or not. */
  isOver(now: Date): RawBuilder<boolean>
}

const namesOf = (entity: Entity): readonly string[] => [...blankedFields(entity), ...heldFields(entity)]

/** Requests of persons, which end with their last change. */
const requests: readonly Blanking[] = [Datarequest, Userupdateinfo, Idclaim].map(entity => ({
  entity,
  names: namesOf(entity),
  isOver: now => sql<boolean>`t."updateTime" + ${months(keeping.requests.months)} < ${now}`,
}))

/** Text messages that belong to no exam; those of an exam go with it. */
const texts: Blanking = {
  entity: Sendmessage,
  names: namesOf(Sendmessage),
  isOver: now => sql<boolean>`t."createTime" + ${months(keeping.messages.months)} < ${now}
    AND EXISTS (SELECT 1 FROM send s WHERE s.id = t."sendId" AND s."examId" IS NULL)`,
}

const addresses: readonly Blanking[] = [Delivery, Formeraddress].map(entity => ({
  entity,
  names: ['address'],
  isOver: now => sql<boolean>`t."createTime" + ${months(keeping.addresses.months)} < ${now}`,
}))

/** SQL of the rows `t` of one kind whose time is over and that still hold what is to go. */
const overOf = ({ entity, names, isOver }: Blanking, now: Date): RawBuilder<unknown> =>
  sql`${sql.table(tableOf(entity.name))} t WHERE ${isOver(now)} AND ${holds(entity, names)}`

/** When somebody was there last. */
const since = sql`coalesce(t."lastLoginTime", t."createTime")`
/** What the question whether an account is wanted is known by: who comes back is asked anew another time. */
const question = sql<string>`'expiring:' || t.id || ':' || floor(extract(epoch FROM ${since}))::bigint`

/** SQL that is true for an account `t` of a candidate without a sign-up who has been away for a time. */
const isAway = (by: Date): RawBuilder<boolean> =>
  sql<boolean>`t."userType" = ${UserType.candidate} AND ${holds(User, ['realName'])}
    AND ${since} + ${months(keeping.account.months)} < ${by}
    AND NOT EXISTS (SELECT 1 FROM signup s WHERE s."userId" = t.id AND s.name <> ${erasedText})`

const isAsked = sql`SELECT 1 FROM event e WHERE e."tenantId" = t."tenantId" AND e.once = ${question}`

const toAsk = (now: Date): RawBuilder<unknown> =>
  sql`"user" t WHERE ${isAway(new Date(now.getTime() + noticeDays * 86_400_000))}
    AND NOT EXISTS (${isAsked})`

const awayOf = (now: Date): RawBuilder<unknown> =>
  sql`"user" t WHERE ${isAway(now)} AND EXISTS (${isAsked} AND (e.facts->>'until')::timestamptz <= ${now})`

/** Counts rows `t`, of one tenant or of all: erasure knows removed rows, too, so no live handle serves. */
async function countOf(db: Reader, tenantId: string | null, from: RawBuilder<unknown>): Promise<number> {
  const own = tenantId === null ? [] : [tenantId]
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM ${from} AND (${tenantId === null} OR t."tenantId" = ANY(${own}))`.execute(db)
  return rows[0]?.n ?? 0
}

/** Counts what goes by itself now, of one tenant or of all. Nothing is changed. */
export async function countExpired(app: FastifyInstance, tenantId: string | null = null): Promise<Expired> {
  const [db, now] = [raw(app), app.now()]
  const count = (from: RawBuilder<unknown>) => countOf(db, tenantId, from)
  let asked = 0
  for (const one of requests) asked += await count(overOf(one, now))
  let sentTo = 0
  for (const one of addresses) sentTo += await count(overOf(one, now))
  return {
    drafts: await count(draftsOf(now)),
    requests: asked,
    texts: await count(overOf(texts, now)),
    addresses: sentTo,
    asked: await count(toAsk(now)),
    accounts: await count(awayOf(now)),
  }
}

interface Draft extends PurgedExam {
  readonly examId: string
}

/** What belongs to a sign-up, and goes with it. */
const below = personalEntities.filter(({ about, properties }) => properties[about]?.ref === Signup.name)

/** Takes forms of one exam away with what belongs to them, and files that nothing names any more. */
async function eraseDrafts(erasure: Erasure, exam: PurgedExam, ids: readonly string[]): Promise<void> {
  const files: string[] = []
  for (const entity of below) {
    const rows = await erasure.trx
      .selectFrom(tableFor(entity))
      .select('id')
      .where(column(entity.about), 'in', [...ids])
      .execute()
    for (let at = 0; at < rows.length; at += erasedAtOnce) {
      const some = rows.slice(at, at + erasedAtOnce).map(({ id }) => id)
      files.push(...(await eraseRows(erasure, entity, null, some)))
    }
  }
  files.push(...(await eraseRows(erasure, Signup, null, ids)))
  if (files.length === 0) return
  await sql`UPDATE attach a SET "isDeleted" = 1, "updateTime" = ${erasure.now}
    WHERE a.id = ANY(${[...new Set(files)]}::bigint[]) AND NOT ${isInUse(exam, null)}`.execute(erasure.trx)
}

const erasureIn = (
  app: FastifyInstance,
  trx: Trx,
  tenantId: string,
  targetType: string,
  targetId: string,
): Erasure => ({
  app,
  trx,
  why: { tenantId, userId: null, targetType, targetId },
  now: app.now(),
})

async function expireDrafts(app: FastifyInstance, signal?: AbortSignal): Promise<number> {
  let count = 0
  for (;;) {
    signal?.throwIfAborted()
    const done = await app.db.transaction().execute(async trx => {
      const { rows } =
        await sql<Draft>`SELECT t.id::text, t."examId"::text, t."tenantId", x."archiveTime", x."examEndTime"
        FROM ${draftsOf(app.now())} ORDER BY t."examId", t.id LIMIT ${sql.lit(erasedAtOnce)}
        FOR UPDATE OF t SKIP LOCKED`.execute(trx)
      const [first] = rows
      if (!first) return 0
      const own = rows.filter(one => one.examId === first.examId)
      const exam = { ...first, id: first.examId }
      const erasure = erasureIn(app, trx, first.tenantId, 'examination', first.examId)
      await eraseDrafts(
        erasure,
        exam,
        own.map(({ id }) => id),
      )
      return own.length
    })
    if (done === 0) return count
    count += done
  }
}

/** Takes what is to go out of rows of some kinds. @returns how many rows */
async function expireFields(app: FastifyInstance, kinds: readonly Blanking[], signal?: AbortSignal): Promise<number> {
  let count = 0
  for (const kind of kinds)
    for (;;) {
      signal?.throwIfAborted()
      const done = await app.db.transaction().execute(async trx => {
        const { rows } = await sql<{ id: string; tenantId: string }>`
          SELECT t.id::text, t."tenantId" FROM ${overOf(kind, app.now())}
          ORDER BY t."tenantId", t.id LIMIT ${sql.lit(erasedAtOnce)} FOR NO KEY UPDATE OF t SKIP LOCKED`.execute(trx)
        const [first] = rows
        if (!first) return 0
        const ids = rows.filter(one => one.tenantId === first.tenantId).map(({ id }) => id)
        const { entity, names } = kind
        const files = await eraseRows(erasureIn(app, trx, first.tenantId, entity.name, first.id), entity, names, ids)
        if (files.length > 0)
          await trx
            .updateTable('attach')
            .set({ isDeleted: 1 })
            .where('id', 'in', [...files])
            .execute()
        return ids.length
      })
      count += done
      if (done === 0) break
    }
  return count
}

interface Away {
  readonly id: string
  readonly tenantId: string
  readonly question: string
}

/** @param after the last of those before */
const accounts = (from: RawBuilder<unknown>, atOnce: number, after = '0') =>
  sql<Away>`SELECT t.id::text, t."tenantId", ${question} AS question FROM ${from} AND t.id > ${after}::bigint
    ORDER BY t.id LIMIT ${sql.lit(atOnce)}`

/** Tells people who have been away that their accounts go, and until when they can keep them by signing in. */
async function askAway(app: FastifyInstance, signal?: AbortSignal): Promise<number> {
  const now = app.now()
  const until = new Date(now.getTime() + noticeDays * 86_400_000)
  let count = 0
  for (;;) {
    signal?.throwIfAborted()
    const { rows } = await accounts(toAsk(now), erasedAtOnce).execute(raw(app))
    for (const tenantId of new Set(rows.map(one => one.tenantId))) {
      const own = rows.filter(one => one.tenantId === tenantId)
      const questions = new Map(own.map(one => [one.id, one.question]))
      await liveFor(app, { tenantId, userId: null, now: () => now })
        .transaction()
        .execute(trx => emitOnce(trx, userEvents.expiring, own, ({ id }) => questions.get(id) ?? '', { until }))
    }
    count += rows.length
    if (rows.length < erasedAtOnce) return count
  }
}

/**
 * Erases the accounts of people who were asked and have not come back, one in a transaction.
 * @param atOnce accounts that are read at once
 * @returns how many
 */
export async function expireAccounts(
  app: FastifyInstance,
  signal?: AbortSignal,
  atOnce: number = erasedAtOnce,
): Promise<number> {
  let count = 0
  // Those that something stands against stay, and keep no others from their turn.
  for (let after: string | undefined; ; ) {
    const { rows } = await accounts(awayOf(app.now()), atOnce, after).execute(raw(app))
    for (const away of rows) {
      signal?.throwIfAborted()
      if (await expireAccount(app, away)) count++
    }
    after = rows.at(-1)?.id
    if (rows.length < atOnce) return count
  }
}

/** Erases an account, unless its owner has come back or something stands against it. @returns whether it was erased */
async function expireAccount(app: FastifyInstance, { id, tenantId }: Away): Promise<boolean> {
  const now = app.now()
  return liveFor(app, { tenantId, userId: null, now: () => now })
    .transaction()
    .execute(async trx => {
      const still = await sql`SELECT 1 FROM ${awayOf(now)} AND t.id = ${id} FOR NO KEY UPDATE OF t SKIP LOCKED`.execute(
        raw(trx),
      )
      if (still.rows.length === 0 || (await erasureBlock(trx, id, now))) return false
      const why = { tenantId, userId: null, targetType: User.name, targetId: id }
      await erasePerson(app, trx, id, { why, now, remark: '长期未登录，个人信息已清除' })
      return true
    })
}

/** Lets go what has been kept for long enough and is about no exam that somebody decides on. @returns how many of each */
export async function letExpire(app: FastifyInstance, signal?: AbortSignal): Promise<Expired> {
  const due = await countExpired(app)
  const gone = {
    drafts: await expireDrafts(app, signal),
    requests: await expireFields(app, requests, signal),
    texts: await expireFields(app, [texts], signal),
    addresses: await expireFields(app, addresses, signal),
    accounts: await expireAccounts(app, signal),
    asked: await askAway(app, signal),
  }
  if (Object.values(due).some(one => one > 0)) app.journal.note('info', 'data expired', { due, gone })
  return gone
}
