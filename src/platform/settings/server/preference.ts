import { sql } from 'kysely'
import type { Live } from '../../database/live.ts'
import { refuse } from '../../http/server/refusal.ts'

/** Bytes that what is kept under one name may have as JSON. */
const mostBytes = 8192
/** Names under which one person may keep something. */
const mostNames = 500

type Value = Readonly<Record<string, unknown>>

interface Change {
  readonly name: string
  readonly value: Value
}

const wrong = (field: string, msg: string) => refuse('input.invalid', { 说明: msg }, [{ field, msg }])

const isParts = (value: unknown): value is Value => typeof value === 'object' && value !== null && !Array.isArray(value)

/** One change for each name: of two the later counts. In the order of names, in which two calls wait for each other and never in a circle. */
function joined(changes: readonly Change[]): Change[] {
  const byName = new Map<string, Value>()
  for (const [at, { name, value }] of changes.entries()) {
    if (!isParts(value)) throw wrong(`changes.${at}.value`, '设置内容应为一组值')
    byName.set(name, { ...byName.get(name), ...value })
  }
  return [...byName].sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, value]) => ({ name, value }))
}

/** What a person has chosen, by name. */
export const preferencesOf = (db: Live, userId: string) =>
  db
    .selectFrom('preference')
    .select(['name', sql<Value>`jsonb_strip_nulls(value)`.as('value')])
    .where('userId', '=', userId)
    .orderBy('name')
    .execute()

/**
 * Puts the parts given in the place of those that a person had under the same names; other parts stay. Null takes a part away.
 * @throws input.invalid when there is more under a name, or more names, than fit
 */
export async function changePreferences(db: Live, userId: string, changes: readonly Change[]): Promise<void> {
  const kept = await db
    .insertInto('preference')
    .values(joined(changes).map(({ name, value }) => ({ userId, name, value: JSON.stringify(value) })))
    .onConflict(on =>
      on
        .columns(['userId', 'name'])
        .doUpdateSet({ value: sql<string>`jsonb_strip_nulls(preference.value || excluded.value)` }),
    )
    .returning(['name', sql<number>`octet_length(value::text)`.as('bytes')])
    .execute()
  const full = kept.find(({ bytes }) => bytes > mostBytes)
  if (full) throw wrong('changes', `「${full.name}」的设置内容过多`)
  const { names } = await db
    .selectFrom('preference')
    .select(({ fn }) => fn.countAll<string>().as('names'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  if (Number(names) > mostNames) throw wrong('changes', '个人设置过多')
}
