import { examinationEvents, stageEvents } from '#resources/exams/events'
import { EnableStatus, ExamStatus, ReleaseStatus } from '#schemas/dictionaries'
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

/** The ends that people go by at a stage: its own, or else that of its exam. */
const stageEnds = ({ ticketEndTime, confirmEndTime }: Examinationitem, exam: Pick<Examination, 'ticketEndTime'>) => ({
  ticketEndTime: ticketEndTime ?? exam.ticketEndTime,
  confirmEndTime,
})

/** Tells those whom they concern that ends of a stage of a released exam are other ones now. */
export async function tellMovedEnds(trx: LiveTrx, stage: Examinationitem, before: Examinationitem): Promise<void> {
  const exam = await trx
    .selectFrom('examination')
    .select('ticketEndTime')
    .where('id', '=', stage.examId)
    .where('examStatus', '=', ExamStatus.released)
    .executeTakeFirst()
  if (!exam || stage.itemStatus !== EnableStatus.enabled) return
  const [was, now] = [stageEnds(before, exam), stageEnds(stage, exam)]
  for (const window of ['ticketEndTime', 'confirmEndTime'] as const) {
    const until = now[window]
    if (until && until.getTime() !== was[window]?.getTime())
      await emit(trx, stageEvents.windowMoved, [stage], { window, until })
  }
}

/** Tells those who had a ticket of a stage, which was taken back, that its time or place is another now. */
export async function tellMovedStage(trx: LiveTrx, stage: Examinationitem, before: Examinationitem): Promise<void> {
  const isMoved = stage.startTime.getTime() !== before.startTime.getTime() || stage.place !== before.place
  if (isMoved && before.ticketRelease === ReleaseStatus.recalled) await emit(trx, stageEvents.placeChanged, [stage])
}
