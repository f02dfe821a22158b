import { sql } from 'kysely'
import type { Facts } from '#engine'
import { domainEvents } from '#resources/events'
import { UserType } from '#schemas/dictionaries'
import type { ScopesNow } from '../../../crud/scope-rule.ts'
import { type Live, updateUnstamped, withRemoved } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { page, pageOf } from '../../../platform/http/server/page.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { noticeCounts, noticePage } from '../../notices/server/lists.ts'
import type { InboxTab } from '../contract.ts'
import { type Wording, worded, wordingsOf } from './wording.ts'
import { addressOf, factsOf, type Language, sentenceOf } from './words.ts'

/** Whose inbox is read, and in which language. */
export interface Reader {
  readonly db: Live
  readonly app: ScopesNow
  readonly person: Person
  readonly language: Language
}

/** Lines of the inbox that can be reached page by page; older ones are found by the row they are about. */
const farthest = 1000

const own = ({ db, person }: Pick<Reader, 'db' | 'person'>) =>
  db.selectFrom('message as m').where('m.userId', '=', person.userId)

/** Messages with what is needed to put them into words. */
const messages = (reader: Reader) =>
  own(reader)
    .innerJoin(withRemoved('event as e'), 'e.id', 'm.eventId')
    .leftJoin(withRemoved('examination as x'), 'x.id', 'e.examId')
    .select(['m.id', 'm.code', 'm.subjectId', 'm.messageTime', 'm.until', 'm.readTime', 'm.doneTime'])
    .leftJoin('tenant as office', join => join.on(eb => eb.and({ 'office.tenantId': reader.person.tenantId })))
    .select(['e.facts', 'e.examId', 'x.examName', 'x.shortName'])
    // What belongs to no exam names whom to call in the office.
    .select(eb =>
      eb
        .case()
        .when('e.examId', 'is', null)
        .then(eb.ref('office.contactNumber'))
        .else(eb.ref('x.contactPhone'))
        .end()
        .as('contactPhone'),
    )

type MessageRow = Awaited<ReturnType<ReturnType<typeof messages>['execute']>>[number]

/** Messages in words, those of each exam in its own. */
async function linesOf({ db, language }: Reader, rows: readonly MessageRow[]) {
  const wordings = await wordingsOf(
    db,
    rows.map(one => one.examId),
  )
  return rows.map(row => lineOf(row, language, wordings))
}

function lineOf(row: MessageRow, language: Language, wordings: readonly Wording[]) {
  const preset = domainEvents.get(row.code)
  const definition = preset && worded(preset, row.examId, wordings)
  const facts = row.facts as Facts
  return {
    id: row.id,
    kind: 'message' as const,
    title: definition ? sentenceOf(definition, facts, row, language) : row.code,
    time: row.messageTime,
    read: row.readTime !== null,
    done: row.doneTime !== null,
    until: row.until,
    opens: definition ? addressOf(definition, { id: row.subjectId, examId: row.examId }) : '',
    facts: definition ? factsOf(definition, facts, language) : [],
    mustSure: false,
    isTop: false,
  }
}

/** Something can still be done about a message, and until when. */
const isOpen = (now: Date) => sql<boolean>`(m."doneTime" IS NULL AND m.until > ${now})`

async function noticeLines({ db, app, person }: Reader, query: { size: number; unread?: 1 }) {
  const found = await noticePage(db, person, app, { current: 1, ...query })
  const records = found.records.map(one => ({
    id: one.id,
    kind: 'notice' as const,
    title: one.title,
    time: one.releaseTime,
    read: one.read === 1,
    done: false,
    until: null,
    opens: person.userType === UserType.candidate ? `/signup/notice/${one.id}` : '',
    facts: [],
    mustSure: one.needSure === 1 && one.sure !== 1,
    isTop: one.isTop === 1,
  }))
  return { records, total: found.total }
}

async function messageLines(reader: Reader, tab: InboxTab, size: number) {
  const isUnread = sql<boolean>`m."readTime" IS NULL`
  const canBeDone = isOpen(reader.app.now())
  const [rows, { n }] = await Promise.all([
    messages(reader)
      .$if(tab === 'unread', query => query.where(isUnread))
      .$if(tab === 'todo', query => query.where(canBeDone))
      .orderBy('m.id', 'desc')
      .limit(size)
      .execute(),
    own(reader)
      .$if(tab === 'unread', query => query.where(isUnread))
      .$if(tab === 'todo', query => query.where(canBeDone))
      .select(eb => eb.fn.countAll<string>().as('n'))
      .executeTakeFirstOrThrow(),
  ])
  return { records: await linesOf(reader, rows), total: Number(n) }
}

const none = { records: [], total: 0 }

/** A page of a person's messages and notices together, the newest first; on tab `notice` pinned ones before. */
export async function inboxOf(
  reader: Reader,
  query: { tab?: InboxTab | undefined; current?: number | undefined; size?: number | undefined },
) {
  const { tab = 'all' } = query
  const place = pageOf(query)
  const until = Math.min(place.offset + place.size, farthest)
  const [told, notices] = await Promise.all([
    tab === 'notice' ? none : messageLines(reader, tab, until),
    tab === 'todo' ? none : noticeLines(reader, { size: until, ...(tab === 'unread' && { unread: 1 as const }) }),
  ])
  const lines = [...told.records, ...notices.records]
  if (tab !== 'notice') lines.sort((a, b) => b.time.getTime() - a.time.getTime())
  return page(lines.slice(place.offset, until), told.total + notices.total, place)
}

/** How many messages and notices are unread, how many notices are to be confirmed, how many messages something can be done about. */
export async function unreadOf(reader: Reader) {
  const [counted, notices] = await Promise.all([
    own(reader)
      .select(eb => [
        eb.fn.countAll<string>().filterWhere('m.readTime', 'is', null).as('unread'),
        eb.fn.countAll<string>().filterWhere(isOpen(reader.app.now())).as('todos'),
      ])
      .executeTakeFirstOrThrow(),
    noticeCounts(reader.db, reader.person, reader.app),
  ])
  const { unread, mustSure } = notices
  return { messages: Number(counted.unread), notices: unread, mustSure, todos: Number(counted.todos) }
}

/** One message of a person. @throws row.notFound for another's, too */
export async function messageOf(reader: Reader, id: string) {
  const row = await messages(reader).where('m.id', '=', id).executeTakeFirst()
  if (!row) throw refuse('row.notFound')
  return lineOf(row, reader.language, await wordingsOf(reader.db, [row.examId]))
}

/** The latest messages of a person, up to `limit`. */
export async function messagesFor(reader: Reader, limit: number) {
  const rows = await messages(reader).orderBy('m.id', 'desc').limit(limit).execute()
  return linesOf(reader, rows)
}

/** Marks messages as read: one, or all. @returns how many were unread @throws row.notFound for one that is another's */
export async function markRead(reader: Reader, id?: string): Promise<number> {
  if (id !== undefined) await messageOf(reader, id)
  const done = await updateUnstamped(reader.db, 'message')
    .set({ readTime: reader.app.now() })
    .where('userId', '=', reader.person.userId)
    .where('readTime', 'is', null)
    .$if(id !== undefined, query => query.where('id', '=', id ?? ''))
    .executeTakeFirst()
  return Number(done.numUpdatedRows)
}
