import { createHash, createPublicKey } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { commaList } from '#engine'
import { publicityCells } from '#schemas/publicity/publicityrow'
import { type WholeRow, type WholeRows, wholeRows } from '../../../crud/whole-rows.ts'
import type { Caller, SignupRow } from '../../../platform/access/server/caller.ts'
import { cleanName, distinctNames } from '../../../platform/files/zip.ts'
import { wireTime } from '../../../platform/http/server/wire.ts'
import { streamWorkbook } from '../../../platform/workbook/workbook.ts'
import { type FormKit, formKit, formPdf } from '../../sign-up/server/form-pdf.ts'
import { ticketDocument } from '../../tickets/server/document.ts'
import { ticketsOfSignup } from '../../tickets/server/download-rules.ts'
import {
  type ArchiveColumn,
  type ArchiveTable,
  archiveColumns,
  archivedFields,
  archiveTables,
  csvCell,
  fileFolders,
  personalFiles,
  tableRows,
} from './tables.ts'
import { verifyProgram } from './verify-program.ts'
import { asScript, indexPage, listPage, personPage } from './viewer.ts'

/** What is archived, for whom, and how. */
export interface ArchiveOf {
  readonly app: FastifyInstance
  /** Whoever asked for it, with the rights of now. */
  readonly caller: Caller
  readonly examId: string
  /** Without whole numbers, forms and files. */
  readonly isMasked: boolean
  readonly reason: string
  /** The second person of a full one, by name. */
  readonly confirmedBy: string
}

/** A file of an archive. */
export interface ArchivedFile {
  readonly name: string
  /** What grows with the exam comes some at a time, and is never whole in memory. */
  readonly bytes: Buffer | AsyncIterable<Buffer>
  /** False for what is packed already. */
  readonly compress?: boolean
  /** Rows of a table, where it is one, once its bytes have come. */
  readonly rows?: () => number
}

/** A part of the work: what is finished stays when the work is begun again. */
export interface Unit {
  /** Code of the position whose people's files it has; of what belongs to the exam as a whole there is none. */
  readonly post?: string
  files(): AsyncGenerator<ArchivedFile>
}

/** People whose files are one part of the work. */
const peopleAtOnce = 25
/** Characters that are written together. */
const partLength = 65_536
/** Lines of the security log that are read together. */
const linesAtOnce = 1000

const file = (name: string, text: string) => ({ name, bytes: Buffer.from(text) }) satisfies ArchivedFile

/** Lines as bytes, many together: a part for each would cost more than what is in it. */
async function* inParts(lines: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let part = ''
  for await (const line of lines) {
    part += line
    if (part.length < partLength) continue
    yield Buffer.from(part)
    part = ''
  }
  if (part !== '') yield Buffer.from(part)
}

/** The pair that signs archives, and the mark by which people compare the public one. */
export function archiveKey({ secrets }: Pick<FastifyInstance, 'secrets'>) {
  const pair = secrets.pair('archive')
  const der = createPublicKey(pair.publicKey).export({ type: 'spki', format: 'der' })
  return { ...pair, mark: createHash('sha256').update(der).digest('hex') }
}

/** Positions whose people's files a volume has, in words. */
const postsOf = (posts: readonly string[]): string =>
  posts.length < 2 ? posts.join('') : `${posts[0]} … ${posts.at(-1)}`

/** What the volumes of an archive have, where it has several. */
function volumesText(volumes: readonly (readonly string[])[]): string {
  if (volumes.length < 2) return ''
  const lines = volumes.map((posts, i) => {
    const held = postsOf(posts.filter(Boolean))
    const what = i > 0 ? held : `数据表、日志、首页 / tables, logs, first page${held && `; ${held}`}`
    return `  ${i + 1}/${volumes.length}  ${what}`
  })
  return `
共 ${volumes.length} 卷，请全部解压到同一个文件夹，再打开或核验：
In ${volumes.length} volumes; unpack all of them into one folder before opening or verifying:
${lines.join('\n')}
`
}

