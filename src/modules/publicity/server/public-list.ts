import type { FastifyInstance } from 'fastify'
import { PublicityStatus } from '#schemas/dictionaries'
import { publicityCells } from '#schemas/publicity/publicityrow'
import { type Live, liveAcross, liveFor, withRemoved } from '../../../platform/database/live.ts'
import { readNumberParam } from '../../../platform/database/param.ts'
import type { CellName } from '../rules/columns.ts'

const DAY = 86_400_000

/**
 * Where a list stands for the public: it can be read, its time is over, it was corrected or taken back, or it is kept no longer. Of all
 * but the first two nothing but its name is shown.
 */
export type PublicState = 'open' | 'ended' | 'corrected' | 'withdrawn' | 'gone'

const listFields = [
  'p.id',
  'p.tenantId',
  'p.examId',
  'p.publicityKind',
  'p.publicityStatus',
  'p.title',
  'p.basis',
  'p.columns',
  'p.changeReason',
  'p.replaces',
  'p.startTime',
  'p.endTime',
  'p.objectionEnd',
  'p.contactPhone',
  'p.contactMail',
  'p.contactAddress',
  'p.rowNum',
  'p.pdfFile',
  'p.pdfHash',
  'p.xlsxFile',
  'p.xlsxHash',
  'p.withdrawTime',
  'p.withdrawReason',
] as const

const listsOf = (app: FastifyInstance) =>
  liveAcross(app, app)
    .selectFrom('publicity as p')
    .innerJoin(withRemoved('examination as e'), 'e.id', 'p.examId')
    .select(listFields)
    .select('e.examName')
    .where('p.publicityStatus', 'in', [PublicityStatus.released, PublicityStatus.withdrawn])
    .where('p.startTime', '<=', app.now())

type ListRow = Awaited<ReturnType<ReturnType<typeof listsOf>['execute']>>[number]

/** A list as everybody may see it. */
export interface PublicList extends ListRow {
  state: PublicState
  startTime: Date
  endTime: Date
  objectionEnd: Date
  /** The list that takes its place; it may begin later. */
  correction: { id: string; title: string; isOpen: boolean } | null
  /** Whether objections are taken now. */
  takesObjections: boolean
}

/** The confirmed list that corrects another one. */
const correctionOf = (db: Live, id: string) =>
  db
    .selectFrom('publicity')
    .select(['id', 'title', 'startTime'])
    .where('replaces', '=', id)
    .where('publicityStatus', '=', PublicityStatus.released)
    .orderBy('id', 'desc')
    .executeTakeFirst()

const liveOf = (app: FastifyInstance, tenantId: string): Live =>
  liveFor(app, { tenantId, userId: null, now: () => app.now() })

/**
 * A list that is public or has been, of whatever tenant.
 * @returns undefined for one that is not there or not public yet
 */
export async function publicList(app: FastifyInstance, id: string): Promise<PublicList | undefined> {
  if (!/^\d{1,19}$/.test(id)) return undefined
  const row = await listsOf(app).where('p.id', '=', id).executeTakeFirst()
  if (!row?.startTime || !row.endTime) return undefined
  // What was taken back before it began was never public.
  if (row.withdrawTime && row.withdrawTime < row.startTime) return undefined
  const now = app.now()
  const db = liveOf(app, row.tenantId)
  const [found, keepDays] = await Promise.all([
    correctionOf(db, id),
    readNumberParam(db, row.tenantId, 'publicity.keepDays'),
  ])
  const correction = found
    ? { id: found.id, title: found.title, isOpen: found.startTime !== null && found.startTime <= now }
    : null
  const { startTime, endTime } = row
  const objectionEnd = row.objectionEnd ?? endTime
  const state = stateOf(row, endTime, keepDays, correction?.isOpen ?? false, now)
  const takesObjections = (state === 'open' || state === 'ended') && now < objectionEnd
  return { ...row, startTime, endTime, objectionEnd, correction, state, takesObjections }
}

function stateOf(row: ListRow, end: Date, keepDays: number, isCorrected: boolean, now: Date): PublicState {
  if (row.publicityStatus === PublicityStatus.withdrawn) return 'withdrawn'
  if (isCorrected) return 'corrected'
  if (now.getTime() >= end.getTime() + keepDays * DAY) return 'gone'
  return now < end ? 'open' : 'ended'
}

/** Whether the lines of a list are shown, and its files given. */
export const showsLines = ({ state }: Pick<PublicList, 'state'>): boolean => state === 'open' || state === 'ended'

/** The lists of a tenant whose time has come, the latest first: those that can be read, and those that were changed before their end. */
export async function publicLists(app: FastifyInstance, tenantId: string) {
  const now = app.now()
  const db = liveOf(app, tenantId)
  const keepDays = await readNumberParam(db, tenantId, 'publicity.keepDays')
  return db
    .selectFrom('publicity as p')
    .innerJoin(withRemoved('examination as e'), 'e.id', 'p.examId')
    .select(['p.id', 'p.title', 'p.publicityKind', 'p.startTime', 'p.endTime', 'e.examName'])
    .where('p.publicityStatus', '=', PublicityStatus.released)
    .where('p.startTime', '<=', now)
    .where('p.endTime', '>', new Date(now.getTime() - keepDays * DAY))
    .orderBy('p.startTime', 'desc')
    .orderBy('p.id', 'desc')
    .limit(200)
    .execute()
}

/** A column of a list with its heading. */
export interface ListColumn {
  name: CellName | 'remark'
  title: string
}

/** Lines of a list with its columns as they are public: numbered, without those that are left out. */
export async function publicLines(
  app: FastifyInstance,
  list: Pick<PublicList, 'id' | 'tenantId' | 'columns'>,
): Promise<{ columns: readonly ListColumn[]; rows: readonly (readonly string[])[] }> {
  const db = liveOf(app, list.tenantId)
  const stored = await db
    .selectFrom('publicityrow')
    .selectAll()
    .where('publicityId', '=', list.id)
    .where('isShown', '=', 1)
    .orderBy('rowNo')
    .execute()
  const named = (list.columns ?? '')
    .split(',')
    .filter((name): name is CellName => name in publicityCells)
    .map(name => ({ name, title: publicityCells[name].title }))
  const isNoted = stored.some(row => row.remark)
  const columns: ListColumn[] = isNoted ? [...named, { name: 'remark', title: '说明' }] : named
  return { columns, rows: stored.map(row => columns.map(({ name }) => row[name] ?? '')) }
}
