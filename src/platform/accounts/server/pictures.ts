import type { FastifyInstance } from 'fastify'
import { keepUpload } from '../../attachments/server/upload.ts'
import { type Live, raw } from '../../database/live.ts'
import type { Person } from '../../http/server/access.ts'
import { liveAs } from '../../http/server/live.ts'

/** Pictures of a person, with the kind of upload each is. */
export const pictureFields = { avatar: 'avatar', cardFront: 'card', cardBack: 'card' } as const

/** One of {@link pictureFields}. */
export type PictureField = keyof typeof pictureFields

/** A picture that came with a form. */
export interface Picture {
  field: PictureField
  bytes: Buffer
  filename: string
}

/**
 * Keeps pictures of a person as uploads of that person.
 * @returns the attachment of each field
 * @throws file.typeNotAllowed, file.tooLarge, file.contentInvalid, file.pictureUnfit for a picture that is none, or too
 * large
 */
export async function keepPictures(
  app: FastifyInstance,
  on: Pick<FastifyInstance, 'db'> | Live,
  { person, ip }: { person: Person; ip: string },
  files: readonly Picture[],
): Promise<Partial<Record<PictureField, string>>> {
  const db = liveAs(app, person, raw(on))
  const kept: Partial<Record<PictureField, string>> = {}
  for (const { field, bytes, filename } of files) {
    const caller = { db, vault: app.vault, person, now: app.now(), ip, meter: app.meter }
    const row = await keepUpload(caller, app.storage, { bytes, filename, owner: pictureFields[field] })
    await db.updateTable('attach').set({ ownerId: person.userId }).where('id', '=', row.id).execute()
    kept[field] = row.id
  }
  return kept
}
