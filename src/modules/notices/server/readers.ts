import type { FastifyInstance } from 'fastify'
import { expressionBuilder, sql } from 'kysely'
import { commaList, type QueryOf } from '#engine'
import type { notice } from '#resources/notices/notice'
import { AccountStatus, NoticeStatus, SureState, UserType } from '#schemas/dictionaries'
import type { Derive } from '../../../crud/rules.ts'
import { inScope, scoped } from '../../../crud/scope.ts'
import type { Purpose } from '../../../crud/scope-rule.ts'
import { type Live, type LiveDatabase, withRemoved } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { page, pageOf } from '../../../platform/http/server/page.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import type { followedNotices, readerList } from '../contract.ts'
import { audience, audienceSize, namesExam } from './audience.ts'

/** Which of the people a notice is for, by what they have done. */
export const readerStates = ['unread', 'read', 'sure', 'unsure'] as const

/** What a list of readers may be asked for. */
export type ReaderQuery = QueryOf<typeof readerList>

/** Exams of the caller's scope that notices of a kind of audience are about. */
export const examsToFollow = (app: FastifyInstance, who: Person, scope1?: number) =>
  liveAs(app, who)
    .selectFrom('examination')
    .select(['examination.id', 'examination.examName'])
    .where(inScope(app, who, 'examination'))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('notice')
          .select('notice.id')
          .where('notice.noticeStatus', '<>', NoticeStatus.draft)
          .$if(scope1 !== undefined, query => query.where('notice.scope1', '=', scope1 as 1))
          .where(namesExam),
      ),
    )
    .orderBy('examination.createTime', 'desc')
    .limit(200)
    .execute()

/** Notices that somebody may have read, of a kind of audience and of an exam, the latest first. */
export const noticesToFollow = (app: FastifyInstance, who: Person, asked: QueryOf<typeof followedNotices>) =>
  liveAs(app, who)
    .selectFrom('notice')
    .select(['id', 'title', 'noticeType', 'scope1', 'needSure', 'noticeStatus', 'readNum', 'sureNum', 'releaseTime'])
    .where(inScope(app, who, 'notice'))
    .where('noticeStatus', '<>', NoticeStatus.draft)
    .$if(asked.scope1 !== undefined, query => query.where('scope1', '=', asked.scope1 as 1))
    .$if(asked.examId !== undefined, query =>
      query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('examination')
            .select('examination.id')
            .where('examination.id', '=', asked.examId as string)
            .where(inScope(app, who, 'examination'))
            .where(namesExam),
        ),
      ),
    )
    .orderBy('releaseTime', 'desc')
    .limit(200)
    .execute()

function isStaff() {
  const roles = expressionBuilder<LiveDatabase, never>()
    .selectFrom('role')
    .select('role.id')
    .where('role.isBack', '=', 1)
    .where(sql<boolean>`role.id::text = ANY(string_to_array(coalesce(u."roleId", ''), ','))`)
  return sql<boolean>`(u."userType" <> ${sql.lit(UserType.candidate)} AND EXISTS (${roles}))`
}
const isRead = sql<boolean>`(seen.id IS NOT NULL OR coalesce(r."sureState", 0) >= ${sql.lit(SureState.read)})`
const isSure = sql<boolean>`coalesce(r."sureState", 0) = ${sql.lit(SureState.confirmed)}`

const conditions = {
  read: isRead,
  unread: sql<boolean>`NOT ${isRead}`,
  sure: isSure,
  unsure: sql<boolean>`NOT ${isSure}`,
}

/** Everybody a notice is for, as `u`, and whoever has read it and is no longer meant. */
export function readersOf(app: FastifyInstance, who: Person, { noticeId, state, name }: ReaderQuery) {
  return liveAs(app, who)
    .selectFrom('notice')
    .innerJoin('user as u', join => join.onTrue())
    .leftJoin('noticeread as seen', join =>
      join.onRef('seen.noticeId', '=', 'notice.id').onRef('seen.userId', '=', 'u.id'),
    )
    .leftJoin('notifyread as r', join => join.onRef('r.noticeId', '=', 'notice.id').onRef('r.userId', '=', 'u.id'))
    .where('notice.id', '=', noticeId)
    .where(
      sql<boolean>`(${isRead} OR (u."accountStatus" = ${sql.lit(AccountStatus.active)} AND ${audience(sql<string>`u.id`, isStaff())}))`,
    )
    .$if(state !== undefined, query => query.where(conditions[state ?? 'read']))
    .$if(Boolean(name), query => query.where('u.realName', 'like', `%${(name ?? '').replace(/[\\%_]/g, '\\$&')}%`))
}

