import { sql } from 'kysely'
import { ReduceBase } from '#schemas/dictionaries'
import { optionText } from '../../exams/rules/sign-text.ts'
import { loadDicts } from '../../exams/server/candidate/dictionaries.ts'
import { placesOf } from '../../results/rules/ranking.ts'
import type { PositionLine } from '../contract.ts'
import { type Caller, inForce, mostLines, people, positionsInScope, tally } from './people.ts'

/** What the figures per position are asked for. */
export interface PositionFilter {
  /** Id of a stage: only positions that ask for it; who paid is counted for it alone. */
  item?: string | undefined
  unit?: string | undefined
  code?: string | undefined
  /** The positions with most sign-ups, so many of them; 0 or none is all. */
  limit?: number | undefined
}

/** Positions that count: those that are offered, and those that people stand at. */
const listed = (caller: Caller, { item, unit, code }: PositionFilter) =>
  caller.db
    // Counted once, whatever the planner knows of the tables.
    .with(
      cte => cte('counted').materialized(),
      () =>
        people(caller)
          .select(inForce.code.as('code'))
          .select(tally(item || null))
          .groupBy(inForce.code),
    )
    .selectFrom('examitems')
    .leftJoin('counted', 'counted.code', 'examitems.code')
    .where('examitems.examId', '=', caller.examId)
    .where(positionsInScope(caller))
    .where(eb => eb.or([eb('examitems.enable', '=', 1), eb('counted.bmrs', '>', 0)]))
    .$if(Boolean(item), q =>
      q.where(sql<boolean>`(coalesce(examitems."itemIds", '') = ''
        OR ${item ?? ''} = ANY(string_to_array(examitems."itemIds", ',')))`),
    )
    .$if(Boolean(unit), q => q.where('examitems.unit', '=', unit as string))
    .$if(Boolean(code), q => q.where('examitems.code', '=', code as string))

const figures = ['bmrs', 'wshrs', 'shtgrs', 'shbtgrs', 'thrs', 'fszrs', 'jfrs'] as const
type Figures = Record<(typeof figures)[number], number>

const ratioOf = (effective: number, plan: number): string =>
  plan > 0 ? (Math.floor((effective * 100) / plan) / 100).toFixed(2) : ''

/** The people that the exam counts when it cuts a position: those who passed, or those who paid. */
const effectiveOf = (row: Figures, reduceBase: number): number =>
  reduceBase === ReduceBase.paid ? row.jfrs : row.shtgrs

function totalLine(rows: readonly PositionLine[], reduceBase: number): PositionLine {
  const sum = (name: keyof Figures | 'planNum' | 'curPlanNum') => rows.reduce((all, row) => all + row[name], 0)
  const curPlanNum = sum('curPlanNum')
  const sums = Object.fromEntries(figures.map(name => [name, sum(name)])) as unknown as Figures
  return {
    unit: '',
    unitName: '合计',
    type: '',
    typeName: '',
    code: '',
    postName: '',
    planNum: sum('planNum'),
    curPlanNum,
    ...sums,
    openRatio: '',
    ratio: ratioOf(effectiveOf(sums, reduceBase), curPlanNum),
    reach: '',
  }
}

/**
 * Figures per position and their sum, counted now in one statement. The effective people of a ratio are those that the exam
 * counts when it cuts: passed, or paid.
 * @returns the lines by unit and code, or the fullest first where `limit` asks for some, and the sum over all of them
 */
export async function figuresOf(caller: Caller, filter: PositionFilter) {
  const { examId } = caller
  const [found, dicts] = await Promise.all([
    listed(caller, filter)
      .innerJoin('examination as exam', 'exam.id', 'examitems.examId')
      .select(['examitems.unit', 'examitems.type', 'examitems.code', 'examitems.postName', 'examitems.planNum'])
      .select(['examitems.curPlanNum', 'examitems.noRatio', 'exam.reduceBase'])
      .select(sql<string>`trim_scale(examitems."openRatio")::text`.as('openRatio'))
      .select(figures.map(name => sql<number>`coalesce(${sql.ref(`counted.${name}`)}, 0)`.as(name)))
      .where('examitems.examId', '=', examId)
      .orderBy('examitems.unit')
      .orderBy('examitems.code')
      .execute(),
    loadDicts(caller.db, ['recruit_unit', 'post_type']),
  ])
  const rows = found.map(({ noRatio, reduceBase, ...row }): PositionLine => {
    const effective = effectiveOf(row, reduceBase)
    const reached = noRatio === 1 || effective >= placesOf(row.curPlanNum, row.openRatio)
    return {
      ...row,
      unitName: optionText(dicts.recruit_unit, row.unit),
      typeName: optionText(dicts.post_type, row.type),
      ratio: ratioOf(effective, row.curPlanNum),
      reach: row.curPlanNum > 0 ? (reached ? 1 : 0) : '',
    }
  })
  const { limit } = filter
  const shown = limit ? rows.toSorted((a, b) => b.bmrs - a.bmrs).slice(0, Math.min(limit, mostLines)) : rows
  return { rows: shown, total: totalLine(rows, found[0]?.reduceBase ?? 1) }
}

/** The recruiting units of an exam with their positions, in their order. */
export async function unitsOf(caller: Caller) {
  const [rows, dicts] = await Promise.all([
    listed(caller, {})
      .select(['examitems.unit', 'examitems.code', 'examitems.postName'])
      .orderBy('examitems.unit')
      .orderBy('examitems.code')
      .execute(),
    loadDicts(caller.db, ['recruit_unit']),
  ])
  const units = [...new Set(rows.map(row => row.unit))]
  return units.map(unit => ({
    unit,
    unitName: optionText(dicts.recruit_unit, unit),
    codes: rows.filter(row => row.unit === unit).map(({ code, postName }) => ({ code, postName })),
  }))
}
