import { sql } from 'kysely'
import { ExamStatus, SignAction } from '#schemas/dictionaries'
import { dropFiles } from '../../../platform/attachments/server/claim.ts'
import type { Live, LiveTrx } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { askedFiles, type FileItem } from '../../exams/rules/sign-files.ts'
import { type Content, on } from '../../exams/rules/sign-item.ts'
import { refuseArchived } from '../../exams/server/archived.ts'

/** An upload that an exam would have done without. */
interface OptionalUpload {
  signUpId: string
  fileCode: string
  name: string
  examName: string
  /** Names of the files. */
  given: string
}

const signupsOf = (db: Live, userId: string) =>
  db
    .selectFrom('signup as s')
    .innerJoin('examination as e', 'e.id', 's.examId')
    .select([
      's.id',
      's.examId',
      's.version',
      's.files',
      's.photo',
      's.content',
      's.unit',
      's.type',
      's.code',
      'e.examName',
    ])
    .where('s.userId', '=', userId)
    .where('e.examStatus', '<>', ExamStatus.archived)
    .orderBy('s.id')

type Row = Awaited<ReturnType<ReturnType<typeof signupsOf>['execute']>>[number]

/** The uploads of a sign-up that its form does not ask for as a must of this person. */
function optionalOf(row: Row, items: readonly FileItem[]): OptionalUpload[] {
  const asked = askedFiles(items, row.content as Content, row)
  const isMust = (code: string): boolean => asked.some(item => item.fileCode === code && on(item.required))
  return row.files
    .filter(slot => slot.list.length > 0 && !isMust(slot.fileCode))
    .map(({ fileCode, fileName, list }) => ({
      signUpId: row.id,
      fileCode,
      name: items.find(item => item.fileCode === fileCode)?.fileName ?? fileName ?? fileCode,
      examName: row.examName,
      given: list.map(file => file.name).join('、'),
    }))
}

/** What the forms of some exams ask for. */
async function itemsOf(db: Live, examIds: readonly string[]) {
  const rows = await db.selectFrom('examsignfiles').selectAll().where('examId', 'in', examIds).execute()
  return rows.map(row => ({ ...row, showWhen: row.showWhen as FileItem['showWhen'] }))
}

/** The optional uploads of a person, in exams that are not archived: what is archived is kept by the law of archives. */
export async function optionalUploads(db: Live, userId: string): Promise<OptionalUpload[]> {
  const rows = (await signupsOf(db, userId).execute()).filter(row => row.files.some(slot => slot.list.length > 0))
  if (rows.length === 0) return []
  const items = await itemsOf(db, [...new Set(rows.map(row => row.examId))])
  return rows.flatMap(row =>
    optionalOf(
      row,
      items.filter(item => item.examId === row.examId),
    ),
  )
}

/**
 * Erases an optional upload of a sign-up: the row has it no more, nobody opens its files any more, and the history says that it went, not
 * what it was. Whoever reviews the sign-up at that time is told that it has changed.
 * @throws exams.archived, row.wrongState where nothing was given, or the exam cannot do without it
 */
export async function eraseUpload(
  trx: LiveTrx,
  { userId, now, ip }: { userId: string; now: Date; ip: string },
  { signUpId, fileCode }: { signUpId: string; fileCode: string },
): Promise<void> {
  const found = await trx
    .selectFrom('signup')
    .select('examId')
    .where('id', '=', signUpId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  if (!found) throw refuse('row.notFound')
  // The exam is locked before the sign-up, as it is when people sign up.
  await refuseArchived(trx, [found.examId])
  const row = await signupsOf(trx, userId).where('s.id', '=', signUpId).forNoKeyUpdate('s').executeTakeFirst()
  if (!row) throw refuse('row.notFound')
  const items = await itemsOf(trx, [row.examId])
  if (!optionalOf(row, items).some(one => one.fileCode === fileCode)) throw refuse('row.wrongState')
  const gone = row.files.filter(slot => slot.fileCode === fileCode).flatMap(({ list }) => list.map(one => one.attachId))
  await trx
    .updateTable('signup')
    .set({
      files: JSON.stringify(row.files.filter(slot => slot.fileCode !== fileCode)),
      version: sql`version + 1`,
      ...(row.photo && gone.includes(row.photo) ? { photo: null } : {}),
    })
    .where('id', '=', row.id)
    .execute()
  await dropFiles(trx, gone, now)
  const diff = JSON.stringify([{ target: 'file', code: fileCode, from: '', to: '' }])
  await trx
    .insertInto('signuplog')
    .values({ signupId: row.id, action: SignAction.eraseFiles, diff, userId, time: now, ip })
    .execute()
}
