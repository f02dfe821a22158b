import type { InsertObject } from 'kysely'
import { commaList } from '#engine'
import type { publicity } from '#resources/publicity/publicity'
import { PublicityKind, PublicityStatus } from '#schemas/dictionaries'
import { Publicity } from '#schemas/publicity/publicity'
import { publicityCells } from '#schemas/publicity/publicityrow'
import { keepHistory } from '../../../crud/history.ts'
import type { HandlerOf, Hooks } from '../../../crud/rules.ts'
import { changeable } from '../../../crud/scope.ts'
import { programUser } from '../../../crud/transition.ts'
import { type Live, type LiveDatabase, type LiveTrx, removeRows } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { refuseArchived } from '../../exams/server/archived.ts'
import { type CellName, columnsFor, knownColumns } from '../rules/columns.ts'
import { type Line, type ListOf, linesOf, sourceOf } from './lines.ts'
import { checkedTimes } from './period.ts'

const wrong = (field: string, msg: string) => refuse('input.invalid', { 说明: msg }, [{ field, msg }])

/** The columns of a list: those chosen, in the order in which lists have them, or those of its kind. @throws input.invalid */
async function columnsOf(db: Live, list: Publicity): Promise<string> {
  const { kind } = await sourceOf(db, list)
  const chosen = commaList(list.columns)
  const known = knownColumns(kind)
  const strange = chosen.filter(name => !(known as readonly string[]).includes(name))
  if (strange.length > 0) throw wrong('columns', '公示栏目含有该类公示不能公开的内容，请取消后重试')
  const wanted: readonly string[] = chosen.length > 0 ? chosen : columnsFor(kind).preset
  return known.filter(name => wanted.includes(name)).join(',')
}

/** Before a list is written: its columns and its times are filled in where nothing was said, and looked at. */
export const publicityHooks: Hooks<typeof publicity.entity> = {
  async beforeSubmit({ db, set, now }, given, before) {
    const list = { ...before, ...given } as Publicity
    if (list.replaces && list.replaces === before?.id) throw wrong('replaces', '公示不能更正自己')
    if (list.publicityKind === PublicityKind.correction) await requireReleased(db, list.replaces)
    set({ columns: await columnsOf(db, list), ...(await checkedTimes(db, list, now)) })
  },
  async afterSubmit({ db }, row, before) {
    if (!before || before.columns !== row.columns) await buildLines(db, row)
  },
}

/** A correction corrects what has been public or is about to be. */
async function requireReleased(db: Live, id: string | null): Promise<void> {
  const row = id
    ? await db.selectFrom('publicity').select('publicityStatus').where('id', '=', id).executeTakeFirst()
    : undefined
  const isOut = [PublicityStatus.released, PublicityStatus.withdrawn].some(one => one === row?.publicityStatus)
  if (!isOut) throw wrong('replaces', '只能更正已发布或已撤回的公示')
}

/** Rows written at once. */
const portion = 500

type Cells = Record<CellName, string | null>

const keyOf = (row: { signupId: string | null; code: string | null }): string => row.signupId ?? row.code ?? ''

/**
 * Makes the lines of a draft anew from the data. What somebody has left out, and what was noted beside a line, stays.
 * @param list of a draft that is locked
 */
export async function buildLines(db: Live, list: ListOf & Pick<Publicity, 'id' | 'columns'>): Promise<number> {
  const columns = commaList(list.columns)
  const lines = await linesOf(db, list, columns)
  const kept = await db
    .selectFrom('publicityrow')
    .select(['signupId', 'code', 'remark', 'isShown', 'omitReason'])
    .where('publicityId', '=', list.id)
    .execute()
  const before = new Map(kept.map(row => [keyOf(row), row]))
  await removeRows(db, 'publicityrow').where('publicityId', '=', list.id).execute()
  for (let at = 0; at < lines.length; at += portion) {
    const rows = lines.slice(at, at + portion).map((line, i) => {
      const old = before.get(line.key)
      return {
        publicityId: list.id,
        rowNo: at + i + 1,
        signupId: line.signupId,
        ...cellsOf(line),
        remark: old?.remark ?? line.remark ?? null,
        isShown: old?.isShown ?? (1 as const),
        omitReason: old?.omitReason ?? null,
      }
    })
    await db.insertInto('publicityrow').values(rows).execute()
  }
  await db.updateTable('publicity').set({ rowNum: lines.length }).where('id', '=', list.id).execute()
  return lines.length
}

/** Adds a list that the program drafts, with its lines and its history; staff look at it, and two of them let it out. */
export async function addDraft(
  db: LiveTrx,
  values: Omit<InsertObject<LiveDatabase, 'publicity'>, 'publicityStatus' | 'rowNum'>,
  now: Date,
): Promise<void> {
  const list = await db
    .insertInto('publicity')
    .values({ ...values, publicityStatus: PublicityStatus.draft, rowNum: 0 } as InsertObject<LiveDatabase, 'publicity'>)
    .returningAll()
    .executeTakeFirstOrThrow()
  await buildLines(db, list)
  await keepHistory(db, Publicity, [[null, list]], { act: 'add', userId: programUser, now })
}

/** All cells of a line; those that the list does not keep are empty. */
export function cellsOf({ cells }: Pick<Line, 'cells'>): Cells {
  const names = Object.keys(publicityCells) as CellName[]
  return Object.fromEntries(names.map(name => [name, cells[name] || null])) as Cells
}

/** Makes the lines of a draft anew. @throws row.notFound, exams.archived, row.wrongState */
export const rebuild: HandlerOf<typeof publicity, 'rebuild'> = ({ app, db, person, id }) =>
  db.transaction().execute(async trx => {
    const list = await changeable(app, person, 'publicity', trx)
      .selectAll()
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!list) throw refuse('row.notFound')
    await refuseArchived(trx, [list.examId])
    if (list.publicityStatus !== PublicityStatus.draft) throw refuse('row.wrongState')
    await buildLines(trx, list as Publicity)
  })
