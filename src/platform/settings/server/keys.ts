import { type Kysely, sql } from 'kysely'
import { EnableStatus, OssVendor } from '#schemas/dictionaries'
import type { Handler, Hooks, Values } from '../../../crud/rule-types.ts'
import { paramsOf } from '../../channels/sms/sms-text.ts'
import type { Database } from '../../database/database.ts'
import { refuse } from '../../http/server/refusal.ts'
import { isOwnRepeat } from '../../http/server/repeated.ts'

const names = ['accessKey', 'secretKey'] as const

type Channel = 'sms' | 'oss'

const given = (source: unknown, name: string): string =>
  typeof source === 'object' && source !== null ? String((source as Values)[name] ?? '').trim() : ''

const missing = (field: string, msg: string) => refuse(29005, { 说明: msg }, [{ field, msg }])

/** What a storage elsewhere needs; the local folder needs nothing. */
function checkRemote(row: Values, hasKey: (name: string) => boolean): void {
  if (row.category === OssVendor.local) return
  for (const [name, label] of [
    ['endpoint', '资源地址'],
    ['bucketName', '空间名'],
  ] as const)
    if (!row[name]) throw missing(name, `请输入${label}`)
  for (const name of names) if (!hasKey(name)) throw missing(name, `请输入${name}`)
}

/** Places without which a template that the server itself sends with would say nothing. */
const places: Readonly<Record<string, string>> = { validate: 'code', claim: 'result' }

function checkTemplate({ smsCode, templateContent }: Values): void {
  const place = places[String(smsCode ?? '').trim()]
  if (!place || paramsOf(String(templateContent ?? '')).includes(place)) return
  throw missing('templateContent', `模板内容须包含变量「${place}」，写在花括号中`)
}

/**
 * Rules of a channel's settings. Access keys are needed again in clear, so they are sealed, not hashed like passwords; they
 * never leave the server, and one that is not sent stays.
 */
export const channelHooks = (table: Channel): Hooks => ({
  async beforeSubmit({ request }, values, before) {
    const { accessKey: _a, secretKey: _s, ...kept } = values
    const hasKey = (name: string) => given(request.body, name) !== '' || Boolean(before?.[name])
    if (table === 'oss') checkRemote({ ...before, ...kept }, hasKey)
    if (table === 'sms') checkTemplate({ ...before, ...kept })
    return kept
  },
  async afterSubmit({ trx, app, request }, row) {
    const sent = names.filter(name => given(request.body, name) !== '')
    for (const name of sent)
      await sql`UPDATE ${sql.table(table)} SET ${sql.ref(name)} = ${app.vault.seal(given(request.body, name))}
        WHERE id = ${row.id}`.execute(trx)
  },
  async beforeRemove(_ctx, rows) {
    if (rows.some(row => row[`${table}Status`] === 1)) throw refuse(29009)
  },
})

/** Puts one channel of a tenant into use and every other one out of it. Two callers at once: the later one counts. */
async function enableOnly(
  db: Kysely<Database>,
  table: Channel,
  { tenantId, userId, now }: { tenantId: string; userId: string; now: Date },
  id: string,
): Promise<void> {
  const state = sql.ref(`${table}Status`)
  await db.transaction().execute(async trx => {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${table} ${tenantId}`}, 8440))`.execute(trx)
    const { rows } = await sql<{ id: string; state: number; updateUser: string | null }>`
      SELECT id, ${state} AS state, "updateUser"::text AS "updateUser" FROM ${sql.table(table)} WHERE "tenantId" = ${tenantId} AND "isDeleted" = 0
        AND (id = ${id} OR ${state} = 1) FOR UPDATE`.execute(trx)
    const asked = rows.find(row => row.id === id)
    if (!asked) throw refuse(29001)
    if (isOwnRepeat(asked, asked.state === EnableStatus.enabled, { userId })) return
    if (asked.state === EnableStatus.enabled) throw refuse(29009)
    await sql`UPDATE ${sql.table(table)} SET ${state} = CASE WHEN id = ${id} THEN 1 ELSE 0 END,
      "updateUser" = ${userId}, "updateTime" = ${now} WHERE id = ANY(${rows.map(row => row.id)}::bigint[])`.execute(trx)
  })
}

/** The action 启用 of a channel's settings. */
export const enableChannel =
  (table: Channel): Handler =>
  async ({ app, person, now, ids }) => {
    await enableOnly(app.db, table, { ...person, now }, String(ids[0]))
    return {}
  }
