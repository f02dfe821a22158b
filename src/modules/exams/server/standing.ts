import { Examination } from '#schemas/exams/examination'
import type { Hooks, Values } from '../../../crud/rule-types.ts'
import { readTime, wire } from '../../../platform/http/server/wire.ts'
import { type ExamTimes, standingOf } from '../rules/exam-phase.ts'

const times = Object.entries(Examination.properties).flatMap(([name, { kind }]) => (kind === 'dateTime' ? [name] : []))

/** An exam's times as instants, from a row as it travels. */
const timesOf = (row: Values) =>
  ({ ...row, ...Object.fromEntries(times.map(name => [name, readTime(String(row[name]))])) }) as unknown as ExamTimes

/** The phases of exams and their nearest deadlines, by the server's clock. */
export const deriveStanding: NonNullable<Hooks['derive']> = async ({ now }, rows) =>
  rows.map(row => wire(standingOf(timesOf(row), now)) as Values)
