import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { type Kind, type Resource, type SheetColumn, tableOf } from '#engine'
import type { Reader, Trx } from '../platform/database/database.ts'
import { advice } from '../platform/files/file-advice.ts'
import type { Extensions } from '../platform/http/server/extensions.ts'
import { refuse } from '../platform/http/server/refusal.ts'
import { asFile } from './export.ts'
import { ident } from './fragment.ts'
import { type Values, wrongInput } from './input.ts'
import { resourceOf } from './lookup.ts'
import { scopeOf } from './scope.ts'
import type { CellsRead, ReadRow } from './sheet-read.ts'
import { saveRows } from './sheet-save.ts'
import {
  answerSheet,
  asTotals,
  baseOf,
  type Layout,
  type SheetBase,
  type SheetWork,
  takeSheet,
  uploadOf,
  writeSheet,
} from './sheet-take.ts'
import { repeated, taken } from './sheet-unique.ts'
import { namingUnique } from './unique.ts'
import { type Write, writeOf } from './write.ts'

/** Kinds that no cell can hold. */
const notInCells: readonly Kind[] = ['image', 'file', 'json', 'richText', 'secret']

/** Width of every column, in characters. */
const width = 20

/** The columns of a resource's import: the inputs of its form, in their order. */
function columnsOf({ entity, form }: Resource): SheetColumn[] {
  return form.flatMap(group =>
    group.inputs.flatMap(({ field: name }): SheetColumn[] => {
      const field = entity.properties[name]
      if (!field || notInCells.includes(field.kind)) return []
      const isRequired = entity.required.includes(name) && field.default === undefined
      const asked = isRequired ? 'always' : entity.requiredWhen[name] ? 'sometimes' : 'never'
      return [{ name, field, width, role: 'entered', asked }]
    }),
  )
}

/** The workbook in which rows of a resource come in, from its form. */
const sheetOf = (resource: Resource): Layout => ({
  title: resource.title,
  version: `${resource.name}-1`,
  columns: columnsOf(resource),
  row: resource.entity,
})

/** Answers with the workbook to fill in. */
export async function sendTemplate(request: FastifyRequest, reply: FastifyReply, resource: Resource) {
  const layout = sheetOf(resource)
  const book = await writeSheet(baseOf(request), layout, layout.title)
  return asFile(reply, `${resource.title}导入模板.xlsx`).send(book)
}

declare module '../platform/http/server/extensions.ts' {
  interface Extensions {
    /** Keys of dictionary `import_biz` under which imports are written down, by resource; a resource's own name where none is given. */
    importKinds: Readonly<Record<string, string>>
  }
}

/** Those values of an address that stand for a column of references; each must be a row the caller may meet. */
async function fixedValues(write: Write, columns: readonly SheetColumn[], given: Values): Promise<Values> {
  const fixed: Values = {}
  for (const { name, field } of columns) {
    const id = given[name]
    if (!field.ref || field.kind !== 'ref' || id === undefined || id === '') continue
    const target = resourceOf(field.ref)
    const table = sql.raw(ident(tableOf(target.entity.name)))
    const scope = scopeOf(write.app, write.person, target, write.now)
    const { rows } = await sql`SELECT t.id FROM ${table} t WHERE t.id::text = ${String(id)} AND ${scope}`.execute(
      write.trx,
    )
    if (!rows.length) throw wrongInput([{ field: name, msg: `${field.title}不存在，请重新选择` }])
    fixed[name] = String(id)
  }
  return fixed
}

/** Takes rows of any resource in: each is added as a submit would add it. */
class ResourceWork implements SheetWork<Write, ReadRow, null> {
  readonly layout: Layout
  readonly business: string
  readonly once = true
  readonly triesAll = true
  readonly #resource: Resource

  constructor(resource: Resource, { importKinds }: Extensions) {
    this.layout = sheetOf(resource)
    this.business = importKinds[resource.name] ?? resource.name
    this.#resource = resource
  }

  async begin({ request }: SheetBase, trx: Trx) {
    const held = writeOf(request, this.#resource, trx)
    const fixed = await fixedValues(held, this.layout.columns, request.query as Values)
    const [place] = Object.values(fixed)
    return { held, fixed, place: place === undefined ? null : String(place) }
  }

  async judge(_base: SheetBase, _db: Reader, write: Write, rows: readonly CellsRead[]) {
    const { entity } = this.#resource
    const right = rows.filter(({ bad }) => bad.length === 0)
    const twice = [...repeated(entity, right), ...(await taken(write, right))]
    const wrong = new Set(twice.map(({ row }) => row))
    return { good: right.filter(({ row }) => !wrong.has(row)), errors: [...rows.flatMap(({ bad }) => bad), ...twice] }
  }

  async save({ held, wrong }: { held: Write; wrong: number | null }, rows: readonly ReadRow[]) {
    return { refused: await saveRows(held, rows, wrong), saved: null }
  }
}

/**
 * Takes a filled-in workbook; a reference named in the address (`import?examId=`) holds for rows that leave it empty.
 * The whole file is checked first; mode 1 takes all rows or none (workbook.rowsInvalid), mode 2 the good ones. Every
 * import is written down with its file and a copy that says what was wrong. @throws input.repeated for a file taken in
 * within the last ten minutes
 */
export async function receiveImport(request: FastifyRequest, resource: Resource): Promise<ReturnType<typeof asTotals>> {
  if (!request.form) throw refuse('file.typeNotAllowed', { 做法: advice.exts(['xlsx']) })
  const upload = await uploadOf(request)
  const outcome = await namingUnique(
    resource,
    takeSheet(request, new ResourceWork(resource, request.server.extensions), upload),
  )
  return answerSheet(outcome, asTotals(outcome))
}
