import { ItemRange } from '#schemas/dictionaries'
import { hoursFromNow } from './watch.ts'

/** What makes an exam one whose seats can be drawn, locked and released now: the reviews are over, the download has not begun. */
export const drawableNow = () => ({
  exam: {
    signStartTime: hoursFromNow(-90),
    signEndTime: hoursFromNow(-80),
    modifyEndTime: hoursFromNow(-70),
    examineEndTime: hoursFromNow(-60),
    ticketStartTime: hoursFromNow(60),
    ticketEndTime: hoursFromNow(90),
    examStartTime: hoursFromNow(90),
    examEndTime: hoursFromNow(92),
  },
  stage: { candidateRule: ItemRange.allValid, startTime: hoursFromNow(90), endTime: hoursFromNow(92) },
})
