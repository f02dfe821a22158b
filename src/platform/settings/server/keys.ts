import { sql } from 'kysely'
import type { Row } from '#engine'
import { EnableStatus } from '#schemas/dictionaries'
import type { Sms } from '#schemas/resource/sms'
import type { Hooks } from '../../../crud/rules.ts'
import { paramsOf } from '../../channels/sms/sms-text.ts'
import type { Live } from '../../database/live.ts'
import type { Person } from '../../http/server/access.ts'
import { refuse } from '../../http/server/refusal.ts'
import type { Vault } from '../../vault/vault.ts'

/** The access keys of a channel. */
export const accessKeys = ['accessKey', 'secretKey'] as const

const missing = (field: string, msg: string) => refuse('input.invalid', { 说明: msg }, [{ field, msg }])

/** Places without which a template that the server itself sends with would say nothing. */
const places: Readonly<Record<string, string>> = { validate: 'code', claim: 'result' }

function checkTemplate({ smsCode, templateContent }: Partial<Row<typeof Sms>>): void {
  const place = places[(smsCode ?? '').trim()]
  if (!place || paramsOf(templateContent ?? '').includes(place)) return
  throw missing('templateContent', `模板内容须包含变量「${place}」，写在花括号中`)
}

/** Secrets of a channel as a submit gives them. */
type Secrets<N extends string> = { readonly [K in N]?: string | null | undefined }

/**
 * Secrets as they are kept. They are needed again in clear, so they are sealed, not hashed like passwords; they never leave
 * the server, and one that is not sent stays; one that is empty was not sent.
 */
export function sealedKeys<const N extends string>(
  vault: Vault,
  given: Secrets<N>,
  names: readonly N[],
): { [K in N]: string | undefined } {
  const sealed = (name: N) => {
    const sent = (given[name] ?? '').trim()
    return [name, sent === '' ? undefined : vault.seal(sent)]
  }
  return Object.fromEntries(names.map(sealed)) as { [K in N]: string | undefined }
}

/** Rules of the settings of a channel for text messages. */
export const smsHooks: Hooks<typeof Sms> = {
  async beforeSubmit({ set, app }, given, before) {
    checkTemplate({ ...before, ...given })
    set(sealedKeys(app.vault, given, accessKeys))
    // What was changed has its chance.
    if (before?.pausedTime) set({ pausedTime: null, pauseReason: null })
  },
}

/** A channel that is put into use puts every other one of its kind out of it. Two callers at once: the later one counts. */
export async function disableOthers(
  db: Live,
  table: 'oss' | 'mail' | 'wechat',
  { tenantId }: Pick<Person, 'tenantId'>,
  id: string,
): Promise<void> {
  const column = `${table}Status` as const
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${table} ${tenantId}`}, 8440))`.execute(db)
  await db
    .updateTable(table)
    .set({ [column]: EnableStatus.disabled })
    .where('id', '<>', id)
    .where(column, '=', EnableStatus.enabled)
    .execute()
}
