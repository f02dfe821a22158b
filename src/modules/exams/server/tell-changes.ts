import { examinationEvents, stageEvents } from '#resources/exams/events'
import { ExamStatus, ReleaseStatus } from '#schemas/dictionaries'
import type { Examination } from '#schemas/exams/examination'
import type { Examinationitem } from '#schemas/exams/examinationitem'
import { emit } from '../../../crud/emit.ts'
import type { LiveTrx } from '../../../platform/database/live.ts'

/** Ends of windows of an exam whose later end people are told of, in the order of an exam. */
const windowEnds = [
  'signEndTime',
  'modifyEndTime',
  'examineEndTime',
  'reduceEndTime',
  'payEndTime',
  'ticketEndTime',
  'resultEndTime',
  'appealEndTime',
  'publicityEnd',
] as const satisfies readonly (keyof Examination)[]

/** Tells whom it concerns that windows of a released exam end later than was said. */
export async function tellMovedWindows(trx: LiveTrx, exam: Examination, before: Examination): Promise<void> {
  if (before.examStatus !== ExamStatus.released) return
  for (const window of windowEnds) {
    const [was, until] = [before[window], exam[window]]
    if (was && until && until > was) await emit(trx, examinationEvents.windowMoved, [exam], { window, until })
  }
}

/** Tells those who had a ticket of a stage, which was taken back, that its time or place is another now. */
export async function tellMovedStage(trx: LiveTrx, stage: Examinationitem, before: Examinationitem): Promise<void> {
  const isMoved = stage.startTime.getTime() !== before.startTime.getTime() || stage.place !== before.place
  if (isMoved && before.ticketRelease === ReleaseStatus.recalled) await emit(trx, stageEvents.placeChanged, [stage])
}
