import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { AttachVisible, AuditOutcome, NoticeScope, NoticeStatus, ScanState } from '#schemas/dictionaries'
import { inScope, scoped } from '../../../crud/scope.ts'
import { isReviewer } from '../../../modules/exams/server/staff/reviewer.ts'
import { isFor, isOut } from '../../../modules/notices/server/audience.ts'
import type { AttachRow } from '../../access/server/caller.ts'
import { isOfClaim } from '../../accounts/server/claim-holder.ts'
import type { Person } from '../../http/server/access.ts'
import { refuse } from '../../http/server/refusal.ts'
import type { OwnerType } from './kinds.ts'

type Question = (app: FastifyInstance, person: Person, row: AttachRow) => Promise<boolean>

const holds = async (found: Promise<unknown>): Promise<boolean> => (await found) !== undefined

/** Files of a sign-up: whoever may see the sign-up. */
const bySignup: Question = async (app, person, { ownerId }) => {
  if (!ownerId || !person.isStaff) return false
  const inList = await holds(scoped(app, person, 'signup').where('id', '=', ownerId).select('id').executeTakeFirst())
  return inList || isReviewer(app, person, ownerId)
}

/** Proofs and invoices belong to a pay record. */
const byRecord: Question = (app, person, { id }) =>
  holds(
    app.db
      .selectFrom('payrecord')
      .select('payrecord.id')
      .where(inScope(app, person, 'payrecord'))
      .where(eb => eb.or([eb('exemptFile', '=', id), eb('invoiceFile', '=', id)]))
      .executeTakeFirst(),
  )

/** Vouchers of transfers belong to a purchase of messages, all others to a pay record. */
const byVoucher: Question = async (app, person, row) => {
  if (!person.permissions.has('sendpay')) return byRecord(app, person, row)
  const bought = scoped(app, person, 'sendpay').where('voucher', '=', row.id).select('id').executeTakeFirst()
  return (await holds(bought)) || byRecord(app, person, row)
}

const byTicketNotice: Question = (app, person, { id }) =>
  holds(
    app.db
      .selectFrom('ticketnotice')
      .select('ticketnotice.id')
      .where(inScope(app, person, 'ticketnotice'))
      .where(eb => eb.or([eb('jkm', '=', id), eb('xcm', '=', id), eb('hsjcbg', '=', id)]))
      .executeTakeFirst(),
  )

/**
 * Portraits and ID cards: whoever looks after accounts; a portrait also whoever may see a sign-up that carries it, a card
 * whoever decides on a claim of its number.
 */
const byUser: Question = async (app, person, { id, ownerType }) => {
  if (person.permissions.has('user_view') || person.permissions.has('user_audit')) return true
  if (ownerType === 'card') return person.permissions.has('idclaim') && isOfClaim(app.db, person, id)
  if (ownerType !== 'avatar' || !person.isStaff) return false
  return holds(scoped(app, person, 'signup').where('photo', '=', id).select('id').executeTakeFirst())
}

/** The frozen ledger of an exam belongs to its batch, the channel's bill of a day to that day's comparison. */
const byBooks: Question = async (app, person, { id }) => {
  const batch = scoped(app, person, 'exportpaymain').where('file', '=', id).select('id').executeTakeFirst()
  const day = scoped(app, person, 'reconciliation').where('billFile', '=', id).select('id').executeTakeFirst()
  return (
    (person.permissions.has('exportpaymain') && (await holds(batch))) ||
    (person.permissions.has('reconciliation') && (await holds(day)))
  )
}

/** A file of a notice: whoever manages the notice; one that is on its way into a notice is its uploader's alone. */
const byNotice: Question = async (app, person, { ownerId }) =>
  Boolean(ownerId) &&
  person.permissions.has('notice') &&
  holds(scoped(app, person, 'notice').where('id', '=', String(ownerId)).select('id').executeTakeFirst())

const withPermission =
  (code: string): Question =>
  async (_app, person) =>
    person.permissions.has(code)

const questions: Record<OwnerType, Question> = {
  signup: bySignup,
  photo: bySignup,
  avatar: byUser,
  card: byUser,
  ticketpic: byTicketNotice,
  voucher: byVoucher,
  invoice: byRecord,
  notice: byNotice,
  news: withPermission('news'),
  files: withPermission('files'),
  bill: byBooks,
  task: async () => false,
  approval: withPermission('examination'),
}

/** A file of a notice is for the notice's readers, one of the download area for everybody while it is online. */
async function isOffered(app: FastifyInstance, person: Person | null, row: AttachRow): Promise<boolean> {
  if (!row.ownerId) return false
  if (row.ownerType === 'files') {
    const online = app.db
      .selectFrom('files')
      .select('id')
      .where('attachId', '=', row.id)
      .where('filesStatus', '=', NoticeStatus.released)
    return holds(online.where('isDeleted', '=', 0).executeTakeFirst())
  }
  if (row.ownerType !== 'notice') return false
  const own = person?.tenantId === row.tenantId ? person : null
  const readable = app.db
    .selectFrom('notice')
    .select('id')
    .where('id', '=', row.ownerId)
    .where(isOut(row.tenantId, app.now()))
    .where(eb => eb.or([eb('scope1', '=', NoticeScope.public), ...(own ? [isFor(own, app.now())] : [])]))
  return holds(readable.executeTakeFirst())
}

async function mayRead(app: FastifyInstance, person: Person | null, row: AttachRow): Promise<boolean> {
  if (row.visible === AttachVisible.public || (await isOffered(app, person, row))) return true
  if (!person || row.tenantId !== person.tenantId) return false
  if (row.visible === AttachVisible.signedIn || row.createUser === person.userId) return true
  const ask = questions[row.ownerType as OwnerType]
  return ask ? ask(app, person, row) : false
}

/**
 * A file somebody may read: a public one, his own, or one that belongs to what he may see.
 * @param signed the address was signed, so whoever has it may read
 * @throws file.notFound otherwise, as for a file that does not exist
 */
export async function readableFile(
  app: FastifyInstance,
  person: Person | null,
  id: string,
  signed: boolean,
): Promise<AttachRow> {
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
  await app.db
    .updateTable(ownerType === 'notice' ? 'noticefile' : 'files')
    .set({ downNum: sql`coalesce("downNum", 0) + 1` })
    .where('attachId', '=', id)
    .where('isDeleted', '=', 0)
    .execute()
}
