import { type Refusal, refuse, refuseSaying } from '../../../platform/http/server/refusal.ts'
import { wireTime } from '../../../platform/http/server/wire.ts'
import { type ActFacts, type ActWindows, type Bound, signEnd } from '../../exams/rules/act-windows.ts'
import type { Moment } from '../../exams/rules/exam-phase.ts'

/** Records are taken at the door from a day before a stage begins until a day after its end. */
const doorMargin = 24 * 3600_000
const shifted = (time: Moment, by: number): Moment => time && new Date(time.getTime() + by)
const doorFrom = ({ stage }: ActFacts): Moment => shifted(stage?.startTime, -doorMargin)
const doorUntil = ({ stage }: ActFacts): Moment => shifted(stage?.endTime, doorMargin)
const minute = (time: Moment): string => wireTime(time ?? null).slice(0, 16)
const doorClosed = (_: string, facts: ActFacts): Refusal =>
  refuse('tickets.checkInClosed', { 时间: `${minute(doorFrom(facts))} – ${minute(doorUntil(facts))}` })

const stageOver = (refusal: (time: string, name: string) => Refusal): Bound => ({
  at: ({ stage }) => stage?.endTime,
  refusal: (time, { stage }) => refusal(time, stage?.itemName ?? ''),
})

const downloadOver: Bound = {
  at: ({ exam }) => exam.ticketEndTime,
  refusal: time => refuseSaying('tickets.downloadClosed', `准考证下载已于${time}结束`),
}

/** When seats are drawn, tickets released and downloaded, and candidates checked in. */
export const ticketWindows = {
  planSeats: {
    from: {
      at: signEnd,
      refusal: time => refuseSaying('row.wrongState', `报名${time}截止，截止后才能编排座位`),
    },
    until: stageOver((time, name) => refuseSaying('row.wrongState', `「${name}」已于${time}结束，不能再编排座位`)),
  },
  release: {
    until: stageOver((time, name) => refuseSaying('row.wrongState', `「${name}」已于${time}结束，不能再发布准考证`)),
  },
  download: {
    from: {
      at: ({ exam }) => exam.ticketStartTime,
      refusal: time => refuseSaying('tickets.downloadClosed', `准考证${time}开始下载`),
    },
    until: downloadOver,
  },
  remind: { until: downloadOver },
  checkIn: { from: { at: doorFrom, refusal: doorClosed }, until: { at: doorUntil, refusal: doorClosed } },
  rehearse: {
    until: { at: doorFrom, refusal: time => refuse('tickets.rehearsalOver', { 时间: time.slice(0, 16) }) },
  },
} as const satisfies ActWindows