/** How many people each notice is for; nothing of one that nobody has been told yet, or that everybody may read. */
async function sizesOf(db: Live, ids: readonly string[]): Promise<ReadonlyMap<string, number | null>> {
  if (ids.length === 0) return new Map()
  const found = await db
    .selectFrom('notice')
    .select(['notice.id', audienceSize(isStaff()).as('n')])
    .where('notice.id', 'in', ids)
    .execute()
  return new Map(found.map(({ id, n }) => [id, n === null ? null : Number(n)]))
}

/** What the exams and stages are called that notices name; one that is removed keeps its name. */
async function namesOf(db: Live, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const [exams, stages] = await Promise.all([
    db
      .selectFrom(withRemoved('examination as e'))
      .select(['e.id', 'e.examName as name'])
      .where('e.id', 'in', ids)
      .execute(),
    db
      .selectFrom(withRemoved('examinationitem as i'))
      .innerJoin(withRemoved('examination as e'), 'e.id', 'i.examId')
      .select(['i.id', sql<string>`e."examName" || ' ' || i."itemName"`.as('name')])
      .where('i.id', 'in', ids)
      .execute(),
  ])
  return new Map([...exams, ...stages].map(({ id, name }) => [id, name]))
}

/** Whom each notice is for: how many, and what the exams or stages are called. */
export const deriveAudience: Derive<typeof notice> = async ({ app, person }, rows) => {
  const db = liveAs(app, person)
  const told = rows.filter(one => one.noticeStatus !== NoticeStatus.draft).map(one => one.id)
  const [sizes, names] = await Promise.all([
    sizesOf(db, told),
    namesOf(
      db,
      rows.flatMap(one => commaList(one.scope2)),
    ),
  ])
  return rows.map(({ id, scope2 }) => ({
    meantNum: sizes.get(id) ?? null,
    scopeNames: commaList(scope2)
      .map(one => names.get(one) ?? one)
      .join('、'),
  }))
}

const rowsOf = (readers: ReturnType<typeof readersOf>) =>
  readers
    .select(['u.id as userId', 'u.realName as name', 'u.userType', 'r.sureTime'])
    .select(eb => eb.fn.coalesce('seen.readTime', 'r.readTime').as('readTime'))
    .select(
      sql<number>`CASE WHEN ${isSure} THEN ${sql.lit(SureState.confirmed)}
        WHEN ${isRead} THEN ${sql.lit(SureState.read)} ELSE ${sql.lit(SureState.unread)} END`.as('sureState'),
    )
    .orderBy('readTime')
    .orderBy('u.id')

/**
 * The notice of a call.
 * @param purpose `change` where its readers are about to be written to
 * @throws row.notFound when it is not there, or about an exam that is not the caller's
 */
export async function followed(app: FastifyInstance, who: Person, noticeId: string, purpose: Purpose = 'meet') {
  const notice = await scoped(app, who, 'notice', app, purpose)
    .select(['id', 'title', 'examId', 'needSure', 'noticeType', 'noticeStatus'])
    .where('id', '=', noticeId)
    .executeTakeFirst()
  if (!notice) throw refuse('row.notFound')
  return notice
}

/** A page of the people a notice is for, with what each has done, and how many there are of each kind. */
export async function readerPage(app: FastifyInstance, who: Person, query: ReaderQuery) {
  const place = pageOf(query)
  const { state: _, ...everybody } = query
  const sums = readersOf(app, who, everybody)
    .select(eb => [
      eb.fn.countAll<string>().as('total'),
      eb.fn.countAll<string>().filterWhere(isRead).as('read'),
      eb.fn.countAll<string>().filterWhere(isSure).as('sure'),
    ])
    .executeTakeFirstOrThrow()
  const [rows, n] = await Promise.all([
    rowsOf(readersOf(app, who, query))
      .limit(place.size)
      .offset(place.offset)
      .execute(),
    sums,
  ])
  const [total, read, sure] = [Number(n.total), Number(n.read), Number(n.sure)]
  const counts = { total, read, unread: total - read, sure, unsure: total - sure }
  return { ...page(rows, counts[query.state ?? 'total'], place), counts }
}

/** Everybody a notice is for, as rows of a sheet. */
export async function readerRows(app: FastifyInstance, who: Person, query: ReaderQuery) {
  const words = ['未读', '已读', '已确认']
  const rows = await rowsOf(readersOf(app, who, query)).execute()
  return rows.map(row => [
    row.name,
    row.userType === UserType.candidate ? '考生' : '工作人员',
    words[row.sureState],
    row.readTime,
    row.sureTime,
  ])
}
