import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { AttachVisible, AuditOutcome, ScanState } from '#schemas/dictionaries'
import type { AttachRow } from '../../access/server/caller.ts'
import type { Person } from '../../http/server/access.ts'
import { refuse } from '../../http/server/refusal.ts'
import type { OwnerType } from './kinds.ts'

/** Whether somebody who is not its owner may read a file. */
export type FileReader = (app: FastifyInstance, person: Person, row: AttachRow) => Promise<boolean>

/** Whether a file is offered to others than those entitled to what it belongs to: to everybody, or to whom it is addressed. */
export type FileOffer = (app: FastifyInstance, person: Person | null, row: AttachRow) => Promise<boolean>

/** Who may read files, by what they are for: each module says it of its own. */
export interface FileAccess {
  readers: Readonly<Record<OwnerType, FileReader>>
  offers: Readonly<Partial<Record<OwnerType, FileOffer>>>
}

declare module '../../http/server/extensions.ts' {
  interface Extensions {
    fileAccess: FileAccess
  }
}

/** Whether a query found anything. */
export const isFound = async (query: Promise<unknown>): Promise<boolean> => (await query) !== undefined

/** Whoever has a permission reads all files of a kind. */
export const withPermission =
  (code: string): FileReader =>
  async (_app, person) =>
    person.permissions.has(code)

async function mayRead(app: FastifyInstance, person: Person | null, row: AttachRow): Promise<boolean> {
  const { readers, offers } = app.extensions.fileAccess
  const kind = row.ownerType as OwnerType
  if (row.visible === AttachVisible.public || (await offers[kind]?.(app, person, row))) return true
  if (!person || row.tenantId !== person.tenantId) return false
  if (row.visible === AttachVisible.signedIn || row.createUser === person.userId) return true
  return (await readers[kind]?.(app, person, row)) ?? false
}

/**
 * A file somebody may read: a public one, their own, or one that belongs to what they may see.
 * @param signed the address was signed, so whoever has it may read
 * @throws file.notFound otherwise, as for a file that does not exist
 */
export async function readableFile(
  app: FastifyInstance,
  person: Person | null,
  id: string,
  signed: boolean,
): Promise<AttachRow> {
  // Of every tenant: a public file, or one whose address was signed, is whoever's that has the address.
  const row = await app.db
    .selectFrom('attach')
    .selectAll()
    .where('id', '=', id)
    .where('isDeleted', '=', 0)
    .where('scanState', '<>', ScanState.blocked)
    .executeTakeFirst()
  const isOpen = row && (row.scanState === ScanState.clean || row.createUser === person?.userId)
  if (!isOpen || !(signed || (await mayRead(app, person, row)))) throw refuse('file.notFound')
  return row
}

/**
 * Keeps a trace of who took somebody else's file; pictures of ID cards stand in the security log. Files that are everybody's
 * leave none.
 */
export async function noteDownload(app: FastifyInstance, request: FastifyRequest, row: AttachRow): Promise<void> {
  const { person, ip } = request
  if (!person || row.visible !== AttachVisible.ownerAndStaff || row.createUser === person.userId) return
  const { id, ownerType, ownerId, originalName } = row
  const detail = { file: originalName, ownerType, ownerId }
  if (ownerType === 'card')
    return app.audit.note(request, {
      event: 'reveal',
      outcome: AuditOutcome.success,
      targetType: 'attach',
      targetId: id,
      detail,
    })
  app.journal.note('info', `attach ${id}`, { ...detail, account: person.account, userId: person.userId, ip })
}

/** Counts a download where people see how often a file was taken: at notices and in the download area. */
export async function countDownload(app: FastifyInstance, { id, ownerType }: AttachRow): Promise<void> {
  if (ownerType !== 'notice' && ownerType !== 'files') return
  // Whoever takes it may be nobody, or of another tenant; being taken is no change of the row.
  await app.db
    .updateTable(ownerType === 'notice' ? 'noticefile' : 'files')
    .set({ downNum: sql`coalesce("downNum", 0) + 1` })
    .where('attachId', '=', id)
    .where('isDeleted', '=', 0)
    .execute()
}