function readme(
  { app, caller, isMasked, reason, confirmedBy }: ArchiveOf,
  examName: string,
  volumes: readonly (readonly string[])[],
): string {
  const { mark } = archiveKey(app)
  return `${examName} · ${isMasked ? '脱敏归档包' : '完整归档包'}
生成时间 / made at: ${wireTime(caller.now)}
生成人 / by: ${caller.person.name}
确认人 / confirmed by: ${confirmedBy || '-'}
用途 / reason: ${reason || '-'}
${volumesText(volumes)}
双击 index.html 即可离线查看。tables 为全部数据表，files 为附件，pdf 为报名表、准考证、公示名单和缴费台账，logs 为带摘要链的日志。
Open index.html by a double click, without a network. tables: all rows; files: papers; pdf: forms, tickets, public lists and ledgers; logs: logs with chained digests.

核验 / verify:
  node verify.mjs
  sha256sum -c MANIFEST.sha256
  sm3sum -c MANIFEST.sm3
公钥指纹应为 / the fingerprint of the key is (SHA-256): ${mark}
指纹请与系统中归档页面显示的核对，公钥文件本身不能证明来源。
Compare it with the one on the archive page of the system: a key that lies in an archive proves nothing by itself.
`
}

/**
 * The text that lies beside an archive and says what it is.
 * @param volumes codes of the positions whose people are in each of its volumes
 */
export async function readmeFile(
  of: ArchiveOf,
  volumes: readonly (readonly string[])[],
): Promise<ArchivedFile & { readonly bytes: Buffer }> {
  const { examName } = await of.caller.db
    .selectFrom('examination')
    .select('examName')
    .where('id', '=', of.examId)
    .executeTakeFirstOrThrow()
  return file('README.txt', readme(of, examName, volumes))
}

async function* head(of: ArchiveOf): AsyncGenerator<ArchivedFile> {
  yield file('verify.mjs', verifyProgram)
  yield file('public-key.pem', archiveKey(of.app).publicKey)
  yield file('index.html', indexPage)
  yield file('view/person.html', personPage)
  yield file('view/list.html', listPage)
  const lines = archiveTables.flatMap(table =>
    archivedFields(table, of.isMasked).map(([name, field]) =>
      [table.resource.entity.name, table.resource.title, name, field.title, field.kind, field.dict ?? field.ref ?? '']
        .map(one => csvCell(one))
        .join(','),
    ),
  )
  yield file('tables/fields.csv', `\ufeff表,表名,字段,字段名,类型,字典或引用\r\n${lines.join('\r\n')}\r\n`)
}

/** A table in three forms; a log with digests in one, under `logs`. */
async function* tableFiles(of: ArchiveOf, table: ArchiveTable): AsyncGenerator<ArchivedFile> {
  const { app, caller, isMasked } = of
  const { name } = table.resource.entity
  const where = { examId: of.examId, tenantId: caller.person.tenantId, isMasked }
  const read = () => tableRows(app, caller.db, table, where)
  let count = 0
  async function* lines() {
    for await (const row of read()) {
      count++
      yield `${JSON.stringify(table.chain === undefined ? row : { chain: row[table.chain], ...row })}\n`
    }
  }
  if (table.chain !== undefined) return yield { name: `logs/${name}.jsonl`, bytes: inParts(lines()) }
  yield { name: `tables/${name}.jsonl`, bytes: inParts(lines()), rows: () => count }
  const columns = await archiveColumns(app, table, where)
  async function* csv() {
    yield `\ufeff${columns.map(one => csvCell(one.title)).join(',')}\r\n`
    for await (const row of read()) yield `${columns.map(one => csvCell(one.value(row), one.isNumber)).join(',')}\r\n`
  }
  yield { name: `tables/${name}.csv`, bytes: inParts(csv()) }
  const book = streamWorkbook({
    sheet: table.resource.title,
    columns: columns.map(({ title, isNumber }) => ({
      title,
      type: isNumber ? ('number' as const) : ('text' as const),
    })),
    rows: cells(read(), columns),
  })
  yield { name: `tables/${name}.xlsx`, bytes: book as AsyncIterable<Buffer>, compress: false }
}

async function* cells(rows: AsyncIterable<Readonly<Record<string, unknown>>>, columns: readonly ArchiveColumn[]) {
  for await (const row of rows) yield columns.map(one => one.value(row))
}

