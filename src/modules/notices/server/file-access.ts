import type { FastifyInstance } from 'fastify'
import { NoticeScope, NoticeStatus } from '#schemas/dictionaries'
import { scoped } from '../../../crud/scope.ts'
import { type FileOffer, type FileReader, isFound } from '../../../platform/attachments/server/access.ts'
import { liveFor } from '../../../platform/database/live.ts'
import { isFor, isOut } from './audience.ts'

/** A file of a notice: whoever manages the notice; one that is on its way into a notice is its uploader's alone. */
export const readsNoticeFile: FileReader = async (app, person, { ownerId }) =>
  Boolean(ownerId) &&
  person.permissions.has('notice') &&
  isFound(scoped(app, person, 'notice').where('id', '=', String(ownerId)).select('id').executeTakeFirst())

/** The rows of the tenant of a file, for whoever asks. */
const rowsAround = (app: FastifyInstance, { tenantId }: { tenantId: string }) =>
  liveFor(app, { tenantId, userId: null, now: () => app.now() })

/** A file of the download area is for everybody while it is online. */
export const offersDownload: FileOffer = async (app, _person, row) => {
  if (!row.ownerId) return false
  const online = rowsAround(app, row)
    .selectFrom('files')
    .select('id')
    .where('attachId', '=', row.id)
    .where('filesStatus', '=', NoticeStatus.released)
  return isFound(online.executeTakeFirst())
}

/** A file of a notice is for the notice's readers. */
export const offersNoticeFile: FileOffer = async (app, person, row) => {
  if (!row.ownerId) return false
  const own = person?.tenantId === row.tenantId ? person : null
  const readable = rowsAround(app, row)
    .selectFrom('notice')
    .select('id')
    .where('id', '=', row.ownerId)
    .where(isOut(app.now()))
    .where(eb => eb.or([eb('scope1', '=', NoticeScope.public), ...(own ? [isFor(app, own)] : [])]))
  return isFound(readable.executeTakeFirst())
}
