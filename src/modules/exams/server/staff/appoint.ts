import type { Db } from '../../../../platform/access/server/caller.ts'
import type { LiveTrx } from '../../../../platform/database/live.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { type Appointment, changeOf, granted, type Place, type Span, unitsOf, without } from '../../rules/exam-staff.ts'
import { linesOf, placesOf } from './lines.ts'
import { mustBeAppointable } from './people.ts'
import { type Appointing, lockStaff, openLines, writeChange } from './write.ts'

/** Several people and several units of an exam in one role. */
export interface Cells {
  examRole: number
  userIds: readonly string[]
  /** Null means all units, those to come too. */
  units: readonly string[] | null
}

const pick = (all: readonly Appointment[], userId: string) => all.filter(one => one.userId === userId)

/** The units asked for must be the exam's. @throws input.invalid */
function checkUnits(units: readonly string[] | null, places: readonly Place[]): void {
  const known = new Set(unitsOf(places))
  const wrong = (units ?? []).filter(unit => !known.has(unit))
  if (wrong.length) throw refuse('input.invalid', { 说明: `单位不在本考试中：${wrong.join('、')}` })
}

async function read(trx: LiveTrx, by: Appointing, { examRole, units }: Cells) {
  await lockStaff(trx, by.examId, true)
  const places = await placesOf(trx, by.examId)
  checkUnits(units, places)
  return { places, lines: openLines(await linesOf(trx, by.examId), examRole, by.now) }
}

/**
 * Appoints every one of some people to every one of some units, for a time or without end. Doing it twice changes
 * nothing.
 * @returns how many appointments were written; 0 when all of it was so already
 * @throws input.invalid for people who may not be appointed and units of other exams, exams.notFound, exams.archived
 */
export async function appoint(db: Db, by: Appointing, cells: Cells, span: Span): Promise<number> {
  return db.transaction().execute(async trx => {
    const { places, lines } = await read(trx, by, cells)
    const names = await mustBeAppointable(trx, cells.userIds)
    const before = lines.filter(line => cells.userIds.includes(line.userId))
    const after = cells.userIds.flatMap(id => granted(pick(before, id), id, cells.units, span, places))
    return writeChange(trx, by, cells.examRole, changeOf(before, after), names)
  })
}

/**
 * Takes some units from some people. Whoever had all units keeps the others by name; an appointment with nothing left
 * goes.
 * @returns how many appointments were written; 0 when nobody had any of it
 * @throws input.invalid for units of other exams, exams.notFound, exams.archived
 */
export async function dismiss(db: Db, by: Appointing, cells: Cells): Promise<number> {
  return db.transaction().execute(async trx => {
    const { places, lines } = await read(trx, by, cells)
    const gone = new Set(cells.units ?? unitsOf(places))
    const before = lines.filter(line => cells.userIds.includes(line.userId))
    const after = cells.units ? before.flatMap(line => without(line, gone, places) ?? []) : []
    return writeChange(trx, by, cells.examRole, changeOf(before, after), new Map())
  })
}
