import type { DeadlineName } from '#engine'
import { Examination } from '../schemas/exams/examination.ts'
import { Examinationitem } from '../schemas/exams/examinationitem.ts'
import { Exampay } from '../schemas/payment/exampay.ts'

/** Times that reminders count back from; the server finds each (`src/modules/notifications/server/deadlines.ts`). */
declare module '#engine' {
  interface Deadlines {
    signEnd: true
    modifyEnd: true
    examineEnd: true
    reduceStart: true
    reduceEnd: true
    payEnd: true
    ticketStart: true
    ticketEnd: true
    /** Midnight at the beginning of the day of a stage. */
    stageDay: true
    resultStart: true
    /** Three days after results can be looked at. */
    resultLook: true
    /** Until when a place on a shortlist is confirmed: of a stage, and of those who move up. */
    confirmEnd: true
    publicityStart: true
    /** Nine o'clock of a work day, for each exam. */
    workMorning: true
    /** The same, once for a tenant. */
    officeMorning: true
  }
}

const { signEndTime, modifyEndTime, examineEndTime, reduceStartTime, reduceEndTime, resultTime, publicityStart } =
  Examination.properties

/** What each is called. */
export const deadlineTitles: Readonly<Record<DeadlineName, string>> = {
  signEnd: signEndTime.title,
  modifyEnd: modifyEndTime.title,
  examineEnd: examineEndTime.title,
  reduceStart: reduceStartTime.title,
  reduceEnd: reduceEndTime.title,
  payEnd: Exampay.properties.endTime.title,
  ticketStart: Examinationitem.properties.ticketStartTime.title,
  ticketEnd: Examinationitem.properties.ticketEndTime.title,
  stageDay: '考试当天零点',
  resultStart: resultTime.title,
  resultLook: '可查成绩三天后',
  confirmEnd: Examinationitem.properties.confirmEndTime.title,
  publicityStart: publicityStart.title,
  workMorning: '工作日上午九点',
  officeMorning: '工作日上午九点',
}
