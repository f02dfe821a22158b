import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { columnField, type Field, headingOf, type Kind, permissionOf, type Resource, tableOf } from '#engine'
import { masked } from '../platform/http/server/log-params.ts'
import { takenBy } from '../platform/pdf/taken-by.ts'
import { type Column, streamWorkbook } from '../platform/workbook/workbook.ts'
import { readByCursor } from './cursor.ts'
import { withDerived } from './derive.ts'
import { answerExport } from './export.ts'
import { type ExportKind, type Taker, workbookType } from './export-kind.ts'
import { ident } from './fragment.ts'
import { resourceOf } from './lookup.ts'
import { measuredParts } from './measure.ts'
import { orderOf, whereOf } from './query.ts'
import type { Query, Read } from './read.ts'
import { mayRead } from './readable.ts'
import { listedFields, selectList, unsealText } from './reader.ts'
import { hooksOf } from './rules.ts'
import { joinsOf } from './step.ts'
import { screenOf } from './view.ts'
import { readWords, type Words, wordOf } from './words.ts'

type Row = Record<string, unknown>
type Show = (row: Row, name: string, words: Words | undefined) => unknown

const asText: Show = (row, name) => row[name]
const asWord: Show = (row, name, words) => wordOf(words, String(row[name] ?? ''))
const asLabel: Show = (row, name) => row[`${name}Name`]
const asYuan: Show = (row, name) => ((row[name] ?? '') === '' ? '' : Number(row[name]) / 100)

interface Cell {
  show: Show
  type?: Column['type']
}

/**
 * How a cell of each kind is written, null for kinds that are no cell. Everything but numbers is text, so nothing is ever
 * calculated.
 */
const cells: Record<Kind, Cell | null> = {
  text: { show: asText },
  longText: { show: asText },
  richText: null,
  integer: { show: asText, type: 'number' },
  decimal: { show: asText, type: 'number' },
  money: { show: asYuan, type: 'number' },
  flag: { show: asWord },
  date: { show: asText },
  dateTime: { show: asText },
  dict: { show: asWord },
  dicts: { show: asWord },
  state: { show: asWord },
  ref: { show: asLabel },
  refs: { show: asLabel },
  region: { show: asWord },
  image: null,
  file: null,
  json: null,
  sealed: { show: asText },
  secret: null,
}

const asList: Show = (row, name) => [row[name] ?? []].flat().join('、')
const asDeadline: Show = (row, name) => {
  const { label, at } = (row[name] || {}) as { label?: string; at?: string }
  return label ? `${label} ${at}` : ''
}

/** How what is computed with a shape of its own is written, by the name of its cell on the screen (`as`). */
const shaped: Readonly<Record<string, Cell>> = {
  phases: { show: asList },
  deadline: { show: asDeadline },
}

const isDerived = ({ derived }: Resource, name: string): boolean => name in derived

/** What stands below another column of the list has one of its own here. */
const columnsOf = ({ columns }: Resource): Resource['columns'] =>
  columns.flatMap(column => [column, ...(column.with ?? []).map(field => ({ field }))])

const exported = ({ resource, person }: Pick<Read, 'resource' | 'person'>) =>
  columnsOf(resource).flatMap(({ field: name, width, as = '' }) => {
    const field = columnField(resource, name)
    const cell = field && (cells[field.kind] ?? (isDerived(resource, name) && shaped[as]))
    return field && cell && mayRead(person, resource, name)
      ? [{ name, field, cell, width: width ? Math.round(width / 8) : 18 }]
      : []
  })