/** Lines of the security log about an exam and its sign-ups, each with its place in the chain of the tenant. */
async function* auditLines({ caller: { db }, examId, isMasked }: ArchiveOf): AsyncGenerator<string> {
  const signups = db.selectFrom('signup').select(sql<string>`id::text`.as('id')).where('examId', '=', examId)
  for (let last = 0; ; ) {
    const rows = await db
      .selectFrom('auditlog')
      .select(['seq', 'event', 'userId', 'targetType', 'targetId', 'outcome', 'time', 'prevHash', 'hash'])
      .$if(!isMasked, query => query.select(['ip', 'detail']))
      .where(eb => eb.or([eb('targetId', '=', examId), eb('targetId', 'in', signups)]))
      .where('seq', '>', last)
      .orderBy('seq')
      .limit(linesAtOnce)
      .execute()
    for (const row of rows) yield `${JSON.stringify({ chain: '', ...row, time: row.time.toISOString() })}\n`
    last = rows.at(-1)?.seq ?? last
    if (rows.length < linesAtOnce) return
  }
}

async function* auditFiles(of: ArchiveOf): AsyncGenerator<ArchivedFile> {
  yield { name: 'logs/auditlog.jsonl', bytes: inParts(auditLines(of)) }
  const state = await of.app.audit.verify(of.caller.person.tenantId)
  yield file('logs/auditlog-state.json', JSON.stringify(state, null, 2))
}

/** Files of some sign-ups, by the values that name them. */
async function papersOf({ caller: { db } }: ArchiveOf, row: SignupRow) {
  const named = new Map<string, string>()
  if (row.photo) named.set(row.photo, '证件照')
  for (const slot of row.files) for (const one of slot.list) named.set(one.attachId, slot.fileName ?? slot.fileCode)
  const [pictures, records, tickets] = await Promise.all([
    db.selectFrom('ticketnotice').select(['jkm', 'xcm', 'hsjcbg']).where('signupId', '=', row.id).execute(),
    db.selectFrom('payrecord').select(personalFiles.payrecord).where('signupId', '=', row.id).execute(),
    db.selectFrom('examinationticket').select(personalFiles.examinationticket).where('signupId', '=', row.id).execute(),
  ])
  for (const one of pictures) for (const id of Object.values(one)) if (id) named.set(id, '考试当日材料')
  for (const { exemptFile, invoiceFile } of records) {
    if (exemptFile) named.set(exemptFile, '免缴材料')
    if (invoiceFile) named.set(invoiceFile, '票据')
  }
  for (const { photo } of tickets) if (photo && !named.has(photo)) named.set(photo, '准考证照片')
  return papersNamed(db, named)
}

/** Where files are stored, by the ids that name them. */
async function papersNamed(db: ArchiveOf['caller']['db'], named: ReadonlyMap<string, string>) {
  if (named.size === 0) return []
  const files = await db
    .selectFrom('attach')
    .select(['id', 'name', 'extension'])
    .where('id', 'in', [...named.keys()])
    .execute()
  return files.map(one => ({ ...one, title: named.get(one.id) ?? '' }))
}

const tableNamed = (name: string) => archiveTables.find(one => one.resource.entity.name === name) as ArchiveTable

/** What is said of a list and of an objection on the first page. */
const listColumns = [
  'title',
  'publicityKind',
  'publicityStatus',
  'rowNum',
  'openTime',
  'endTime',
  'withdrawReason',
] as const
const objectionColumns = [
  'receipt',
  'objectionKind',
  'publicityId',
  'listNo',
  'content',
  'objectionStatus',
  'outcome',
  'refuseReason',
  'answer',
  'answerTime',
  'strike',
  'resultChange',
  'correction',
] as const

const packed = /^(jpg|jpeg|png|zip|docx|xlsx|pdf)$/i

/** A file as the storage has it. What it has no more is named, so that nobody takes the archive for whole. */
async function storedFile(
  { app }: ArchiveOf,
  { name: key, extension }: { name: string; extension: string },
  name: string,
): Promise<ArchivedFile> {
  const bytes = await app.storage.get(key).catch(() => null)
  if (bytes) return { name, bytes, compress: !packed.test(extension) }
  return file(`${name}.缺失.txt`, '原文件已不在存储中 / the file is no longer in the storage\n')
}

