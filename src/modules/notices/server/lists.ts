import { expressionBuilder, sql } from 'kysely'
import type { QueryOf } from '#engine'
import { NoticeScope, SureState } from '#schemas/dictionaries'
import type { ScopesNow } from '../../../crud/scope-rule.ts'
import { anywhere } from '../../../platform/database/like.ts'
import type { Live, LiveDatabase } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { page, pageOf } from '../../../platform/http/server/page.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { escapeHtml } from '../../../platform/pdf/plain-text.ts'
import type { noticeList } from '../contract.ts'
import { isFor, isOut } from './audience.ts'
import { filesOf } from './files.ts'

/** What a list of notices may be asked for; of the unread the newest come first, pinned or not. */
type NoticeQuery = QueryOf<typeof noticeList>

/** Notices with the caller's own reading state; without a caller the public ones, all unread. */
function noticesFor(db: Live, person: Person | null, app: ScopesNow) {
  return db
    .selectFrom('notice')
    .leftJoin('notifyread as r', join =>
      join.onRef('r.noticeId', '=', 'notice.id').on('r.userId', '=', person?.userId ?? '0'),
    )
    .leftJoin('noticeread as seen', join =>
      join.onRef('seen.noticeId', '=', 'notice.id').on('seen.userId', '=', person?.userId ?? '0'),
    )
    .where(isOut(app.now()))
    .where(person ? isFor(app, person) : sql<boolean>`notice.scope1 = ${sql.lit(NoticeScope.public)}`)
}

const line = [
  'notice.id',
  'notice.title',
  'notice.category',
  'notice.noticeType',
  'notice.releaseTime',
  'notice.isTop',
  'notice.needSure',
] as const
const isRead = sql<boolean>`(seen.id IS NOT NULL OR coalesce(r."sureState", 0) >= ${sql.lit(SureState.read)})`
const read = sql<0 | 1>`CASE WHEN ${isRead} THEN 1 ELSE 0 END`
const sure = sql<0 | 1>`CASE WHEN r."sureState" = ${sql.lit(SureState.confirmed)} THEN 1 ELSE 0 END`

/** A page of notices: pinned ones first, then the newest; the newest first among the unread. */
export async function noticePage(db: Live, person: Person | null, app: ScopesNow, query: NoticeQuery) {
  const place = pageOf(query)
  const base = noticesFor(db, person, app)
    .$if(query.category !== undefined, q => q.where('notice.category', '=', query.category as 1))
    .$if(Boolean(query.title), q => q.where('notice.title', 'like', anywhere(query.title!)))
    .$if(query.unread === 1, q => q.where(sql<boolean>`NOT ${isRead}`))
  const [rows, total] = await Promise.all([
    base
      .select(line)
      .select([read.as('read'), sure.as('sure')])
      .$if(query.unread !== 1, q => q.orderBy('notice.isTop', 'desc'))
      .orderBy('notice.releaseTime', 'desc')
      .orderBy('notice.id', 'desc')
      .limit(place.size)
      .offset(place.offset)
      .execute(),
    base.select(eb => eb.fn.countAll<string>().as('n')).executeTakeFirstOrThrow(),
  ])
  return page(rows, Number(total.n), place)
}

/** What a sending says to a person, line by line; none where the notice is not of a sending. */
function ownTexts(person: Person | null) {
  const texts = expressionBuilder<LiveDatabase, 'notice'>()
    .selectFrom('sendmessage as m')
    .select('m.content')
    .whereRef('m.sendId', '=', 'notice.sendId')
    .where('m.userId', '=', person?.userId ?? '0')
    .orderBy('m.id')
  return sql<string[]>`ARRAY(${texts})`
}

const paragraphs = (texts: readonly string[]): string =>
  [...new Set(texts)]
    .flatMap(text => text.split('\n'))
    .map(line => `<p>${escapeHtml(line)}</p>`)
    .join('')

/**
 * One notice in full, with its files; one of a sending with the words that were sent to this person. Reading it here
 * marks nothing. @throws row.notFound when it is not out or not for this person
 */
export async function noticeOf(db: Live, person: Person | null, app: ScopesNow, id: string) {
  const row = await noticesFor(db, person, app)
    .select(line)
    .select(['notice.content', 'notice.endTime', 'notice.examId', 'r.sureTime'])
    .select(eb => eb.fn.coalesce('seen.readTime', 'r.readTime').as('readTime'))
    .select([read.as('read'), sure.as('sure'), ownTexts(person).as('texts')])
    .where('notice.id', '=', id)
    .executeTakeFirst()
  if (!row) throw refuse('row.notFound')
  const { texts, content, ...rest } = row
  return { ...rest, content: texts.length > 0 ? paragraphs(texts) : content, files: await filesOf(db, id) }
}

/** The first of a person's notices, read or not: pinned ones, then the newest. */
export function latestNotices(db: Live, person: Person, app: ScopesNow, most: number) {
  return noticesFor(db, person, app)
    .select(line)
    .select([read.as('read'), sure.as('sure')])
    .orderBy('notice.isTop', 'desc')
    .orderBy('notice.releaseTime', 'desc')
    .limit(most)
    .execute()
}

const isUnsure = sql<boolean>`coalesce(r."sureState", 0) < ${sql.lit(SureState.confirmed)}`

/** How many notices of a person are unread, and how many are still to be confirmed. */
export async function noticeCounts(db: Live, person: Person, app: ScopesNow) {
  const { unread, mustSure } = await noticesFor(db, person, app)
    .select(({ fn }) => [
      fn.countAll<string>().filterWhere(sql<boolean>`NOT ${isRead}`).as('unread'),
      fn.countAll<string>().filterWhere(sql<boolean>`notice."needSure" = 1 AND ${isUnsure}`).as('mustSure'),
    ])
    .executeTakeFirstOrThrow()
  return { unread: Number(unread), mustSure: Number(mustSure) }
}

/** How many messages in the inbox of a person are unread. */
async function unreadMessages(db: Live, { userId }: Person): Promise<number> {
  const { n } = await db
    .selectFrom('message')
    .select(eb => eb.fn.countAll<string>().as('n'))
    .where('userId', '=', userId)
    .where('readTime', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** What the first page of a person shows: notices still to be confirmed, the latest ten, how many notices and messages are unread. */
export async function firstNotices(db: Live, person: Person, app: ScopesNow) {
  const [mustSure, latest, { unread }, messages] = await Promise.all([
    noticesFor(db, person, app)
      .select(['notice.id', 'notice.title', 'notice.content', 'notice.releaseTime'])
      .where('notice.needSure', '=', 1)
      .where(isUnsure)
      .orderBy('notice.releaseTime')
      .limit(20)
      .execute(),
    latestNotices(db, person, app, 10),
    noticeCounts(db, person, app),
    unreadMessages(db, person),
  ])
  return { mustSure, latest, unreadNum: unread + messages }
}
