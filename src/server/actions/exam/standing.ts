import { Examination } from '#schemas/exam/examination'
import { type ExamTimes, standingOf } from '../../domain/exam-phase.ts'
import { readTime, wire } from '../../domain/wire.ts'
import type { Hooks, Values } from '../types.ts'

const times = Object.entries(Examination.properties).flatMap(([name, { kind }]) => (kind === 'dateTime' ? [name] : []))

/** An exam's times as instants, from a row as it travels. */
const timesOf = (row: Values) =>
  ({ ...row, ...Object.fromEntries(times.map(name => [name, readTime(String(row[name]))])) }) as unknown as ExamTimes

/** The phases of exams and their nearest deadlines, by the server's clock. */
export const deriveStanding: NonNullable<Hooks['derive']> = async ({ now }, rows) =>
  rows.map(row => wire(standingOf(timesOf(row), now)) as Values)
