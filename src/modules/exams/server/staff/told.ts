import { commaList } from '#engine'
import { examuserEvents } from '#resources/exams/events'
import type { Examuser } from '#schemas/exams/examuser'
import { emit } from '../../../../crud/emit.ts'
import type { LiveTrx } from '../../../../platform/database/live.ts'
import { optionText } from '../../rules/sign-text.ts'
import { loadDicts } from '../candidate/dictionaries.ts'

/** Characters of what an appointment is for, as it is told. */
const longest = 60

/** What is told of an appointment. */
type Appointed = Pick<Examuser, 'id' | 'examId' | 'examRole' | 'units' | 'codes'>

/** Tells people that they are appointed, what for, and for which units and positions. */
export async function tellAppointed(trx: LiveTrx, rows: readonly Appointed[]): Promise<void> {
  const dicts = await loadDicts(trx, ['recruit_unit'])
  await emit(trx, examuserEvents.appointed, rows, ({ id }) => {
    const row = rows.find(one => one.id === id)
    const units = commaList(row?.units ?? '').map(unit => optionText(dicts.recruit_unit, unit) || unit)
    const words = [...units, ...commaList(row?.codes ?? '')].join('、')
    return { scope: words.length > longest ? `${words.slice(0, longest - 1)}…` : words || 'all' }
  })
}
