import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { type Entity, type Field, type Resource, resource } from '#engine'
import { resources } from '#resources'
import { Eventchoice } from '#schemas/notifications/eventchoice'
import { Message } from '#schemas/notifications/message'
import { Reminderplan } from '#schemas/notifications/reminderplan'
import { Event } from '#schemas/system/event'
import { resourceOf } from '../../../crud/lookup.ts'
import { type WholeRow, wholeRows } from '../../../crud/whole-rows.ts'
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
  /** Sealed texts are masked in a full archive, too. */
  readonly isMasked?: true
}

/** A table that no page of its own shows. */
const unseen = <E extends Entity>(entity: E): Resource => resource(entity, { path: '', can: [] }) as unknown as Resource

/** Tables that belong to an exam by what they refer to. */
const further: readonly (readonly [name: string, field: string, through: string])[] = [
  ['signuplog', 'signupId', 'signup'],
  ['payorder', 'bizId', 'payrecord'],
  ['payrefund', 'payRecordId', 'payrecord'],
  ['exportpay', 'mainId', 'exportpaymain'],
  ['publicityrow', 'publicityId', 'publicity'],
  ['sendmessage', 'sendId', 'send'],
  ['sendpay', 'sendId', 'send'],
  ['noticefile', 'noticeId', 'notice'],
  ['notifyread', 'noticeId', 'notice'],
  ['datapurgeline', 'purgeId', 'datapurge'],
]

/** Tables whose sealed texts nobody needs whole: where a message went is told apart by its mask. */
const alwaysMasked: readonly string[] = ['delivery', 'sendmessage']

const maskedOf = (name: string): Pick<ArchiveTable, 'isMasked'> =>
  alwaysMasked.includes(name) ? { isMasked: true } : {}

/** Every table of an exam, in the order in which one refers to another. */
export const archiveTables: readonly ArchiveTable[] = [
  { resource: resourceOf('examination'), field: 'id' },
  ...(resources as readonly Resource[])
    .filter(({ entity }) => entity.properties.examId?.ref === 'examination')
    .map(one => ({ resource: one, field: 'examId', ...maskedOf(one.entity.name) })),
  ...further.map(([name, field, through]) => ({ resource: resourceOf(name), field, through, ...maskedOf(name) })),
  { resource: unseen(Eventchoice), field: 'examId' },
  { resource: unseen(Reminderplan), field: 'examId' },
  { resource: unseen(Event), field: 'examId' },
  { resource: unseen(Message), field: 'eventId', through: 'event' },
  { resource: resourceOf('examinelog'), field: 'signupId', through: 'signup', chain: 'signupId' },
]

/** Which tables archives have, as a mark: what was begun with other ones does not go on with these. */
export const archiveLayout = createHash('sha256')
  .update(archiveTables.map(one => one.resource.entity.name).join())
  .digest('hex')
  .slice(0, 16)

/** Folders of the files that rows of an exam name, by table; those of a person's rows lie with the person (`personalFiles`). */
export const fileFolders: Readonly<Record<string, string>> = {
  examination: 'files/考试',
  examsignfiles: 'files/材料样例',
  postreduction: 'files/核减批文',
  publicity: 'pdf/公示',
  objection: 'files/异议',
  exportpaymain: 'pdf/缴费台账',
  noticefile: 'files/公告',
  sendpay: 'files/发送缴费',
  datapurge: 'pdf/资料清除',
}

/** Fields with the files of a person, by table. */
export const personalFiles = {
  signup: ['photo'],
  payrecord: ['exemptFile', 'invoiceFile'],
  examinationticket: ['photo'],
} as const

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
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Ids that are asked for together. */
const idsAtOnce = 5000

/** The rows of a table of an archive. */
export async function* tableRows(
  app: FastifyInstance,
  db: Live,
  table: ArchiveTable,
  { examId, tenantId, isMasked }: { examId: string; tenantId: string; isMasked: boolean },
): AsyncGenerator<WholeRow> {
  const fields = archivedFields(table, isMasked).map(([name]) => name)
  const wanted = {
    tenantId,
    resource: table.resource,
    fields,
    field: table.field,
    isMasked: table.isMasked ?? isMasked,
  }
  const ids = await idsThrough(db, table.through, examId)
  for (let i = 0; i < ids.length; i += idsAtOnce) yield* wholeRows(app, { ...wanted, ids: ids.slice(i, i + idsAtOnce) })
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
