import { commaList } from '#engine'
import { EnableStatus, ResultFlag, SignStatus } from '#schemas/dictionaries'
import { type Live, withRemoved } from '../../../platform/database/live.ts'
import { type Ranked, totalOf } from '../rules/ranking.ts'

/** The stages of an exam that are in use, in the order in which they are held. */
export const stagesOf = (db: Live, examId: string) =>
  db
    .selectFrom('examinationitem')
    .select([
      'id',
      'itemName',
      'itemType',
      'weight',
      'fullScore',
      'passScore',
      'confirmEndTime',
      'startTime',
      'endTime',
      'resultRelease',
      'needTicket',
    ])
    .where('examId', '=', examId)
    .where('itemStatus', '=', EnableStatus.enabled)
    .orderBy('startTime')
    .orderBy('id')
    .execute()

/** See {@link stagesOf}. */
export type StageLine = Awaited<ReturnType<typeof stagesOf>>[number]

/** The positions of an exam, as far as results ask. */
export const positionsOf = (db: Live, examId: string) =>
  db
    .selectFrom('examitems')
    .select(['code', 'unit', 'type', 'postName', 'planNum', 'curPlanNum', 'itemIds'])
    .select(['writtenWeight', 'interviewWeight', 'interviewRatio'])
    .where('examId', '=', examId)
    .orderBy('unit')
    .orderBy('code')
    .execute()

/** See {@link positionsOf}. */
export type PositionLine = Awaited<ReturnType<typeof positionsOf>>[number]

/**
 * The results of an exam's stages with where their people stand now: the position in force, and whether they are still in the
 * running (neither struck off nor given up).
 * @param stageIds the stages wanted
 */
export async function marksOf(db: Live, stageIds: readonly string[]) {
  if (stageIds.length === 0) return []
  const rows = await db
    .selectFrom('result')
    .innerJoin(withRemoved('signup'), 'signup.id', 'result.signupId')
    .select(['result.id', 'result.itemId', 'result.signupId', 'result.ticketNo', 'result.score', 'result.addScore'])
    .select(['result.resultFlag', 'result.rankNo', 'result.totalScore', 'result.isPass', 'result.isNext'])
    .select(['result.confirmStatus', 'result.promotionId'])
    .select(['signup.name', 'signup.signNo', 'signup.signStatus'])
    .select(eb => eb.fn.coalesce('signup.finalCode', 'signup.code').as('code'))
    .where('result.itemId', 'in', [...stageIds])
    .orderBy('result.id')
    .execute()
  return rows.map(row => ({ ...row, runs: row.signStatus === SignStatus.submitted }))
}

/** See {@link marksOf}. */
export type MarkLine = Awaited<ReturnType<typeof marksOf>>[number]

/** The share of a stage in the total of a position; null where it has none: a check of papers, a health check. */
function weightOf(stage: StageLine, position: PositionLine): string | null {
  if (stage.itemType === '1') return position.writtenWeight ?? stage.weight
  if (stage.itemType === '2') return position.interviewWeight ?? stage.weight
  return stage.weight
}

/** The stages that make the total of a position, with their shares. A single one is the total by itself. */
export function sharesOf(stages: readonly StageLine[], position: PositionLine): { stage: StageLine; weight: string }[] {
  const asked = new Set(commaList(position.itemIds))
  const shares = stages
    .filter(stage => asked.size === 0 || asked.has(stage.id))
    .map(stage => ({ stage, weight: weightOf(stage, position) }))
    .filter((one): one is { stage: StageLine; weight: string } => Number(one.weight ?? 0) > 0)
  return shares.length === 1 ? shares.map(one => ({ ...one, weight: '1' })) : shares
}

/** A score that counts: that of a normal result, or a zero by decision. */
const counted = (mark: MarkLine | undefined): string | null =>
  mark && (mark.resultFlag === ResultFlag.normal || mark.resultFlag === ResultFlag.zero) ? mark.score : null

/** Totals by person, and the written score that decides between equal ones. */
export interface Total {
  code: string
  total: string | null
  written: string | null
}

/**
 * Everybody's total over the stages given; it is there when every stage that makes it has a score.
 * @param marks results that count: of released stages, and of the one being released
 */
export function totalsOf(
  stages: readonly StageLine[],
  positions: readonly PositionLine[],
  marks: readonly MarkLine[],
): Map<string, Total> {
  const shares = new Map(positions.map(one => [one.code, sharesOf(stages, one)]))
  const byPerson = new Map<string, MarkLine[]>()
  for (const mark of marks) byPerson.set(mark.signupId, [...(byPerson.get(mark.signupId) ?? []), mark])
  const written = new Set(stages.filter(one => one.itemType === '1').map(one => one.id))
  const totals = new Map<string, Total>()
  for (const [signupId, own] of byPerson) {
    const code = own[0]?.code ?? ''
    const parts = (shares.get(code) ?? []).map(({ stage, weight }) => {
      const mark = own.find(one => one.itemId === stage.id)
      return { score: counted(mark), addScore: mark?.addScore ?? null, weight }
    })
    const test = own.find(one => written.has(one.itemId))
    totals.set(signupId, { code, total: totalOf(parts), written: counted(test) })
  }
  return totals
}

/** People of one stage as its ranking wants them: those still in the running with a score. */
export const rankedByScore = (marks: readonly MarkLine[]): Ranked[] =>
  marks
    .filter(mark => mark.runs && counted(mark) !== null)
    .map(mark => ({ id: mark.signupId, code: mark.code, keys: [mark.score] }))

/** People as the final ranking wants them: by total, then by the written score. */
export const rankedByTotal = (totals: ReadonlyMap<string, Total>, running: ReadonlySet<string>): Ranked[] =>
  [...totals]
    .filter(([id, one]) => one.total !== null && running.has(id))
    .map(([id, { code, total, written }]) => ({ id, code, keys: [total, written] }))
