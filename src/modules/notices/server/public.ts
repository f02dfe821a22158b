import { sql } from 'kysely'
import type { QueryOf } from '#engine'
import { NoticeStatus } from '#schemas/dictionaries'
import { anywhere } from '../../../platform/database/like.ts'
import { type Live, updateUnstamped } from '../../../platform/database/live.ts'
import { page, pageOf } from '../../../platform/http/server/page.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import type { newsList } from '../contract.ts'

/** Where and when somebody asks. */
export interface Around {
  db: Live
  now: Date
}

/** What a list of news or files may be asked for. */
type ContentQuery = QueryOf<typeof newsList>

const words = (db: Live, code: string) =>
  db
    .selectFrom('dict_biz')
    .select(['dictKey as key', 'dictValue as label'])
    .where('code', '=', code)
    .where('dictKey', '<>', '-1')
    .where('isSealed', '=', 0)
    .orderBy('sort')
    .execute()

/** News that anybody may read now, as a condition on table `news`. */
const isOnline = ({ now }: Around) =>
  sql<boolean>`("newsStatus" = ${sql.lit(NoticeStatus.released)} AND "releaseTime" <= ${now})`

/** A page of the news that are online, pinned ones first, with the categories there are. */
export async function newsPage(around: Around, query: ContentQuery) {
  const place = pageOf(query)
  const found = around.db
    .selectFrom('news')
    .where(isOnline(around))
    .$if(Boolean(query.category), q => q.where('category', '=', query.category as never))
    .$if(Boolean(query.keyword), q =>
      q.where(eb =>
        eb.or([eb('title', 'ilike', anywhere(query.keyword!)), eb('content', 'ilike', anywhere(query.keyword!))]),
      ),
    )
  const [rows, n, categories] = await Promise.all([
    found
      .select(['id', 'title', 'category', 'cover', 'summary', 'source', 'releaseTime', 'isTop', 'viewNum'])
      .orderBy('isTop', 'desc')
      .orderBy('releaseTime', 'desc')
      .orderBy('id', 'desc')
      .limit(place.size)
      .offset(place.offset)
      .execute(),
    found.select(eb => eb.fn.countAll<string>().as('n')).executeTakeFirstOrThrow(),
    words(around.db, 'news_category'),
  ])
  return { ...page(rows, Number(n.n), place), categories }
}

/** One piece of news in full; reading it counts. @throws row.notFound when it is not online */
export async function newsOf(around: Around, id: string) {
  const row = await around.db
    .selectFrom('news')
    .select(['id', 'title', 'category', 'cover', 'summary', 'content', 'source', 'author', 'releaseTime'])
    .where('id', '=', id)
    .where(isOnline(around))
    .executeTakeFirst()
  if (!row) throw refuse('row.notFound')
  // Who reads changes nothing, so the stamps stay.
  const { viewNum } = await updateUnstamped(around.db, 'news')
    .set({ viewNum: sql`coalesce("viewNum", 0) + 1` })
    .where('id', '=', id)
    .returning('viewNum')
    .executeTakeFirstOrThrow()
  return { ...row, viewNum }
}

/** A page of the files that are offered to everybody, with the categories there are. */
export async function filesPage({ db }: Around, query: ContentQuery) {
  const place = pageOf(query)
  const found = db
    .selectFrom('files')
    .where('filesStatus', '=', NoticeStatus.released)
    .$if(Boolean(query.category), q => q.where('category', '=', query.category as never))
    .$if(Boolean(query.keyword), q => q.where('fileName', 'ilike', anywhere(query.keyword!)))
  const [rows, n, categories] = await Promise.all([
    found
      .select(['id', 'fileName', 'category', 'attachId', 'fileSize', 'ext', 'downNum'])
      .orderBy('sort', order => order.asc().nullsLast())
      .orderBy('id', 'desc')
      .limit(place.size)
      .offset(place.offset)
      .execute(),
    found.select(eb => eb.fn.countAll<string>().as('n')).executeTakeFirstOrThrow(),
    words(db, 'file_category'),
  ])
  return { ...page(rows, Number(n.n), place), categories }
}
