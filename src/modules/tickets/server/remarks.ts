import { TicketRemarkType } from '#schemas/dictionaries'
import { type Live, withRemoved } from '../../../platform/database/live.ts'
import { linesOf } from '../../../platform/pdf/plain-text.ts'
import type { TicketFacts } from './download-rules.ts'

/** The rules that hold for every sitting, until an exam says its own. */
const standard = [
  '考生须携带本准考证和有效居民身份证原件，证件不齐者不得进入考场。',
  '请提前到达考点，核对考场号和座位号后对号入座；超过最迟入场时间不得入场。',
  '手机等通讯设备须关机并放在指定位置，带至座位的按违纪处理。',
  '服从监考人员安排，考试结束前不得提前离场，试卷和答题卡不得带出考场。',
]

/** What a ticket says below: 1 rules for candidates, 2 a word to one or all of them. */
interface Remark {
  remarkType: number
  content: string
}

/** The lines of a ticket: the exam's own rules, or the standard ones where it has none, then what is said besides. */
export async function linesOfTicket(remarks: readonly Remark[]): Promise<string[]> {
  const of = async (type: number) => {
    const lines = await Promise.all(remarks.filter(one => one.remarkType === type).map(one => linesOf(one.content)))
    return lines.flat()
  }
  const own = await of(1)
  return [...(own.length > 0 ? own : standard), ...(await of(2))]
}

/** Rules and words of several exams, each with the sign-up it is said to, if it is said to one. */
const remarksOf = (db: Live, examIds: readonly string[]) =>
  db
    .selectFrom('ticketremark as remark')
    .leftJoin(withRemoved('examinationticket as issue'), 'issue.id', 'remark.ticketId')
    .select(['remark.remarkType', 'remark.content', 'remark.examId', 'remark.itemId', 'remark.ticketId'])
    .select(['issue.signupId as forSignup', 'issue.itemId as forItem'])
    .where('remark.examId', 'in', [...examIds])
    .where('remark.remarkType', 'in', [TicketRemarkType.instructions, TicketRemarkType.personalNote])
    .orderBy('remark.sort', order => order.asc().nullsLast())
    .orderBy('remark.id')
    .execute()

type Said = Awaited<ReturnType<typeof remarksOf>>[number]

/** What was said to an earlier issue of a ticket holds for the present one too. */
const isFor = (said: Said, { examId, itemId, signupId }: TicketFacts): boolean =>
  said.examId === examId &&
  (said.itemId === null || said.itemId === itemId) &&
  (said.ticketId === null || (said.forSignup === signupId && said.forItem === itemId))

/** The lines of each of several tickets. */
export async function linesOfTickets(db: Live, tickets: readonly TicketFacts[]): Promise<string[][]> {
  const said = await remarksOf(db, [...new Set(tickets.map(one => one.examId))])
  return Promise.all(tickets.map(ticket => linesOfTicket(said.filter(one => isFor(one, ticket)))))
}
