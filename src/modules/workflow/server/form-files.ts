import type { FastifyInstance } from 'fastify'
import { AttachVisible } from '#schemas/dictionaries'
import type { Values } from '../../../crud/input.ts'
import type { FileReader } from '../../../platform/attachments/server/access.ts'
import { isFound } from '../../../platform/attachments/server/access.ts'
import { claimFiles } from '../../../platform/attachments/server/claim.ts'
import type { Live } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import './flow-tables.ts'
import type { FlowForm } from './form.ts'
import { managing, takesPart } from './history.ts'

/**
 * Gives the files of a form to its row, so that those who take part in its process may read them, and nobody else.
 * @param change the row as it is stored, and as it was before
 * @throws file.notFound for a file that the person has not uploaded, or that belongs to something already
 */
export async function claimFormFiles(
  db: Live,
  person: Pick<Person, 'userId'>,
  { entity }: FlowForm,
  { row, before }: { row: Values; before: Values | null },
): Promise<void> {
  const files = Object.entries(entity.properties).flatMap(([name, { kind }]) =>
    (kind === 'file' || kind === 'image') && row[name] && row[name] !== before?.[name] ? [String(row[name])] : [],
  )
  if (files.length === 0) return
  await claimFiles(db, person, files, { owner: 'flow', ownerId: String(row.id), visible: AttachVisible.ownerAndStaff })
}

/** Whoever takes part in a process, or looks after processes, reads the files of what it is about. */
export const readsFlowFile: FileReader = async (app, person, { ownerId }) =>
  ownerId !== null && (await seesRunAbout(app, person, ownerId))

/** Whether a person takes part in a process about a row, or looks after processes. */
export async function seesRunAbout(app: FastifyInstance, person: Person, businessId: string): Promise<boolean> {
  const isManaging = managing.some(code => person.permissions.has(code))
  const db = liveAs(app, person)
  return isFound(
    db
      .selectFrom('flow_instance as i')
      .select('i.id')
      .where('i.businessId', '=', businessId)
      .$if(!isManaging, query => query.where(takesPart(db, person)))
      .limit(1)
      .executeTakeFirst(),
  )
}
