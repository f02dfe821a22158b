import type { FastifyInstance } from 'fastify'
import { publicityEvents } from '#resources/publicity/events'
import { publicity } from '#resources/publicity/publicity'
import { publicityrow } from '#resources/publicity/publicityrow'
import { PublicityStatus } from '#schemas/dictionaries'
import type { Publicity } from '#schemas/publicity/publicity'
import { publicityCells } from '#schemas/publicity/publicityrow'
import { emit } from '../../../crud/emit.ts'
import { guard, on, rules } from '../../../crud/rules.ts'
import { makeTransition, programUser } from '../../../crud/transition.ts'
import { type Live, liveAcross, updateUnstamped, withRemoved } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { type CellName, isFreeCell } from '../rules/columns.ts'
import { holdsPartOf } from '../rules/digit-scan.ts'
import { cellsOf, publicityHooks, rebuild } from './draft.ts'
import { linesOf } from './lines.ts'
import { checkedTimes } from './period.ts'

const cellNames = Object.keys(publicityCells) as CellName[]
const titles: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(publicityCells).map(([name, { title }]) => [name, title])),
  remark: publicityrow.entity.properties.remark.title,
}

const shownRows = (db: Live, publicityId: string) =>
  db
    .selectFrom('publicityrow as r')
    .leftJoin(withRemoved('signup as s'), 's.id', 'r.signupId')
    .selectAll('r')
    .select(['s.idCard', 's.phone'])
    .where('r.publicityId', '=', publicityId)
    .orderBy('r.rowNo')
    .execute()

type StoredRow = Awaited<ReturnType<typeof shownRows>>[number]

/** Where a line holds a part of the number of whom it is about: the title of the cell; undefined where none does. */
function leakIn(app: Pick<FastifyInstance, 'vault'>, row: StoredRow): string | undefined {
  const numbers = [row.idCard, row.phone].flatMap(sealed => (sealed ? [app.vault.open(sealed)] : []))
  const free = [...cellNames, 'remark' as const].filter(isFreeCell)
  const found = free.find(name => holdsPartOf(row[name] ?? '', numbers))
  return found && titles[found]
}

/** @throws input.invalid for an empty list, and naming the line and the cell that tell something of a number */
function checkLines(app: Pick<FastifyInstance, 'vault'>, rows: readonly StoredRow[]): void {
  const shown = rows.filter(row => row.isShown === 1)
  if (shown.length === 0) throw refuse('input.invalid', { 说明: '名单里没有列入公示的内容' })
  for (const row of shown) {
    const cell = leakIn(app, row)
    if (cell)
      throw refuse('input.invalid', {
        说明: `第${row.rowNo}行的${cell}含有本人证件号码或手机号码中连续的4位数字，请改正后重试`,
      })
  }
}

/** Refuses a list that is not what the data say any more: somebody came or left, or a cell is another. */
async function checkFresh(db: Live, list: Publicity, rows: readonly StoredRow[]): Promise<void> {
  const lines = await linesOf(db, list, (list.columns ?? '').split(','))
  const stored = new Map(rows.map(row => [row.signupId ?? row.code ?? '', row]))
  const isSame =
    lines.length === rows.length &&
    lines.every(line => {
      const row = stored.get(line.key)
      return row && Object.entries(cellsOf(line)).every(([name, value]) => (row[name as CellName] || null) === value)
    })
  if (!isSame) throw refuse('input.invalid', { 说明: '名单与现有数据不一致，请退回后重新生成名单' })
}

/** When a list begins that is confirmed now. @throws exams.timesInvalid for a beginning that is past */
function beginOf({ startTime }: Publicity, now: Date): Date {
  if (!startTime) return now
  if (startTime < now) {
    const msg = '公示开始时间已过，请退回修改'
    throw refuse('exams.timesInvalid', { 说明: msg }, [{ field: 'startTime', msg }])
  }
  return startTime
}

/** The draft that lines belong to, locked against being handed on. @throws row.wrongState */
async function requireDraft(db: Live, ids: readonly string[]): Promise<void> {
  const lists = await db
    .selectFrom('publicity')
    .select('publicityStatus')
    .where('id', 'in', [...new Set(ids)])
    .forShare()
    .execute()
  if (lists.some(one => one.publicityStatus !== PublicityStatus.draft)) throw refuse('row.wrongState')
}