/** Every row of a filtered list, as it stands now; what its columns ask to be computed is, for as many as are read at once. */
async function* readAll(read: Read, order: ListOrder): AsyncGenerator<Row> {
  const { app, person, resource } = read
  const { query } = order
  const { entity } = resource
  const names = exported(screenAt(read, order)).map(one => one.name)
  const now = app.now()
  const isWorked = hooksOf(app, resource).derive !== undefined && names.some(name => isDerived(resource, name))
  // What is computed may follow from whatever the list shows.
  const isShown = (name: string) => mayRead(person, resource, name)
  const own = isWorked
    ? listedFields(resource)
    : names.filter(name => entity.properties[name] || name in resource.steps)
  const select = sql.raw(selectList(resource, own, false, isShown))
  const measured = measuredParts({ ...read, now }, name => names.includes(name) && isShown(name))
  const table = sql.raw(ident(tableOf(entity.name)))
  const where = whereOf(read, query)
  const sorted = orderOf(read, query)
  const joins = joinsOf(read, now)
  const portions = readByCursor(
    app.pool,
    sql`SELECT ${select}${measured} FROM ${table} t ${joins} WHERE ${where} ORDER BY ${sorted}`,
  )
  const parse = (text: string) => JSON.parse(unsealText(text, entity, app.vault)) as Row
  for await (const texts of portions)
    if (isWorked) yield* await withDerived({ app, person, now, request: null }, resource, texts.map(parse))
    else for (const text of texts) yield parse(text)
}

/** A generated list with its filters and its order. */
interface ListOrder {
  /** Name of the resource. */
  resource: string
  query: Query
}

const readOf = ({ app, person }: Taker, { resource }: ListOrder): Read => ({
  app,
  person,
  resource: resourceOf(resource),
})

/** The screen whose columns and title the workbook has. */
const screenAt = (read: Read, { query }: ListOrder): Read => ({
  ...read,
  resource: screenOf(read.resource, query.view) ?? read.resource,
})

/** A filtered list as a workbook: words for keys, labels for references, sealed texts masked. */
export const listExport: ExportKind<ListOrder> = {
  name: 'list',
  atOnce: 2000,
  access({ resource: name }) {
    const resource = resourceOf(name)
    return { permission: permissionOf(resource, 'export'), url: `/api${resource.path}/export` }
  },
  async count(taker, order, most) {
    const read = readOf(taker, order)
    const table = sql.raw(ident(tableOf(read.resource.entity.name)))
    orderOf(read, order.query)
    const limit = most === undefined ? sql.raw('') : sql.raw(`LIMIT ${most}`)
    const found = sql`SELECT count(*) AS n FROM (SELECT 1 FROM ${table} t WHERE ${whereOf(read, order.query)} ${limit}) r`
    const { rows } = await found.$castTo<{ n: string }>().execute(taker.app.db)
    return Number(rows[0]?.n)
  },
  async make(taker, order, counted) {
    const read = readOf(taker, order)
    const { resource } = screenAt(read, order)
    const columns = exported(screenAt(read, order))
    const words = await readWords(
      read.app,
      read.person.tenantId,
      columns.map(one => one.field as Field),
    )
    async function* rows() {
      for await (const row of readAll(read, order))
        yield columns.map(({ name, field, cell }) => cell.show(row, name, words.get(field.dict ?? '')))
    }
    const foot = takenBy(read.person, read.app.now())
    const heads = columns.map(({ name, cell, width }) => ({
      title: headingOf(resource, name).join('·'),
      width,
      type: cell.type ?? 'text',
    }))
    return {
      name: `${resource.title}.xlsx`,
      contentType: workbookType,
      bytes: streamWorkbook({ sheet: resource.title, columns: heads, rows: counted(rows()), foot }),
    }
  },
}

/** Answers with the filtered list as a workbook, or makes it in the background. @throws as {@link answerExport} */
export function sendExport(
  request: FastifyRequest,
  reply: FastifyReply,
  resource: Resource,
): ReturnType<typeof answerExport> {
  const query = request.query as Query
  const title = screenOf(resource, query.view)?.title ?? resource.title
  const entry = { bizType: resource.name, title, params: masked(query) as Query }
  return answerExport(request, reply, listExport, { resource: resource.name, query }, entry)
}
