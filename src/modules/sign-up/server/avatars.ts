import type { FastifyInstance } from 'fastify'
import type { QueryOf } from '#engine'
import { SignStatus } from '#schemas/dictionaries'
import { scoped } from '../../../crud/scope.ts'
import type { Caller, Db } from '../../../platform/access/server/caller.ts'
import { signedUrl } from '../../../platform/attachments/server/links.ts'
import { openPicture } from '../../../platform/files/picture.ts'
import { page, pageOf } from '../../../platform/http/server/page.ts'
import type { photoWall } from '../contract.ts'

/** Pixels an exam asks of its photos. */
async function wantedSize(db: Db, examId: string): Promise<{ width: number; height: number }> {
  const slot = await db
    .selectFrom('examsignfiles')
    .select(['photoW', 'photoH'])
    .where('examId', '=', examId)
    .where('isPhoto', '=', 1)
    .executeTakeFirst()
  return { width: slot?.photoW ?? 295, height: slot?.photoH ?? 413 }
}

/** Width and height of a stored picture; null when it is gone or none. */
async function pixelsOf(app: FastifyInstance, key: string): Promise<{ width: number; height: number } | null> {
  try {
    const { width, height } = await (await openPicture(await app.storage.get(key))).metadata()
    return { width, height }
  } catch {
    return null
  }
}

/** The people of an exam with their photos, whose addresses open for five minutes; `state` says what is wrong with one. */
export async function photosOf(app: FastifyInstance, caller: Caller, query: QueryOf<typeof photoWall>) {
  const place = pageOf(query)
  const base = scoped(app, caller.person, 'signup')
    .where('examId', '=', query.examId)
    .where('signStatus', '=', SignStatus.submitted)
    .$if(Boolean(query.unit), q => q.where('finalUnit', '=', query.unit!))
    .$if(Boolean(query.code), q => q.where('finalCode', '=', query.code!))
    .$if(query.missing === 1, q => q.where('photo', 'is', null))
  const [rows, total, wanted] = await Promise.all([
    base
      .leftJoin('attach as a', 'a.id', 'signup.photo')
      .select(['signup.id', 'signup.signNo', 'signup.name', 'signup.finalUnit', 'signup.finalCode', 'signup.photo'])
      .select('a.name as key')
      .orderBy('signup.signNo')
      .limit(place.size)
      .offset(place.offset)
      .execute(),
    base.select(eb => eb.fn.countAll<string>().as('n')).executeTakeFirstOrThrow(),
    wantedSize(caller.db, query.examId),
  ])
  const records = await Promise.all(
    rows.map(async row => {
      const pixels = row.key ? await pixelsOf(app, row.key) : null
      const fits = pixels?.width === wanted.width && pixels.height === wanted.height
      return {
        signupId: row.id,
        signNo: row.signNo,
        name: row.name,
        unit: row.finalUnit,
        code: row.finalCode,
        photoUrl: row.photo && pixels ? signedUrl(caller, row.photo) : '',
        width: pixels?.width,
        height: pixels?.height,
        state: pixels ? (fits ? ('ok' as const) : ('odd' as const)) : ('missing' as const),
      }
    }),
  )
  return { ...page(records, Number(total.n), place), wanted }
}
