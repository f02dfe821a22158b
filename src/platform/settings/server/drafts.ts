import type { FastifyInstance } from 'fastify'
import type { ColumnType } from 'kysely'
import { type Entity, type Fields, fieldOf, type Resource } from '#engine'
import { resources } from '#resources'
import { actionsOf } from '../../../crud/action.ts'
import { type Live, liveAcross } from '../../database/live.ts'

/** A form that somebody has begun to fill in; `content` is sealed. */
interface DraftTable {
  id: ColumnType<string, never, never>
  userId: string
  form: string
  rowId: string
  key: string
  content: string
  savedTime: Date
}

declare module '../../database/tables.ts' {
  interface InternalTables {
    draft: DraftTable
  }
}

/** Milliseconds that a draft is kept after its last change. */
const keep = 30 * 86_400_000
/** Drafts of one person, at most; the oldest go. */
const most = 100

/** Values by the name of their input. */
type Values = Readonly<Record<string, unknown>>

/** What a form held, and what it held when it was opened. */
export interface DraftContent {
  readonly values: Values
  readonly base: Values
}

/** A form of a person: `user`, or `payrecord/exempt` for the questions of an action, and the row that it is about. */
export interface DraftPlace {
  readonly userId: string
  readonly form: string
  /** Empty for a row that is not there yet. */
  readonly rowId: string
}

/** The fields whose inputs a form has; none where it is made by hand. */
function fieldsOf(form: string): Fields {
  const [name, act = ''] = form.split('/')
  const resource = (resources as readonly Resource[]).find(one => one.name === name)
  if (!resource) return {}
  const action = actionsOf(resource)[act]
  const own = (action?.input ?? []).flatMap(one => Object.entries({ [one]: fieldOf(resource.entity as Entity, one) }))
  return act ? { ...(Object.fromEntries(own) as Fields), ...action?.ask } : resource.entity.properties
}

/** Values without secrets, which nobody is given back; those of the rows in a form among them. */
function withoutSecrets(form: string, values: Values): Values {
  const fields = fieldsOf(form)
  const kept = Object.entries(values).filter(([name]) => fields[name]?.kind !== 'secret')
  const rows = kept.map(([name, value]) => {
    if (fields[name] || !Array.isArray(value)) return [name, value]
    return [
      name,
      value.map(row => (typeof row === 'object' && row !== null ? withoutSecrets(name, row as Values) : row)),
    ]
  })
  return Object.fromEntries(rows)
}

/** Keeps what a form holds, in place of what was kept of it before. Secrets are left out. */
export async function keepDraft(
  { vault, now }: FastifyInstance,
  db: Live,
  { userId, form, rowId }: DraftPlace,
  key: string,
  { values, base }: DraftContent,
): Promise<void> {
  const kept: DraftContent = { values: withoutSecrets(form, values), base: withoutSecrets(form, base) }
  const row = { key, content: vault.seal(JSON.stringify(kept)), savedTime: now() }
  await db
    .insertInto('draft')
    .values({ userId, form, rowId, ...row })
    .onConflict(on => on.columns(['userId', 'form', 'rowId']).doUpdateSet(row))
    .execute()
  const newest = db
    .selectFrom('draft')
    .select('id')
    .where('userId', '=', userId)
    .orderBy('savedTime', 'desc')
    .limit(most)
  await db.deleteFrom('draft').where('userId', '=', userId).where('id', 'not in', newest).execute()
}

/** What is kept of a form; undefined for nothing. */
export async function readDraft({ vault, now }: FastifyInstance, db: Live, { userId, form, rowId }: DraftPlace) {
  const row = await db
    .selectFrom('draft')
    .select(['key', 'content', 'savedTime'])
    .where('userId', '=', userId)
    .where('form', '=', form)
    .where('rowId', '=', rowId)
    .where('savedTime', '>', new Date(now().getTime() - keep))
    .executeTakeFirst()
  if (!row) return undefined
  const { values, base } = JSON.parse(vault.open(row.content)) as DraftContent
  return { key: row.key, time: row.savedTime, values, base }
}

/** Forgets what is kept of a form. */
export const dropDraft = (db: Live, { userId, form, rowId }: DraftPlace) =>
  db.deleteFrom('draft').where('userId', '=', userId).where('form', '=', form).where('rowId', '=', rowId).execute()

/** Forgets what has been kept too long, of all people. */
export const dropOldDrafts = (app: FastifyInstance) =>
  liveAcross(app, app)
    .deleteFrom('draft')
    .where('savedTime', '<', new Date(app.now().getTime() - keep))
    .execute()
