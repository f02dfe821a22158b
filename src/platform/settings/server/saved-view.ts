import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { isEveryRow } from '#engine'
import { resources, views } from '#resources'
import type { savedview } from '#resources/system/savedview'
import { ViewAudience } from '#schemas/dictionaries'
import type { ViewContent } from '#schemas/system/savedview'
import { findResource } from '../../../crud/lookup.ts'
import { countEach } from '../../../crud/query.ts'
import type { Query } from '../../../crud/read.ts'
import type { HandlerOf } from '../../../crud/rules.ts'
import { admitted } from '../../../crud/view.ts'
import { type Live, removeRows } from '../../database/live.ts'
import { withDays } from '../../http/rules/day-words.ts'
import type { Person } from '../../http/server/access.ts'
import { liveAs } from '../../http/server/live.ts'
import { refuse } from '../../http/server/refusal.ts'
import { wireDay } from '../../http/server/wire.ts'

/** Bytes that one view may have as JSON. */
const mostBytes = 8192
/** Views that one person may have. */
const most = 200

const wrong = (field: string, msg: string) => refuse('input.invalid', { 说明: msg }, [{ field, msg }])

/** The views that somebody has made and those that are shared with this person, in the order of their titles. */
export const savedViewsOf = async (db: Live, { userId, roleIds }: Person) =>
  (
    await db
      .selectFrom('savedview')
      .select(['id', 'resource', 'title', 'audience', 'roles', 'content', 'userId'])
      .where(eb =>
        eb.or([
          eb('userId', '=', userId),
          eb('audience', '=', ViewAudience.everyone),
          eb.and([
            eb('audience', '=', ViewAudience.roles),
            sql<boolean>`string_to_array(roles, ',') && ${[...roleIds]}::text[]`,
          ]),
        ]),
      )
      .orderBy('title')
      .orderBy('id')
      .execute()
  ).map(({ userId: owner, ...view }) => ({ ...view, isMine: owner === userId }))

/** Views of one list whose rows are counted at most. */
const mostCounted = 50

/** The filters of the place where a list stands, by their names on the wire. @throws input.invalid */
function placeOf(text: string | undefined): Query {
  try {
    const found: unknown = JSON.parse(text || '{}')
    if (typeof found === 'object' && found !== null && !Array.isArray(found)) return texts(found)
  } catch {
    // It is said below.
  }
  throw wrong('within', '应为JSON对象')
}

/** Values as the address of a call carries them. */
const texts = (values: object): Query =>
  Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) =>
      value === null || value === undefined ? [] : [[key, String(value)]],
    ),
  )

/**
 * How many rows each of the person's views of a list has, of the place where the list stands.
 * @param within the filters of that place, as JSON
 * @throws input.invalid
 */
export async function countSavedViews(
  app: FastifyInstance,
  caller: Person,
  { resource: name, within }: { readonly resource: string; readonly within?: string | undefined },
): Promise<{ id: string; number: number }[]> {
  const place = placeOf(within)
  const screen = [...resources, ...views].find(one => one.name === name)
  const resource = findResource(screen?.view?.of ?? name)
  const person = resource && admitted(caller, [resource.code])
  if (!screen || !person) return []
  const found = (await savedViewsOf(liveAs(app, caller), caller)).filter(one => one.resource === name)
  const counted = found.slice(0, mostCounted)
  const now = app.now().getTime()
  const queries = counted.map(({ content }): Query => {
    const { filters = {}, chip } = content as ViewContent
    const days = withDays(filters, away => wireDay(new Date(now + away * 86_400_000)))
    return { ...place, ...texts(days), ...(chip && !isEveryRow(screen.views[chip]) && { chip }) }
  })
  const numbers = await countEach({ app, person, resource }, queries)
  return counted.flatMap(({ id }, at) => {
    const number = numbers[at]
    return number === null || number === undefined ? [] : [{ id, number }]
  })
}

interface Kept {
  readonly id?: string
  readonly resource: string
  readonly title: string
  readonly content: ViewContent
}

/**
 * Keeps a view, or changes one of the person's own; who sees it stays as it is.
 * @returns its id
 * @throws row.notFound for a view that is not this person's, input.invalid for more than fits
 */
export async function keepSavedView(db: Live, userId: string, { id, resource, title, content }: Kept): Promise<string> {
  const text = JSON.stringify(content)
  if (Array.isArray(content)) throw wrong('content', '视图内容应为一组值')
  if (Buffer.byteLength(text) > mostBytes) throw wrong('content', '视图内容过多')
  if (id) {
    const changed = await db
      .updateTable('savedview')
      .set({ title, content: text })
      .where('id', '=', id)
      .where('userId', '=', userId)
      .where('resource', '=', resource)
      .returning('id')
      .executeTakeFirst()
    if (!changed) throw refuse('row.notFound')
    return changed.id
  }
  const { number } = await db
    .selectFrom('savedview')
    .select(({ fn }) => fn.countAll<string>().as('number'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  if (Number(number) >= most) throw wrong('title', '列表视图过多，请先删除不用的')
  const row = { resource, title, content: text, userId, audience: ViewAudience.me }
  const made = await db.insertInto('savedview').values(row).returning('id').executeTakeFirstOrThrow()
  return made.id
}

/** Forgets a view of the person's own. One that is gone already may be forgotten again. */
export async function dropSavedView(db: Live, userId: string, id: string): Promise<void> {
  await removeRows(db, 'savedview').where('id', '=', id).where('userId', '=', userId).execute()
}

/** Says who sees a view: of one's own, or of anybody's that is shared, for whoever looks after them. */
export const shareSavedView: HandlerOf<typeof savedview, 'share'> = async ({ db, person, id, values }) => {
  const { audience, roles } = values
  if (audience === ViewAudience.roles && !roles) throw wrong('roles', '请选择可见角色')
  const isShared = [ViewAudience.roles, ViewAudience.everyone]
  const changed = await db
    .updateTable('savedview')
    .set({ audience, roles: audience === ViewAudience.roles ? roles : null })
    .where('id', '=', id)
    .where(eb =>
      eb.or([
        eb('userId', '=', person.userId),
        ...(person.permissions.has('savedview') ? [eb('audience', 'in', isShared)] : []),
      ]),
    )
    .returning('id')
    .executeTakeFirst()
  if (!changed) throw refuse('row.notFound')
}
