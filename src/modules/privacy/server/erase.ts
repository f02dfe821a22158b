import { sql } from 'kysely'
import type { Entity, Field } from '#engine'
import { AccountStatus } from '#schemas/dictionaries'
import { endSessions } from '../../../platform/auth/server/session.ts'
import { type Live, type LiveTrx, raw } from '../../../platform/database/live.ts'
import type { Vault } from '../../../platform/vault/vault.ts'
import { column, leadingIds, type PersonalEntity, personalEntities, tableFor } from './kinds.ts'

/** What stands where a name or number was. */
const erasedText = '已清除'
/** What stands where a date was that cannot be left out. */
const erasedDate = '1900-01-01'

const telling: readonly Field['kind'][] = ['sealed', 'image', 'file']

/** Names of the fields of an entity that go when the data of its person are erased. */
export function blankedFields(entity: Entity): readonly string[] {
  return Object.entries(entity.properties).flatMap(([name, field]) => {
    const isTelling = telling.includes(field.kind) || entity.personal.includes(name)
    // A picture that a row must have stays with it.
    const isFixed = (field.kind === 'image' || field.kind === 'file') && !field.optional
    const then = field.keep?.then ?? entity.keep?.then
    return isTelling && !isFixed && then === 'blank' ? [name] : []
  })
}

/** The columns of a field without what was in them. */
function blank(name: string, field: Field, vault: Vault): Record<string, unknown> {
  if (field.kind === 'sealed')
    return field.optional
      ? { [name]: null, [`${name}Hash`]: null, [`${name}Mask`]: null }
      : { [name]: vault.seal(erasedText), [`${name}Hash`]: null, [`${name}Mask`]: erasedText }
  if (field.optional) return { [name]: null }
  if (field.kind === 'json') return { [name]: JSON.stringify(isList(field.of) ? [] : {}) }
  if (field.kind === 'date') return { [name]: erasedDate }
  // No other row may have the same text.
  return { [name]: field.unique ? sql`${`${erasedText}-`} || id::text` : erasedText }
}

const isList = (of: unknown): boolean => (of as { shape?: string } | undefined)?.shape === 'list'

/** Ids of files that some values name, in lists and objects, too. */
function filesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return /^[0-9]{1,20}$/.test(value) ? [value] : []
  if (Array.isArray(value)) return value.flatMap(filesIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) =>
    name === 'attachId' || typeof one === 'object' ? filesIn(one) : [],
  )
}

/** What was erased, by kind: how many rows went, and how many lost who they are about. */
interface Erased {
  readonly kinds: Readonly<Record<string, { readonly erased: number; readonly blanked: number }>>
  readonly files: number
}

/**
 * Erases what need not be kept of a person, removed rows included: whole rows, or what tells in them who it is. Files go with the next
 * tidying of the storage. Whoever had the account cannot sign in any more.
 */
export async function erasePerson(trx: LiveTrx, vault: Vault, userId: string, now: Date): Promise<Erased> {
  // The rows are those of one person, whom the live handle has found; what was removed of them is kept, too.
  const all = raw(trx) as unknown as Live
  const led = await leadingIds(all, userId)
  const kinds: Record<string, { erased: number; blanked: number }> = {}
  const files = new Set<string>()
  for (const entity of personalEntities) {
    const ids = [...led(entity)]
    if (ids.length === 0) continue
    const done = { erased: 0, blanked: 0 }
    if (entity.keep?.then === 'erase') done.erased = await eraseRows(all, entity, ids)
    else done.blanked = await blankRows(all, entity, { ids, vault, files, now })
    if (done.erased + done.blanked > 0) kinds[entity.name] = done
  }
  await closeAccount(trx, userId, now)
  const ids = [...files]
  if (ids.length > 0)
    await all
      .updateTable('attach')
      .set({ isDeleted: 1, updateTime: now } as never)
      .where('id', 'in', ids)
      .execute()
  return { kinds, files: ids.length }
}

async function eraseRows(all: Live, entity: PersonalEntity, ids: string[]): Promise<number> {
  const { numDeletedRows } = await all
    .deleteFrom(tableFor(entity))
    .where(column(entity.about), 'in', ids)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

interface Blanking {
  readonly ids: string[]
  readonly vault: Vault
  readonly files: Set<string>
  readonly now: Date
}

async function blankRows(all: Live, entity: PersonalEntity, { ids, vault, files, now }: Blanking): Promise<number> {
  const names = blankedFields(entity)
  if (names.length === 0) return 0
  const holding = names.filter(name => ['image', 'file', 'json'].includes(entity.properties[name]?.kind ?? ''))
  if (holding.length > 0) {
    const rows = await all
      .selectFrom(tableFor(entity))
      .select(holding.map(column))
      .where(column(entity.about), 'in', ids)
      .execute()
    for (const row of rows) for (const value of Object.values(row)) for (const id of filesIn(value)) files.add(id)
  }
  const set = Object.assign(
    entity.version ? { version: sql`version + 1` } : {},
    { updateTime: now },
    ...names.map(name => blank(name, entity.properties[name] as Field, vault)),
  )
  const { numUpdatedRows } = await all
    .updateTable(tableFor(entity))
    .set(set as never)
    .where(column(entity.about), 'in', ids)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Nobody signs in by an account that is about nobody. */
async function closeAccount(trx: LiveTrx, userId: string, now: Date): Promise<void> {
  await trx
    .updateTable('user')
    .set({ accountStatus: AccountStatus.disabled, password: null, auditRemark: '本人申请删除个人信息' })
    .where('id', '=', userId)
    .execute()
  await trx.deleteFrom('user_oauth').where('userId', '=', userId).execute()
  await endSessions(raw(trx), [userId], 'disabled', now)
}
