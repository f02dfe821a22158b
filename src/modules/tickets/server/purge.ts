import type { FastifyInstance } from 'fastify'
import { ticketPictureNames } from '#schemas/tickets/ticket-pictures'
import { raw } from '../../../platform/database/live.ts'

/** How long after its stage a picture is kept, in milliseconds: a week for objections. */
const kept = 7 * 86_400_000
/** Rows of one round; the rest waits for the next. */
const atOnce = 500

/**
 * Removes the pictures that were handed in for tickets of stages that are over: the files first, then what points at them,
 * so that a round cut short is made up for by the next.
 * @returns how many people's pictures went
 */
export async function purgePictures(app: FastifyInstance): Promise<number> {
  // Of all tenants, and whatever has become of the rows: pictures of removed ones go, too.
  const db = raw(app)
  const rows = await db
    .selectFrom('ticketnotice as register')
    .innerJoin('examinationitem as item', 'item.id', 'register.itemId')
    .select(['register.id', 'register.jkm', 'register.xcm', 'register.hsjcbg'])
    .where('item.endTime', '<', new Date(app.now().getTime() - kept))
    .where(eb => eb.or(ticketPictureNames.map(slot => eb(`register.${slot}`, 'is not', null))))
    .limit(atOnce)
    .execute()
  if (rows.length === 0) return 0
  const ids = rows.flatMap(row => ticketPictureNames.flatMap(slot => row[slot] ?? []))
  const files = await db.selectFrom('attach').select(['id', 'name']).where('id', 'in', ids).execute()
  for (const { name } of files) await app.storage.remove(name)
  await db.transaction().execute(async trx => {
    await trx.updateTable('attach').set({ isDeleted: 1, updateTime: app.now() }).where('id', 'in', ids).execute()
    await trx
      .updateTable('ticketnotice')
      .set({ jkm: null, xcm: null, hsjcbg: null, updateTime: app.now() })
      .where(
        'id',
        'in',
        rows.map(row => row.id),
      )
      .execute()
  })
  return rows.length
}
