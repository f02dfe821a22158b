import { sql } from 'kysely'
import type { Row } from '#engine'
import { EnableStatus } from '#schemas/dictionaries'
import type { Sms } from '#schemas/resource/sms'
import type { Handler, Hooks } from '../../../crud/rules.ts'
import { paramsOf } from '../../channels/sms/sms-text.ts'
import type { Live } from '../../database/live.ts'
import type { Person } from '../../http/server/access.ts'
import { refuse } from '../../http/server/refusal.ts'
import { isOwnRepeat } from '../../http/server/repeated.ts'
import type { Vault } from '../../vault/vault.ts'

const names = ['accessKey', 'secretKey'] as const

type Channel = 'sms' | 'oss'

const missing = (field: string, msg: string) => refuse('input.invalid', { 说明: msg }, [{ field, msg }])

/** Places without which a template that the server itself sends with would say nothing. */
const places: Readonly<Record<string, string>> = { validate: 'code', claim: 'result' }

function checkTemplate({ smsCode, templateContent }: Partial<Row<typeof Sms>>): void {
  const place = places[(smsCode ?? '').trim()]
  if (!place || paramsOf(templateContent ?? '').includes(place)) return
  throw missing('templateContent', `模板内容须包含变量「${place}」，写在花括号中`)
}

/** The access keys of a channel as a submit gives them. */
interface GivenKeys {
  readonly accessKey?: string | null | undefined
  readonly secretKey?: string | null | undefined
}

/** An access key that was sent; one that is empty was not. */
const sentKey = (given: GivenKeys, name: (typeof names)[number]): string => (given[name] ?? '').trim()

/**
 * Access keys as they are kept. They are needed again in clear, so they are sealed, not hashed like passwords; they never leave
 * the server, and one that is not sent stays.
 */
export function sealedKeys(vault: Vault, given: GivenKeys): GivenKeys {
  const sealed = (name: (typeof names)[number]) => {
    const sent = sentKey(given, name)
    return sent === '' ? undefined : vault.seal(sent)
  }
  return { accessKey: sealed('accessKey'), secretKey: sealed('secretKey') }
}

/** Rules of the settings of a channel for text messages. */
export const smsHooks: Hooks<typeof Sms> = {
  async beforeSubmit({ set, app }, given, before) {
    checkTemplate({ ...before, ...given })
    const { accessKey, secretKey } = sealedKeys(app.vault, given)
    set({ accessKey: accessKey ?? undefined, secretKey })
  },
  async beforeRemove(_ctx, rows) {
    if (rows.some(row => row.smsStatus === EnableStatus.enabled)) throw refuse('row.wrongState')
  },
}

/** Puts one channel of a tenant into use and every other one out of it. Two callers at once: the later one counts. */
async function enableOnly(db: Live, table: Channel, { tenantId, userId }: Person, id: string): Promise<void> {
  const column = `${table}Status` as 'smsStatus'
  const channel = table as 'sms'
  await db.transaction().execute(async trx => {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${table} ${tenantId}`}, 8440))`.execute(trx)
    const rows = await trx
      .selectFrom(channel)
      .select(['id', `${column} as state`, 'updateUser'])
      .where(eb => eb.or([eb('id', '=', id), eb(column, '=', EnableStatus.enabled)]))
      .forNoKeyUpdate()
      .execute()
    const asked = rows.find(row => row.id === id)
    if (!asked) throw refuse('row.notFound')
    if (isOwnRepeat(asked, asked.state === EnableStatus.enabled, { userId })) return
    if (asked.state === EnableStatus.enabled) throw refuse('row.wrongState')
    const others = rows.filter(row => row.id !== id).map(row => row.id)
    if (others.length > 0)
      await trx
        .updateTable(channel)
        .set({ [column]: EnableStatus.disabled })
        .where('id', 'in', others)
        .execute()
    await trx
      .updateTable(channel)
      .set({ [column]: EnableStatus.enabled })
      .where('id', '=', id)
      .execute()
  })
}

/** The action 启用 of a channel's settings. */
export const enableChannel =
  (table: Channel): Handler =>
  async ({ db, person, id }) => {
    await enableOnly(db, table, person, id)
    return {}
  }