/** A list that people have been told of and that was not withdrawn since. */
const publicOnes = (db: Live, id: string) =>
  db
    .selectFrom('publicity')
    .selectAll()
    .where('id', '=', id)
    .where('publicityStatus', '=', PublicityStatus.released)
    .where('openTime', 'is not', null)
    .execute()

const parents = (rows: readonly { publicityId: string }[]) => rows.map(row => row.publicityId)

/** Rules of public lists and their lines. What is told of them hangs on the transitions `confirm`, `open`, `close` and `withdraw`. */
export const releaseRules = [
  rules(publicity, {
    handlers: { rebuild },
    hooks: {
      ...publicityHooks,
      derive: async (_, rows) =>
        rows.map(row => ({
          page: row.publicityStatus === PublicityStatus.released ? `/public/publicity/${row.id}` : '',
        })),
    },
  }),
  guard(publicity, 'send', async ({ app, db, rows, now }) => {
    for (const list of rows) {
      await checkedTimes(db, list, now, list.startTime ?? now)
      checkLines(app, await shownRows(db, list.id))
    }
  }),
  guard(publicity, 'confirm', async ({ app, db, rows, now }) => {
    for (const list of rows) {
      await checkedTimes(db, list, now, beginOf(list, now))
      const lines = await shownRows(db, list.id)
      checkLines(app, lines)
      await checkFresh(db, list, lines)
    }
  }),
  on(publicity, 'confirm', async ({ app, db, trx, rows, now, caller }) => {
    for (const list of rows) {
      const times = await checkedTimes(db, list, now, beginOf(list, now))
      const { n } = await db
        .selectFrom('publicityrow')
        .select(eb => eb.fn.countAll<string>().as('n'))
        .where('publicityId', '=', list.id)
        .where('isShown', '=', 1)
        .executeTakeFirstOrThrow()
      await updateUnstamped(db, 'publicity')
        .set({ ...times, rowNum: Number(n) })
        .where('id', '=', list.id)
        .execute()
      const payload = { publicityId: list.id }
      await app.queue.enter(trx, { kind: 'publicity.files', key: list.id, tenantId: caller.tenantId, payload })
      if (times.startTime && times.startTime <= now) await opened(app, trx, caller.tenantId, list.id, now)
    }
  }),
  on(publicity, 'open', async ({ db, rows }) => {
    for (const list of rows) {
      await emit(db, publicityEvents.started, [list], { until: list.endTime })
      if (list.replaces) await emit(db, publicityEvents.changed, await publicOnes(db, list.replaces))
    }
  }),
  on(publicity, 'withdraw', ({ db, rows }) => emit(db, publicityEvents.changed, rows)),
  guard(publicityrow, 'omit', ({ db, rows }) => requireDraft(db, parents(rows))),
  guard(publicityrow, 'restore', ({ db, rows }) => requireDraft(db, parents(rows))),
  rules(publicityrow, {
    hooks: {
      beforeSubmit: async ({ db }, _given, before) => {
        if (before) await requireDraft(db, [before.publicityId])
      },
    },
  }),
]

type Making = Parameters<typeof makeTransition>[0]

const opened = (app: FastifyInstance, trx: Making['trx'], tenantId: string, id: string, now: Date) =>
  makeTransition({ app, trx, caller: { userId: programUser, tenantId }, now }, publicity, 'open', [id])

/** Opens and closes the lists of all tenants whose time has come. @returns how many */
export async function followTimes(app: FastifyInstance): Promise<number> {
  const now = app.now()
  const db = liveAcross(app, { now: () => now })
  const due = (column: 'startTime' | 'endTime', mark: 'openTime' | 'closeTime') =>
    db
      .selectFrom('publicity')
      .select(['id', 'tenantId'])
      .where('publicityStatus', '=', PublicityStatus.released)
      .where(column, '<=', now)
      .where(mark, 'is', null)
      .orderBy('id')
      .execute()
  let done = 0
  for (const [name, column, mark] of [
    ['open', 'startTime', 'openTime'],
    ['close', 'endTime', 'closeTime'],
  ] as const)
    for (const { id, tenantId } of await due(column, mark)) {
      const caller = { userId: programUser, tenantId }
      // Another process may have been quicker: then nothing is left to do.
      await db
        .transaction()
        .execute(trx => makeTransition({ app, trx, caller, now }, publicity, name, [id]))
        .catch(error => app.log.warn({ err: error, id }, `a public list could not ${name}`))
      done++
    }
  return done
}
