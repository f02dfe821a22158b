import { inScope } from '../../../crud/scope.ts'
import { type FileReader, isFound } from '../../../platform/attachments/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'

/** Pictures asked for before a download: whoever may see the download. */
export const readsTicketPicture: FileReader = (app, person, { id }) =>
  isFound(
    liveAs(app, person)
      .selectFrom('ticketnotice')
      .select('ticketnotice.id')
      .where(inScope(app, person, 'ticketnotice'))
      .where(eb => eb.or([eb('jkm', '=', id), eb('xcm', '=', id), eb('hsjcbg', '=', id)]))
      .executeTakeFirst(),
  )