/** Whom a page is of, with the numbers that a person is called by. */
interface PageOf {
  readonly id: string
  readonly examId: string
  readonly numbers: readonly string[]
  readonly records: readonly string[]
}

type RowsOf = Pick<WholeRows, 'field' | 'ids' | 'where'>

const own = ({ id }: PageOf): RowsOf => ({ field: 'signupId', ids: [id] })

/** Tables whose rows stand on the page of a person, and which of them. */
const onPage: Readonly<Record<string, (of: PageOf) => RowsOf>> = {
  signup: ({ id }) => ({ field: 'id', ids: [id] }),
  payrecord: own,
  payorder: ({ records }) => ({ field: 'bizId', ids: records }),
  payrefund: ({ records }) => ({ field: 'payRecordId', ids: records }),
  examinationticket: own,
  result: own,
  resultappeal: own,
  postreductionname: own,
  publicityrow: own,
  objection: ({ examId, numbers }) => ({ field: 'examId', ids: [examId], where: { listNo: numbers } }),
}

/** What the rows on the page of a person are found by. */
async function pageOf({ caller: { db }, examId }: ArchiveOf, { id, signNo }: SignupRow): Promise<PageOf> {
  const [records, tickets] = await Promise.all([
    db.selectFrom('payrecord').select('id').where('signupId', '=', id).execute(),
    db.selectFrom('examinationticket').select('ticketNo').where('signupId', '=', id).execute(),
  ])
  const numbers = [signNo, ...tickets.map(one => one.ticketNo)].filter(Boolean)
  return { id, examId, numbers, records: records.map(one => one.id) }
}

/** What is read once for all people of a part of the work. */
interface PeopleKit {
  readonly form: FormKit
  readonly tables: readonly (readonly [ArchiveTable, readonly ArchiveColumn[]])[]
}

async function peopleKit({ app, caller, examId, isMasked }: ArchiveOf): Promise<PeopleKit> {
  const { tenantId } = caller.person
  const tables = Object.keys(onPage).map(tableNamed)
  return {
    form: await formKit(caller.db, examId),
    tables: await Promise.all(
      tables.map(async table => [table, await archiveColumns(app, table, { tenantId, isMasked })] as const),
    ),
  }
}

async function* personFiles(of: ArchiveOf, row: SignupRow, kit: PeopleKit): AsyncGenerator<ArchivedFile> {
  const { app, caller, isMasked } = of
  const folder = cleanName(row.signNo)
  const paths: string[] = []
  if (!isMasked) {
    const once = distinctNames()
    for (const paper of await papersOf(of, row)) {
      const stored = await storedFile(
        of,
        paper,
        once(`files/${folder}/${cleanName(`${paper.title}.${paper.extension}`)}`),
      )
      yield stored
      paths.push(stored.name)
    }
    const form = await formPdf(caller, app, row, kit.form)
    const name = `pdf/${folder}/报名表.pdf`
    yield { name, bytes: form.bytes, compress: false }
    paths.push(name)
    for (const ticket of await ticketsOfSignup(caller.db, caller.now, row.id)) {
      const document = await ticketDocument(app, caller.person, ticket)
      const bytes = await app.drawings.get('ticketPdf', document, caller.person.tenantId)
      const title = once(`pdf/${folder}/${cleanName(`准考证_${ticket.itemName}.pdf`)}`)
      yield { name: title, bytes, compress: false }
      paths.push(title)
    }
  }
  const parts: { title: string; rows: unknown[][] }[] = []
  const page = await pageOf(of, row)
  for (const [table, columns] of kit.tables) {
    const { entity } = table.resource
    const wanted = onPage[entity.name]?.(page)
    if (!wanted) continue
    const rows = wholeRows(app, {
      tenantId: caller.person.tenantId,
      resource: table.resource,
      fields: archivedFields(table, isMasked).map(([name]) => name),
      isMasked,
      ...wanted,
    })
    const shown: unknown[][] = []
    for await (const one of rows)
      shown.push(columns.map(({ title, value }) => [title, value(one)]).filter(([, value]) => value !== ''))
    if (shown.length > 0) parts.push({ title: table.resource.title, rows: shown })
  }
  yield file(`view/data/p-${folder}.js`, asScript('archivePerson', { name: row.name, parts, files: paths }))
}

