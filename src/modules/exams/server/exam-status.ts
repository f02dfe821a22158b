import type { WireRow } from '#engine'
import { examination } from '#resources/exams/examination'
import { ExamStatus, ExamUnready } from '#schemas/dictionaries'
import { Examination } from '#schemas/exams/examination'
import { readMeasures } from '../../../crud/measure.ts'
import type { Derive, Hooks, ReadContext } from '../../../crud/rules.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { readTime } from '../../../platform/http/server/wire.ts'
import { type ExamTimes, stagesOf, standingOf } from '../rules/exam-phase.ts'
import { examNumbers } from './exam-numbers.ts'
import { withLists } from './public-lists.ts'

const times = Object.entries(Examination.properties).flatMap(([name, { kind }]) => (kind === 'dateTime' ? [name] : []))

/** An exam's times as instants, from a row on the wire. */
function timesOf(row: WireRow<typeof Examination>): ExamTimes & { id: string } {
  const known: Readonly<Record<string, unknown>> = row
  const instants = Object.fromEntries(times.map(name => [name, readTime(String(known[name]))]))
  const { examStatus, allowAdjust, needPay, graceSeconds } = row
  return {
    ...instants,
    id: row.id,
    examStatus: examStatus || ExamStatus.draft,
    allowAdjust: allowAdjust || 0,
    needPay: needPay || 0,
    graceSeconds: graceSeconds || null,
  }
}

const noNumbers = { planNum: null, signNum: null, waitNum: null, unready: null }

const reasons = Object.values(ExamUnready)

/** Exams with their times and the periods of their public lists. */
const standings = (ctx: Pick<ReadContext, 'app' | 'person'>, rows: readonly WireRow<typeof Examination>[]) =>
  withLists(liveAs(ctx.app, ctx.person), rows.map(timesOf))

/** The phases of exams and their nearest deadlines, by the server's clock, and how many are wanted, have come and wait, and what is not ready. */
export const deriveStanding: Derive<typeof examination> = async (ctx, rows) => {
  const numbers = await readMeasures(ctx, examination, examNumbers, rows)
  const exams = await standings(ctx, rows)
  return exams.map(exam => {
    const { unready, ...counts } = numbers.get(exam.id) ?? noNumbers
    return { ...standingOf(exam, ctx.now), ...counts, unready: reasons.find(one => one === unready) ?? null }
  })
}

/** The windows of an exam in the order of their days, by the server's clock. */
export const examLine: Hooks<typeof Examination>['line'] = async (ctx, row) =>
  (await standings(ctx, [row])).flatMap(exam => stagesOf(exam, ctx.now))
