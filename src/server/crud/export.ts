import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Field, fieldOf, type Kind, type Resource, tableOf } from '#engine'
import { person } from '../access.ts'
import { type Column, streamWorkbook } from '../documents/workbook.ts'
import { masked } from '../plugins/log-params.ts'
import { beginExport, registered } from './export-task.ts'
import { ident, q, raw, statement } from './fragment.ts'
import { orderOf, type Query, type Read, whereOf } from './query.ts'
import { selectList, unsealText } from './reader.ts'
import { readWords, type Words, wordOf } from './words.ts'

/** Rows fetched from the database at a time. */
const batch = 1000

type Row = Record<string, unknown>
type Show = (row: Row, name: string, words: Words | undefined) => unknown

const asText: Show = (row, name) => row[name]
const asWord: Show = (row, name, words) => wordOf(words, String(row[name] ?? ''))
const asLabel: Show = (row, name) => row[`${name}Name`]
const asYuan: Show = (row, name) => (row[name] === '' ? '' : Number(row[name]) / 100)

/** How a cell of each kind is written, null for kinds that are no cell. Everything but numbers is text, so nothing is ever calculated. */
const cells: Record<Kind, { show: Show; type?: Column['type'] } | null> = {
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

const exported = (resource: Resource) =>
  resource.columns.flatMap(({ field: name, width }) => {
    const field = fieldOf(resource.entity, name)
    const cell = field && cells[field.kind]
    return field && cell ? [{ name, field, cell, width: width ? Math.round(width / 8) : 18 }] : []
  })

/** Every row of a filtered list, read through a cursor: memory does not grow with their number. */
async function* readAll(read: Read, query: Query): AsyncGenerator<Row> {
  const { app, resource } = read
  const { entity } = resource
  const names = exported(resource).map(one => one.name)
  const own = names.filter(name => entity.properties[name])
  const select = raw(selectList(resource, own))
  const table = raw(ident(tableOf(entity.name)))
  const where = whereOf(read, query)
  const order = orderOf(resource, query)
  const { text, values } = statement(
    q`DECLARE rows CURSOR FOR SELECT row_to_json(r)::text AS row FROM (
      SELECT ${select} FROM ${table} t WHERE ${where} ORDER BY ${order}) r`,
  )
  const client = await app.pool.connect()
  try {
    await client.query('BEGIN READ ONLY')
    await client.query(text, values)
    for (;;) {
      const { rows } = await client.query<{ row: string }>(`FETCH ${batch} FROM rows`)
      for (const { row } of rows) yield JSON.parse(unsealText(row, entity, app.vault)) as Row
      if (rows.length < batch) break
    }
  } finally {
    await client.query('ROLLBACK').catch(() => {})
    client.release()
  }
}

/** Offers an answer as a file to keep. */
export function asFile(reply: FastifyReply, name: string): FastifyReply {
  return reply
    .type('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
}

/**
 * Answers with the filtered list as a workbook: words for keys, labels for references, sealed texts masked. Every export
 * is entered in the register.
 */
export async function sendExport(request: FastifyRequest, reply: FastifyReply, resource: Resource) {
  const read: Read = { app: request.server, person: person(request), resource }
  const query = request.query as Query
  // What is wrong with the query is said before the file begins.
  whereOf(read, query)
  orderOf(resource, query)
  const columns = exported(resource)
  const words = await readWords(
    read.app,
    read.person.tenantId,
    columns.map(one => one.field as Field),
  )
  async function* rows() {
    for await (const row of readAll(read, query))
      yield columns.map(({ name, field, cell }) => cell.show(row, name, words.get(field.dict ?? '')))
  }
  const params = masked(query) as Query
  const running = await beginExport(read.app, read.person, { bizType: resource.name, params })
  const heads = columns.map(({ field, cell, width }) => ({ title: field.title, width, type: cell.type ?? 'text' }))
  return asFile(reply, `${resource.title}.xlsx`).send(
    streamWorkbook({ sheet: resource.title, columns: heads, rows: registered(running, rows()) }),
  )
}
