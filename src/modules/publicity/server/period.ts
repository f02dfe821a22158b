import { PublicityKind } from '#schemas/dictionaries'
import type { Publicity } from '#schemas/publicity/publicity'
import type { Live } from '../../../platform/database/live.ts'
import { readParam } from '../../../platform/database/param.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { workdaysFor } from '../rules/columns.ts'
import { unknownYears, type WorkCalendar, workdaysAfter, workdaysBetween } from '../rules/work-days.ts'
import { workCalendar } from './calendar.ts'
import { sourceOf } from './lines.ts'

const DAY = 86_400_000
/** For so many days those to be hired are public at least; for fewer work days there has to be a reason. */
const leastDays = 7

/** What a list says of its times. */
type Times = Pick<Publicity, 'startTime' | 'endTime' | 'objectionEnd'>

const unfit = (field: string, msg: string) => refuse('exams.timesInvalid', { 说明: msg }, [{ field, msg }])

function checkHiring(list: Publicity, start: Date, end: Date, calendar: WorkCalendar): void {
  const [year] = unknownYears(start, end, calendar)
  if (year) throw unfit('endTime', `没有${year}年的节假日安排，请先在节假日与调休中导入`)
  if (end.getTime() - start.getTime() < leastDays * DAY) throw unfit('endTime', `拟聘用人员公示不能少于${leastDays}天`)
  const days = workdaysBetween(start, end, calendar)
  if (days < leastDays && !list.shortReason?.trim()) {
    const msg = `公示期只有${days}个工作日，不足${leastDays}个，请填写原因`
    throw refuse('input.invalid', { 说明: msg }, [{ field: 'shortReason', msg }])
  }
}

/**
 * The times of a list, those that were not said worked out of the others. A list without a beginning begins when it is confirmed, and
 * has no times before.
 * @param start when it begins; as the list says by default
 * @throws exams.timesInvalid with the field, input.invalid where a short period lacks its reason
 */
export async function checkedTimes(
  db: Live,
  list: Publicity,
  now: Date,
  start: Date | null = list.startTime ?? null,
): Promise<Times> {
  const { endTime = null, objectionEnd = null } = list
  if (!start) {
    if (endTime && endTime <= now) throw unfit('endTime', '公示结束时间须晚于现在')
    return { startTime: null, endTime, objectionEnd }
  }
  const { kind } = await sourceOf(db, list)
  const calendar = await workCalendar(db)
  const days = workdaysFor(await readParam(db, 'publicity.workdays'), kind)
  if (!endTime && days === 0) throw unfit('endTime', '请填写公示结束时间')
  const end = endTime ?? workdaysAfter(start, days, calendar)
  if (end <= start) throw unfit('endTime', '公示结束时间应晚于公示开始时间')
  if (kind === PublicityKind.hiring) checkHiring(list, start, end, calendar)
  const until = objectionEnd ?? end
  if (until <= start) throw unfit('objectionEnd', '异议截止时间应晚于公示开始时间')
  return { startTime: start, endTime: end, objectionEnd: until }
}
