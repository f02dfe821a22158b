import type { WireRow } from '#engine'
import { examination } from '#resources/exams/examination'
import { ExamStatus } from '#schemas/dictionaries'
import { Examination } from '#schemas/exams/examination'
import { readMeasures } from '../../../crud/measure.ts'
import type { Derive, Hooks } from '../../../crud/rules.ts'
import { readTime } from '../../../platform/http/server/wire.ts'
import { type ExamTimes, stagesOf, standingOf } from '../rules/exam-phase.ts'
import { examNumbers } from './exam-numbers.ts'

const times = Object.entries(Examination.properties).flatMap(([name, { kind }]) => (kind === 'dateTime' ? [name] : []))

/** An exam's times as instants, from a row on the wire. */
function timesOf(row: WireRow<typeof Examination>): ExamTimes {
  const known: Readonly<Record<string, unknown>> = row
  const instants = Object.fromEntries(times.map(name => [name, readTime(String(known[name]))]))
  const { examStatus, allowAdjust, needPay, graceSeconds } = row
  return {
    ...instants,
    examStatus: examStatus || ExamStatus.draft,
    allowAdjust: allowAdjust || 0,
    needPay: needPay || 0,
    graceSeconds: graceSeconds || null,
  }
}

const noNumbers = { planNum: null, signNum: null, waitNum: null }

/** The phases of exams and their nearest deadlines, by the server's clock, and how many are wanted, have come and wait. */
export const deriveStanding: Derive<typeof examination> = async (ctx, rows) => {
  const numbers = await readMeasures(ctx, examination, examNumbers, rows)
  return rows.map(row => ({ ...standingOf(timesOf(row), ctx.now), ...(numbers.get(row.id) ?? noNumbers) }))
}

/** The windows of an exam in the order of their days, by the server's clock. */
export const examLine: Hooks<typeof Examination>['line'] = async ({ now }, row) => stagesOf(timesOf(row), now)
