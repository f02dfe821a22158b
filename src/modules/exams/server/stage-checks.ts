import { type CheckLine, line } from './check-line.ts'
import type { Facts } from './exam-facts.ts'

type Stage = Facts['stages'][number]

const namesOf = (stages: readonly Stage[]): string => stages.map(one => `「${one.itemName}」`).join('')

const charged = (stage: Stage): boolean => stage.needPay === 1

/** A stage that is charged for has an amount, and the exam a time in which it is paid. */
function feeLine({ exam }: Facts, stage: Stage): CheckLine {
  const label = `${stage.itemName}收费`
  if ((stage.fee ?? 0) < 1) return line('fee', label, false, '收费，但没有金额', { row: stage.id })
  const isCharged = exam.needPay === 1
  const unset = (['payStartTime', 'payEndTime'] as const).find(name => !exam[name])
  return line('pay', label, isCharged && !unset, isCharged ? '收费，但没有缴费时间' : '收费，但考试没有设为收费', {
    field: isCharged ? unset : 'needPay',
  })
}

function feeLines(facts: Facts): CheckLine[] {
  const { exam, stages } = facts
  const paid = stages.filter(charged)
  if (paid.length > 0) return paid.map(stage => feeLine(facts, stage))
  if (exam.needPay !== 1) return []
  return [line('charged', '收费考试有收费的考试项目', false, '请设一个收费的考试项目及金额', { row: stages[0]?.id })]
}

/**
 * Whether a stage begins with the exam at the soonest, and has not begun when the exam ends unless it ends by then, too. One that
 * comes after the exam, such as an interview, has its own days.
 */
function isWithin({ exam: { examStartTime, examEndTime } }: Facts, { startTime, endTime }: Stage): boolean {
  if (!examStartTime || !examEndTime) return true
  return startTime >= examStartTime && (endTime <= examEndTime || startTime >= examEndTime)
}

/** The exam has its times where people come to a room, and stages theirs within them. */
function timeLine(facts: Facts): CheckLine {
  const { exam, stages } = facts
  const label = '考试时间已设置，各考试项目在考试时间内'
  const isSeated = stages.some(one => one.needSeat === 1 || one.needTicket === 1)
  const unset = (['examStartTime', 'examEndTime'] as const).find(name => !exam[name])
  if (isSeated && unset) return line('examTime', label, false, '请设置考试开始和结束时间', { field: unset })
  const reversed = stages.filter(one => one.endTime <= one.startTime)
  const outside = stages.filter(one => !reversed.includes(one) && !isWithin(facts, one))
  const [wrong] = [...reversed, ...outside]
  const msg =
    reversed.length > 0
      ? `考试项目${namesOf(reversed)}的结束时间须晚于开始时间`
      : `考试项目${namesOf(outside)}的时间须在考试开始和结束时间之内`
  return line('stageTime', label, !wrong, msg, { row: wrong?.id })
}

/** Whether a ticket of a stage cannot be had in time. */
function isShut({ exam, stages }: Facts, stage: Stage): boolean {
  const [start, end] = [stage.ticketStartTime ?? exam.ticketStartTime, stage.ticketEndTime ?? exam.ticketEndTime]
  if (!start || !end) return true
  // What is wrong with the exam's own times is said by their line.
  const isOwn = Boolean(stage.ticketStartTime ?? stage.ticketEndTime)
  const [first = stage] = stages
  return (isOwn && start >= end) || (end < stage.startTime && (isOwn || stage.startTime > first.startTime))
}

/** Tickets that are asked for can be downloaded. */
function ticketLine(facts: Facts): CheckLine {
  const { exam, stages } = facts
  const shut = stages.filter(one => one.needTicket === 1 && isShut(facts, one))
  const unset = (['ticketStartTime', 'ticketEndTime'] as const).find(name => !exam[name])
  const msg = `请设置考试项目${namesOf(shut)}的准考证下载时间，且不早于开考结束`
  const where = unset ? { field: unset } : { row: shut[0]?.id }
  return line(unset ? 'ticketTime' : 'stageTicket', '需准考证的考试项目有下载时间', shut.length === 0, msg, where)
}

/** What stages ask for: a fee with an amount and a time, a time within the exam, a time for tickets. */
export const stageLines = (facts: Facts): CheckLine[] => [...feeLines(facts), timeLine(facts), ticketLine(facts)]
