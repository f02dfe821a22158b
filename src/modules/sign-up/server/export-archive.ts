import type { FastifyInstance } from 'fastify'
import type { Caller, Db, SignupRow } from '../../../platform/access/server/caller.ts'
import { cleanName, distinctNames, type ZipEntry } from '../../../platform/files/zip.ts'
import { rowsOf, type Selection } from './export-rows.ts'
import { type FormKit, formKit, formPdf } from './form-pdf.ts'

/** Most people and bytes of one archive. */
export const mostInArchive = { people: 2000, bytes: 5 * 1024 ** 3 } as const

const codeOf = (row: SignupRow): string => row.finalCode ?? row.code

/** One printed form for each person, `{code}_{signNo}_{name}.pdf`. */
export async function* formEntries(
  app: FastifyInstance,
  caller: Caller,
  selection: Selection,
): AsyncGenerator<ZipEntry> {
  const kits = new Map<string, FormKit>()
  const once = distinctNames()
  const kitOf = async (row: SignupRow) => {
    const kit = kits.get(row.examId) ?? (await formKit(caller.db, row.examId))
    kits.set(row.examId, kit)
    return kit
  }
  for await (const rows of rowsOf(app, caller, selection))
    for (const row of rows)
      yield {
        name: once(`${cleanName(`${codeOf(row)}_${row.signNo}_${row.name}`)}.pdf`),
        time: row.submitTime ?? caller.now,
        compress: false,
        open: async () => (await formPdf(caller, app, row, await kitOf(row))).bytes,
      }
}

/** Endings of files that are packed already. */
const packed = /^(jpg|jpeg|png|zip|docx|xlsx|pdf)$/i

/** Where the bytes of the files of some sign-ups are. */
async function keysOf(db: Db, rows: readonly SignupRow[]): Promise<ReadonlyMap<string, string>> {
  const ids = rows.flatMap(row => row.files.flatMap(slot => slot.list.map(file => file.attachId)))
  if (ids.length === 0) return new Map()
  const found = await db.selectFrom('attach').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(found.map(row => [row.id, row.name]))
}

/** What the exams of some sign-ups call their files. */
async function slotNames(db: Db, rows: readonly SignupRow[]): Promise<(examId: string, fileCode: string) => string> {
  const ids = [...new Set(rows.map(row => row.examId))]
  const found = await db
    .selectFrom('examsignfiles')
    .select(['examId', 'fileCode', 'fileName'])
    .where('examId', 'in', ids)
    .execute()
  const names = new Map(found.map(one => [`${one.examId} ${one.fileCode}`, one.fileName]))
  return (examId, fileCode) => names.get(`${examId} ${fileCode}`) ?? fileCode
}

/** The files of one person with their names in the archive. */
function filesOf(row: SignupRow, fileCodes: readonly string[], nameOf: (examId: string, fileCode: string) => string) {
  const folder = `${cleanName(codeOf(row))}/${cleanName(`${row.signNo}_${row.name}`)}`
  return row.files
    .filter(slot => fileCodes.length === 0 || fileCodes.includes(slot.fileCode))
    .flatMap(slot =>
      slot.list.map(file => ({
        ...file,
        path: `${folder}/${cleanName(`${nameOf(row.examId, slot.fileCode)}.${file.ext}`)}`,
      })),
    )
}

/**
 * The files of each person in a folder of the own, `{code}/{signNo}_{name}/{fileName}`. What is not in the storage any more
 * is named in a list at the end, so that nobody takes the archive for whole.
 */
export async function* fileEntries(
  app: FastifyInstance,
  caller: Caller,
  selection: Selection,
  fileCodes: readonly string[],
): AsyncGenerator<ZipEntry> {
  const lost: string[] = []
  for await (const rows of rowsOf(app, caller, selection)) {
    const [keys, nameOf] = await Promise.all([keysOf(caller.db, rows), slotNames(caller.db, rows)])
    for (const row of rows) {
      const once = distinctNames()
      for (const file of filesOf(row, fileCodes, nameOf)) {
        const key = keys.get(file.attachId)
        const bytes = key ? await app.storage.get(key).catch(() => null) : null
        const name = once(file.path)
        if (!bytes) lost.push(name)
        else
          yield { name, time: row.submitTime ?? caller.now, compress: !packed.test(file.ext), open: async () => bytes }
      }
    }
  }
  if (lost.length > 0)
    yield { name: '缺失的文件.txt', time: caller.now, open: async () => Buffer.from(`\ufeff${lost.join('\r\n')}`) }
}