async function* peopleFiles(of: ArchiveOf, ids: readonly string[]): AsyncGenerator<ArchivedFile> {
  const { db } = of.caller
  const kit = await peopleKit(of)
  for (const id of ids) {
    const row = await db.selectFrom('signup').selectAll().where('id', '=', id).executeTakeFirst()
    if (row) yield* personFiles(of, row, kit)
  }
}

/**
 * What rows of an exam say, by the names of some fields.
 * @param pick what is kept of a row: never all rows whole are in memory
 * @param rowsOf the rows, where it is not all of the exam
 */
async function rowsShown<T>(
  of: ArchiveOf,
  name: string,
  fields: readonly string[],
  pick: (row: WholeRow, cells: readonly unknown[]) => T,
  rowsOf?: RowsOf,
): Promise<{ heads: readonly string[]; rows: T[] }> {
  const { app, caller, examId, isMasked } = of
  const { tenantId } = caller.person
  const table = tableNamed(name)
  const { resource } = table
  const titles = fields.map(one => resource.entity.properties[one]?.title ?? '')
  const all = await archiveColumns(app, table, { tenantId, isMasked })
  const columns = titles.flatMap(title => all.find(one => one.title === title) ?? [])
  const read = rowsOf
    ? wholeRows(app, {
        tenantId,
        resource,
        isMasked,
        fields: archivedFields(table, isMasked).map(([one]) => one),
        ...rowsOf,
      })
    : tableRows(app, caller.db, table, { examId, tenantId, isMasked })
  const rows: T[] = []
  for await (const row of read)
    rows.push(
      pick(
        row,
        columns.map(({ value }) => value(row)),
      ),
    )
  return { heads: columns.map(one => one.title), rows }
}

/** The files that rows of an exam name and that are of nobody, with the paths of each row's. */
async function* examFiles(of: ArchiveOf): AsyncGenerator<ArchivedFile> {
  const paths: Record<string, string[]> = {}
  if (!of.isMasked) yield* filesOfTables(of, paths)
  yield* listPages(of, paths)
}

async function* filesOfTables(of: ArchiveOf, paths: Record<string, string[]>): AsyncGenerator<ArchivedFile> {
  const { app, caller, examId, isMasked } = of
  const where = { examId, tenantId: caller.person.tenantId, isMasked }
  for (const [name, folder] of Object.entries(fileFolders)) {
    const table = tableNamed(name)
    const { properties, label } = table.resource.entity
    const fields = Object.entries(properties).filter(([, { kind }]) => kind === 'file' || kind === 'image')
    const once = distinctNames()
    for await (const row of tableRows(app, caller.db, table, where))
      for (const [field, { title }] of fields) {
        const papers = await papersNamed(
          caller.db,
          new Map(
            commaList(String(row[field] ?? '')).flatMap(id => (/^\d{1,20}$/.test(id) ? [[id, title] as const] : [])),
          ),
        )
        for (const paper of papers) {
          const said = cleanName(`${row[label]}_${paper.title}.${paper.extension}`)
          const stored = await storedFile(of, paper, once(`${folder}/${said}`))
          yield stored
          paths[String(row.id)] = [...(paths[String(row.id)] ?? []), stored.name]
        }
      }
  }
}

/** Lists and objections as the pages show them: what they were, each list by its rows, and the files that they had. */
async function* listPages(of: ArchiveOf, paths: Readonly<Record<string, string[]>>): AsyncGenerator<ArchivedFile> {
  const told = (row: WholeRow, cells: readonly unknown[]) => ({
    id: String(row.id),
    cells,
    files: paths[String(row.id)] ?? [],
  })
  const lists = await rowsShown(of, 'publicity', listColumns, told)
  const lineColumns = ['rowNo', ...Object.keys(publicityCells), 'remark', 'isShown', 'omitReason']
  for (const { id, cells } of lists.rows) {
    const where = { field: 'publicityId', ids: [id] }
    const lines = await rowsShown(of, 'publicityrow', lineColumns, (_, one) => one, where)
    const used = lines.heads.map((_, i) => lines.rows.some(one => one[i] !== ''))
    const heads = lines.heads.filter((_, i) => used[i])
    const rows = lines.rows.map(one => one.filter((_, i) => used[i]))
    yield file(`view/data/l-${id}.js`, asScript('archiveList', { title: cells[0], heads, rows }))
  }
  const objections = await rowsShown(of, 'objection', objectionColumns, told)
  yield file('view/data/lists.js', asScript('archiveLists', { lists, objections }))
}

