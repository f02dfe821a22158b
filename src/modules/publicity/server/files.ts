import { buffer } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { mediaTypes } from '#engine'
import { scoped } from '../../../crud/scope.ts'
import { storeFile } from '../../../crud/stored-file.ts'
import { type FileReader, isFound } from '../../../platform/attachments/server/access.ts'
import { liveAcross, liveFor, updateUnstamped } from '../../../platform/database/live.ts'
import type { Piece } from '../../../platform/queue/piece.ts'
import { nameOfTenant } from '../../../platform/tenants/server/tenant-name.ts'
import { streamWorkbook } from '../../../platform/workbook/workbook.ts'
import { type ListColumn, publicLines } from './public-list.ts'

declare module '../../../platform/queue/piece.ts' {
  interface WorkKinds {
    /** Makes the files of a list that was confirmed. */
    'publicity.files': { publicityId: string }
  }
}

/** How wide the columns of a printed list are, to each other; 2 for those that are not named. */
const shares: Readonly<Partial<Record<ListColumn['name'], number>>> = {
  signNo: 3,
  ticketNo: 3,
  unit: 4,
  postName: 3,
  major: 3,
  remark: 4,
  rankNo: 1.2,
}

/** How people reach whoever takes objections. */
export const contactsOf = (list: {
  contactPhone: string
  contactMail: string | null
  contactAddress: string | null
}): string[] => [list.contactPhone, list.contactMail, list.contactAddress].flatMap(one => (one ? [one] : []))

async function makeFiles(app: FastifyInstance, piece: Piece<'publicity.files'>): Promise<string> {
  const { tenantId, payload } = piece
  const now = app.now()
  const db = liveFor(app, { tenantId, userId: null, now: () => now })
  const list = await db
    .selectFrom('publicity')
    .innerJoin('examination', 'examination.id', 'publicity.examId')
    .selectAll('publicity')
    .select('examination.examName')
    .where('publicity.id', '=', payload.publicityId)
    .executeTakeFirst()
  if (!list?.startTime || !list.endTime) return ''
  const { columns, rows } = await publicLines(app, { ...list, tenantId })
  const numbered = rows.map((row, i) => [String(i + 1), ...row])
  const { startTime, endTime } = list
  const document = {
    examName: list.examName,
    tenantName: await nameOfTenant(db, tenantId),
    title: list.title,
    basis: list.basis,
    startTime,
    endTime,
    objectionEnd: list.objectionEnd ?? endTime,
    contacts: contactsOf(list),
    columns: [{ title: '序号', share: 1 }, ...columns.map(({ name, title }) => ({ title, share: shares[name] ?? 2 }))],
    rows: numbered,
  }
  const pdf = await app.drawings.get('publicityPdf', document, tenantId)
  const xlsx = await buffer(
    streamWorkbook({
      sheet: '公示',
      columns: [
        { title: '序号', width: 8 },
        ...columns.map(({ name, title }) => ({ title, width: (shares[name] ?? 2) * 7 })),
      ],
      rows: numbered,
      foot: list.title,
    }),
  )
  const file = { tenantId, userId: null, ownerType: 'publicity', ownerId: list.id } as const
  await liveAcross(app, app)
    .transaction()
    .execute(async trx => {
      await piece.hold(trx)
      const printed = await storeFile(
        app,
        trx,
        { ...file, name: `${list.title}.pdf`, contentType: mediaTypes.pdf, bytes: pdf },
        now,
      )
      const sheet = await storeFile(
        app,
        trx,
        { ...file, name: `${list.title}.xlsx`, contentType: mediaTypes.xlsx, bytes: xlsx },
        now,
      )
      await updateUnstamped(trx, 'publicity')
        .set({ pdfFile: printed.id, pdfHash: printed.sha256, xlsxFile: sheet.id, xlsxHash: sheet.sha256 })
        .where('id', '=', list.id)
        .execute()
      await piece.end(trx)
    })
  return String(rows.length)
}

/** Lets every process make files of public lists. */
export function addFileWork(app: FastifyInstance): void {
  app.queue.add({ kind: 'publicity.files', lane: 'export', mostTries: 5, perform: piece => makeFiles(app, piece) })
}

/** Staff read the files of the lists that they meet. */
export const readsPublicityFile: FileReader = async (app, person, { ownerId }) =>
  person.permissions.has('publicity') &&
  isFound(
    scoped(app, person, 'publicity')
      .select('publicity.id')
      .where('publicity.id', '=', ownerId ?? '0')
      .executeTakeFirst(),
  )

/** Staff read what was handed in with the objections that they meet. */
export const readsObjectionFile: FileReader = async (app, person, { ownerId }) =>
  person.permissions.has('objection') &&
  isFound(
    scoped(app, person, 'objection')
      .select('objection.id')
      .where('objection.id', '=', ownerId ?? '0')
      .executeTakeFirst(),
  )
