import type { FastifyInstance } from 'fastify'
import type { Field, Resource } from '#engine'
import { resources } from '#resources'
import { type WholeRow, type WholeRows, wholeRows } from '../../../crud/whole-rows.ts'
import { readWords, type Words, wordOf } from '../../../crud/words.ts'
import type { Live } from '../../../platform/database/live.ts'

/** A table of an archive: which rows of which resource. */
export interface ArchiveTable {
  readonly resource: Resource
  /** The field that leads to the exam. */
  readonly field: string
  /** The table through whose rows it does; the exam itself where nothing is said. */
  readonly through?: string
  /** A log with digests: it stands under `logs`. Its rows are a chain for each value of this field; one for all with an empty name. */
  readonly chain?: string
}

const all = resources as readonly Resource[]
const resourceOf = (name: string): Resource => {
  const found = all.find(one => one.entity.name === name)
  if (!found) throw new Error(`No resource shows ${name}.`)
  return found
}

/** Tables that belong to an exam by what they refer to. */
const further: readonly (readonly [name: string, field: string, through: string])[] = [
  ['signuplog', 'signupId', 'signup'],
  ['payorder', 'bizId', 'payrecord'],
  ['payrefund', 'payRecordId', 'payrecord'],
  ['sendmessage', 'sendId', 'send'],
  ['noticefile', 'noticeId', 'notice'],
  ['notifyread', 'noticeId', 'notice'],
]

/** Every table of an exam, in the order in which one refers to another. */
export const archiveTables: readonly ArchiveTable[] = [
  { resource: resourceOf('examination'), field: 'id' },
  ...all
    .filter(({ entity }) => entity.properties.examId?.ref === 'examination')
    .map(resource => ({ resource, field: 'examId' })),
  ...further.map(([name, field, through]) => ({ resource: resourceOf(name), field, through })),
  { resource: resourceOf('examinelog'), field: 'signupId', through: 'signup', chain: 'signupId' },
]

/** Kinds that a masked archive leaves out: nobody can tell whom they name. */
const telling: readonly Field['kind'][] = ['json', 'image', 'file']

/** The fields of a table that an archive has. */
export const archivedFields = ({ resource }: ArchiveTable, isMasked: boolean): readonly (readonly [string, Field])[] =>
  Object.entries(resource.entity.properties).filter(
    ([, field]) => !field.hidden && field.kind !== 'secret' && !(isMasked && telling.includes(field.kind)),
  )

/** Ids of the rows through which others belong to an exam. */
async function idsThrough(db: Live, through: string | undefined, examId: string): Promise<readonly string[]> {
  if (through === undefined) return [examId]
  const rows = await db
    .selectFrom(through as 'signup')
    .select('id')
    .where('examId', '=', examId)
    .execute()
  return rows.map(({ id }) => id)
}

/** The rows of a table of an archive. */
export async function* tableRows(
  app: FastifyInstance,
  db: Live,
  table: ArchiveTable,
  { examId, tenantId, isMasked }: { examId: string; tenantId: string; isMasked: boolean },
): AsyncGenerator<WholeRow> {
  const { resource, field, through } = table
  const fields = archivedFields(table, isMasked).map(([name]) => name)
  const wanted: WholeRows = {
    tenantId,
    resource,
    fields,
    field,
    ids: await idsThrough(db, through, examId),
    isMasked,
  }
  yield* wholeRows(app, wanted)
}

/** One column of a table as people read it. */
export interface ArchiveColumn {
  readonly title: string
  readonly isNumber: boolean
  readonly value: (row: WholeRow) => unknown
}

const plain = (value: unknown): unknown =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : value

/** The columns of a table: words beside keys, labels beside ids, amounts in yuan and in fen. */
export async function archiveColumns(
  app: FastifyInstance,
  table: ArchiveTable,
  { tenantId, isMasked }: { tenantId: string; isMasked: boolean },
): Promise<readonly ArchiveColumn[]> {
  const fields = archivedFields(table, isMasked)
  const words: ReadonlyMap<string, Words> = await readWords(
    app,
    tenantId,
    fields.map(([, field]) => field),
  )
  const text = (title: string, value: ArchiveColumn['value']): ArchiveColumn => ({ title, isNumber: false, value })
  return [
    text('编号', row => row.id),
    ...fields.flatMap(([name, field]): readonly ArchiveColumn[] => {
      const own = (row: WholeRow) => plain(row[name])
      if (field.kind === 'money') {
        const yuan = (row: WholeRow) => (row[name] === '' ? '' : (Number(row[name]) / 100).toFixed(2))
        return [
          { title: `${field.title}（元）`, isNumber: true, value: yuan },
          { title: `${field.title}（分）`, isNumber: true, value: own },
        ]
      }
      if (field.kind === 'integer' || field.kind === 'decimal')
        return [{ title: field.title, isNumber: true, value: own }]
      if (field.dict)
        return [
          text(field.title, row => wordOf(words.get(field.dict ?? ''), String(row[name] ?? ''))),
          text(`${field.title}（代码）`, own),
        ]
      if (field.kind === 'ref' || field.kind === 'refs')
        return [text(field.title, row => row[`${name}Name`]), text(`${field.title}（编号）`, own)]
      return [text(field.title, own)]
    }),
    text('创建时间', row => row.createTime),
    text('更新时间', row => row.updateTime),
  ]
}

/** A cell of a CSV file. A text that a spreadsheet would calculate gets an apostrophe before it. */
export function csvCell(value: unknown, isNumber = false): string {
  const text = value === null || value === undefined ? '' : String(value)
  const safe = !isNumber && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
