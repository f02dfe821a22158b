import { inScope } from '../../../crud/scope.ts'
import { type FileReader, isFound } from '../../../platform/attachments/server/access.ts'

/** Pictures asked for before a download: whoever may see the download. */
export const readsTicketPicture: FileReader = (app, person, { id }) =>
  isFound(
    app.db
      .selectFrom('ticketnotice')
      .select('ticketnotice.id')
      .where(inScope(app, person, 'ticketnotice'))
      .where(eb => eb.or([eb('jkm', '=', id), eb('xcm', '=', id), eb('hsjcbg', '=', id)]))
      .executeTakeFirst(),
  )
