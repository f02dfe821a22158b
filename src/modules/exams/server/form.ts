import type { Selectable } from 'kysely'
import { Examsignitems } from '#schemas/exams/examsignitems'
import { keepHistory } from '../../../crud/history.ts'
import type { Live, LiveDatabase } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { lockUnarchived } from './archived.ts'
import type { Actor } from './release.ts'

const asText = (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(value))

interface LibraryRules {
  maxLength: number | null
  regex: string | null
  regexMsg: string | null
  rules: unknown
}

/** The rules an exam's field takes over from the library: those of its columns go before those kept as JSON. */
function rulesOf({ maxLength, regex, regexMsg, rules }: LibraryRules) {
  const own = { ...(maxLength ? { maxLength } : {}), ...(regex ? { regex, regexMsg } : {}) }
  const all = { ...(rules as object | null), ...own }
  return Object.keys(all).length ? all : null
}

/**
 * Puts fields of the library into an exam's form, behind those it has. A field that is there already is left alone.
 * @returns how many were added
 * @throws exams.notFound, exams.archived, row.notFound when a library field is unknown or switched off
 */
export const addItems = (db: Live, examId: string, itemsIds: readonly string[], by: Actor): Promise<number> =>
  db.transaction().execute(async trx => {
    const added = await addItemsIn(trx, examId, itemsIds)
    await keepHistory(
      trx,
      Examsignitems,
      added.map(row => [null, row] as const),
      { act: 'add', ...by },
    )
    return added.length
  })

/** The same within a transaction, where the exam itself is being made, see {@link addItems}. @returns the rows added */
export async function addItemsIn(
  trx: Live,
  examId: string,
  itemsIds: readonly string[],
): Promise<Selectable<LiveDatabase['examsignitems']>[]> {
  await lockUnarchived(trx, examId)
  const library = await trx
    .selectFrom('items')
    .selectAll()
    .where('id', 'in', [...itemsIds])
    .where('status', '=', 1)
    .orderBy('sort')
    .execute()
  if (library.length !== new Set(itemsIds).size) throw refuse('row.notFound')
  const present = await trx
    .selectFrom('examsignitems')
    .select(['itemCode', 'sort'])
    .where('examId', '=', examId)
    .execute()
  const last = Math.max(0, ...present.map(one => one.sort ?? 0))
  const fresh = library.filter(item => !present.some(one => one.itemCode === item.itemCode))
  if (!fresh.length) return []
  const rows = fresh.map((item, i) => ({
    examId,
    itemsId: item.id,
    itemCode: item.itemCode,
    itemName: item.itemName,
    groupName: item.groupName,
    inputType: item.inputType,
    dictCode: item.dictCode,
    required: item.required,
    rules: asText(rulesOf(item)),
    columns: asText(item.columns),
    showWhen: asText(item.showWhen),
    span: item.span,
    sort: last + (i + 1) * 10,
  }))
  return trx.insertInto('examsignitems').values(rows).returningAll().execute()
}
