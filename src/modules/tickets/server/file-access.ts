import { ticketPictureNames } from '#schemas/tickets/ticket-pictures'
import { scoped } from '../../../crud/scope.ts'
import { type FileReader, isFound } from '../../../platform/attachments/server/access.ts'

/** Pictures asked for before a download: whoever may see the download. */
export const readsTicketPicture: FileReader = (app, person, { id }) =>
  isFound(
    scoped(app, person, 'ticketnotice')
      .select('ticketnotice.id')
      .where(eb => eb.or(ticketPictureNames.map(slot => eb(slot, '=', id))))
      .executeTakeFirst(),
  )
