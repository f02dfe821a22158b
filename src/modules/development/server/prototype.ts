import type { ReplyOf } from '#engine'
import { ModelPrototype } from '#schemas/development/model-prototype'
import { readInput, type Values, wrongInput } from '../../../crud/input.ts'
import { type Live, type LiveTrx, raw, removeRows } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import type { ColumnInfo, modelFields } from '../contract.ts'
import { readColumns } from './catalogue.ts'
import { dictionariesOf } from './dictionaries.ts'
import { fieldProblems } from './fields.ts'
import type { FieldRow } from './rows.ts'
import { type Asking, inSource } from './source.ts'

type Component = NonNullable<FieldRow['componentType']>

/** Property and input of each column type; everything else is text. */
const types: Readonly<Record<string, readonly [property: string, entity: string, component: Component]>> = {
  int8: ['Long', 'java.lang.Long', 'number'],
  int4: ['Integer', 'java.lang.Integer', 'number'],
  int2: ['Integer', 'java.lang.Integer', 'number'],
  numeric: ['BigDecimal', 'java.math.BigDecimal', 'number'],
  float8: ['Double', 'java.lang.Double', 'number'],
  bool: ['Boolean', 'java.lang.Boolean', 'radio'],
  date: ['LocalDate', 'java.time.LocalDate', 'date'],
  timestamp: ['LocalDateTime', 'java.time.LocalDateTime', 'datetime'],
  timestamptz: ['LocalDateTime', 'java.time.LocalDateTime', 'datetime'],
  text: ['String', 'java.lang.String', 'textarea'],
}

/** Columns that every table has and no form asks for. */
const kept = /^(id|tenant_?id|create_?(user|dept|time)|update_?(user|time)|status|is_?deleted)$/i

const camel = (name: string): string => name.replace(/_+([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** What a column becomes when nobody has said anything about it yet. */
function suggest(modelId: string, column: ColumnInfo, sort: number): ReplyOf<typeof modelFields>[number] {
  const [propertyType, propertyEntity, componentType] = types[column.type] ?? ['String', 'java.lang.String', 'input']
  const shown = kept.test(column.name) ? 0 : 1
  return {
    id: '',
    modelId,
    jdbcName: column.name,
    jdbcType: column.type.slice(0, 20),
    jdbcComment: column.comment,
    propertyName: camel(column.name),
    propertyType,
    propertyEntity,
    componentType: column.dict ? 'select' : componentType,
    dictCode: column.dict,
    isList: shown,
    isForm: shown,
    isRow: componentType === 'textarea' ? 1 : 0,
    isRequired: shown && !column.nullable ? 1 : 0,
    isQuery: 0,
    queryType: '',
    sort,
    isUnique: shown && column.isUnique ? 1 : 0,
    uniqueGroup: shown ? column.uniqueGroup : '',
    maxLength: propertyType === 'String' && !column.dict ? column.maxLength : '',
    defaultValue: shown ? column.preset : '',
    isState: column.isState ? 1 : 0,
  }
}

/** The saved fields of a model, in their order. */
export async function storedOf(db: Live, modelId: string) {
  return db
    .selectFrom('model_prototype')
    .selectAll()
    .where('modelId', '=', modelId)
    .orderBy('sort')
    .orderBy('id')
    .execute()
}

/** The model of an id. @throws row.notFound */
export async function modelOf(db: Live, id: string) {
  const row = await db.selectFrom('model').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw refuse('row.notFound')
  return row
}

/**
 * The fields of a model: those that were saved, in their order, and the columns of its table that are new.
 * @throws row.notFound, and input.invalid when nothing is saved and the data source cannot be asked
 */
export async function readPrototypes(asking: Asking, modelId: string, datasourceId?: string) {
  const model = await modelOf(asking.db, modelId)
  const stored = await storedOf(asking.db, modelId)
  const ask = inSource(asking, datasourceId ?? model.datasourceId, (source, isOwn) =>
    readColumns(source, isOwn, model.modelTable),
  )
  const columns = await ask.catch(error => {
    if (stored.length === 0) throw error
    return []
  })
  const known = new Set(stored.map(row => row.jdbcName))
  const fresh = columns.filter(column => !known.has(column.name))
  return [...stored, ...fresh.map((column, i) => suggest(modelId, column, stored.length + i))]
}

/** Most fields of one model. */
const mostFields = 500

/** Reads a list of fields, every one checked. @throws input.invalid with what is wrong, named by row */
function readList(list: readonly unknown[]): Values[] {
  if (list.length === 0 || list.length > mostFields)
    throw refuse('input.invalid', { 说明: `字段应为1到${mostFields}个` })
  const rows = list.map((one, at) => {
    const { values, problems } = readInput(ModelPrototype, one, 'add')
    if (problems.length > 0)
      throw wrongInput(problems.map(({ field, msg }) => ({ field, msg: `第${at + 1}行：${msg}` })))
    const { id } = one as { id?: unknown }
    return { ...values, id: id ? String(id) : '', sort: at }
  }) as Values[]
  for (const name of ['jdbcName', 'propertyName'] as const) {
    const twice = rows.find((row, at) => rows.findIndex(other => other[name] === row[name]) !== at)
    if (twice) throw wrongInput([{ field: name, msg: `${ModelPrototype.properties[name].title}重复：${twice[name]}` }])
  }
  if (new Set(rows.map(row => row.modelId)).size > 1)
    throw refuse('input.invalid', { 说明: '一次只能保存一个模型的字段' })
  return rows
}

/** Who brings rows back, and when. */
interface Writer {
  userId: string
  now: Date
}

/** Rows of unique names must go before others take their names. */
async function clear(db: LiveTrx, modelId: string): Promise<Set<string>> {
  const rows = await removeRows(db, 'model_prototype').where('modelId', '=', modelId).returning('id').execute()
  return new Set(rows.map(row => row.id))
}

/**
 * Saves all fields of a model in place of those it had: rows with an id are changed, others added, missing ones
 * removed.
 * @throws input.invalid for a wrong row, row.notFound for a model or row that is not there
 */
export async function savePrototypes(
  { app, db }: Asking,
  list: readonly unknown[],
  { userId, now }: Writer,
): Promise<void> {
  const rows = readList(list)
  const fields = rows as unknown as FieldRow[]
  const problems = fieldProblems(fields, await dictionariesOf({ app }, fields))
  if (problems.length > 0) throw wrongInput(problems)
  const modelId = String(rows[0]?.modelId)
  await db.transaction().execute(async trx => {
    const model = await trx
      .selectFrom('model')
      .select('id')
      .where('id', '=', modelId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!model) throw refuse('row.notFound')
    const had = await clear(trx, modelId)
    for (const { id, ...values } of rows) {
      if (id && !had.has(String(id))) throw refuse('row.notFound')
      if (!id)
        await trx
          .insertInto('model_prototype')
          .values(values as never)
          .execute()
      else {
        // A live handle meets no row that has been removed: these come back.
        const back = { ...values, isDeleted: 0, updateUser: userId, updateTime: now } as never
        await raw(trx).updateTable('model_prototype').set(back).where('id', '=', String(id)).execute()
      }
    }
  })
}