/** What the first page shows: the exam, its positions and the list of people. */
async function* overviewFiles(of: ArchiveOf): AsyncGenerator<ArchivedFile> {
  const { app, caller, examId, isMasked } = of
  const where = { examId, tenantId: caller.person.tenantId, isMasked }
  const [examTable, postTable] = [tableNamed('examination'), tableNamed('examitems')]
  const [examColumns, postColumns] = await Promise.all([
    archiveColumns(app, examTable, where),
    archiveColumns(app, postTable, where),
  ])
  const exam = await caller.db
    .selectFrom('examination')
    .select('examName')
    .where('id', '=', examId)
    .executeTakeFirstOrThrow()
  const facts: unknown[][] = []
  for await (const row of tableRows(app, caller.db, examTable, where))
    for (const { title, value } of examColumns) if (value(row) !== '') facts.push([title, value(row)])
  const posts: unknown[][] = []
  for await (const row of tableRows(app, caller.db, postTable, where))
    posts.push(postColumns.map(({ value }) => value(row)))
  const heads = postColumns.map(({ title }) => title)
  yield file('view/data/exam.js', asScript('archiveExam', { exam: { ...exam, facts }, posts: { heads, rows: posts } }))
  const shown = ['name', 'finalUnit', 'finalCode', 'signStatus']
  const { rows: people } = await rowsShown(of, 'signup', shown, ({ signNo }, cells) => [
    cleanName(String(signNo)),
    signNo,
    ...cells,
  ])
  yield file('view/data/people.js', asScript('archivePeople', people))
}

/** Ids of the sign-ups of an exam, some at a time, by position. */
async function peopleByPost({ caller: { db }, examId }: ArchiveOf): Promise<{ post: string; ids: string[] }[]> {
  const rows = await db
    .selectFrom('signup')
    .select(['id', 'finalCode'])
    .where('examId', '=', examId)
    .orderBy('finalCode')
    .orderBy('id')
    .execute()
  const parts: { post: string; ids: string[] }[] = []
  for (const { id, finalCode } of rows) {
    const post = finalCode ?? ''
    const last = parts.at(-1)
    if (last?.post === post && last.ids.length < peopleAtOnce) last.ids.push(id)
    else parts.push({ post, ids: [id] })
  }
  return parts
}

/** All parts of the work, in an order that stays the same: what belongs to the exam as a whole, then the people by position. */
export async function archiveUnits(of: ArchiveOf): Promise<readonly Unit[]> {
  const people = await peopleByPost(of)
  return [
    { files: () => head(of) },
    ...archiveTables.map(table => ({ files: () => tableFiles(of, table) })),
    { files: () => auditFiles(of) },
    { files: () => examFiles(of) },
    { files: () => overviewFiles(of) },
    ...people.map(({ post, ids }) => ({ post, files: () => peopleFiles(of, ids) })),
  ]
}

/** Bytes that an archive will take, about: its files, and some for each row. */
export async function estimate({
  caller: { db },
  examId,
  isMasked,
}: ArchiveOf): Promise<{ people: number; bytes: number }> {
  const signups = db.selectFrom('signup').select(sql<string>`id::text`.as('id')).where('examId', '=', examId)
  const [{ people }, { bytes }] = await Promise.all([
    db
      .selectFrom('signup')
      .select(eb => eb.fn.countAll<string>().as('people'))
      .where('examId', '=', examId)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('attach')
      .select(eb => eb.fn.sum<string | null>('attachSize').as('bytes'))
      .where('ownerId', 'in', signups)
      .executeTakeFirstOrThrow(),
  ])
  const perPerson = isMasked ? 20_000 : 200_000
  return { people: Number(people), bytes: Number(people) * perPerson + (isMasked ? 0 : Number(bytes ?? 0)) }
}
