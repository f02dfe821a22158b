import { examinationEvents, stageEvents } from '#resources/exams/events'
import { ExamStatus, ReleaseStatus } from '#schemas/dictionaries'
import type { Examination } from '#schemas/exams/examination'
import type { Examinationitem } from '#schemas/exams/examinationitem'
import { emit } from '../../../crud/emit.ts'
import type { LiveTrx } from '../../../platform/database/live.ts'
import { movedTimes } from '../rules/exam-windows.ts'

/** Names of the ends of windows that people are told of. */
const told: Readonly<Record<string, unknown>> = examinationEvents.windowMoved.phrases?.window ?? {}

/** Tells whom it concerns that windows of a released exam end later than was said. */
export async function tellMovedWindows(trx: LiveTrx, exam: Examination, before: Examination): Promise<void> {
  if (before.examStatus !== ExamStatus.released) return
  for (const window of movedTimes({ ...before }, { ...exam })) {
    const [was, until] = [before[window], exam[window]]
    if (window in told && was && until && until > was)
      await emit(trx, examinationEvents.windowMoved, [exam], { window, until })
  }
}

/** Tells those who had a ticket of a stage, which was taken back, that its time or place is another now. */
export async function tellMovedStage(trx: LiveTrx, stage: Examinationitem, before: Examinationitem): Promise<void> {
  const isMoved = stage.startTime.getTime() !== before.startTime.getTime() || stage.place !== before.place
  if (isMoved && before.ticketRelease === ReleaseStatus.recalled) await emit(trx, stageEvents.placeChanged, [stage])
}
