import {
  type AnswerOf,
  daysOffOf,
  type Fields,
  holidaysOf,
  missingMessage,
  suggestionChangesOf,
  type ValuesOf,
} from '#engine'
import { examination } from '#resources/exams/examination'
import type { suggesting } from '../../../../screens/contract.ts'
import { isEmpty } from '../../../../screens/fields/props.ts'
import type { beginExam, examProposal } from '../../contract.ts'
import { type Planning, timeNames, timesOf } from '../../rules/exam-times.ts'
import {
  examTemplates,
  startFields,
  type TakenPart,
  type TemplateName,
  takenPartNames,
  type UsualPaper,
} from '../../rules/new-exam.ts'

/** What a new exam is proposed to have. */
export type Proposal = AnswerOf<typeof examProposal>

/** What the page holds: how the exam begins, and its fields and times as they are on the wire. */
export interface Values extends Record<string, unknown> {
  /** `copy`, or the name of a template. */
  readonly start: 'copy' | TemplateName
  readonly fromId?: string | undefined
  readonly take: readonly TakenPart[]
  readonly fee?: number | undefined
  readonly items: 0 | 1
  readonly papers: readonly UsualPaper[]
  readonly examDay?: string | undefined
}

/** Everything that the page asks for, by the name of its input. */
export const fields: Fields = { ...examination.entity.properties, ...startFields }

/** What is always asked, in the order in which it is asked. */
export const askedFirst = [
  'examName',
  'examType',
  'organizer',
  'contactPhone',
  'examDay',
  'fee',
  'examineMode',
] as const
/** What the server fills in unless somebody does. */
export const filledIn = ['examYear', 'examCode', 'deptId', 'consentVersion'] as const

/** What does not belong to a start is not asked: what is copied stays out of the way. */
export const isTaken = ({ start, take }: Values, part: TakenPart): boolean => start === 'copy' && take.includes(part)

const textOf = <V>(value: V | '' | null | undefined): V | undefined => (isEmpty(value) ? undefined : (value as V))

/** What the page begins with where an exam is copied. */
export function copying(proposal: Proposal): Values {
  const { source, exam, examDay, fee } = proposal
  return {
    ...from('recruitment', proposal),
    ...(exam || undefined),
    start: 'copy',
    fromId: source ? source.id : undefined,
    fee: textOf(fee),
    examDay: textOf(examDay),
  }
}

/** What the page begins with by a template. Who holds the exam is mostly who held the last one. */
export function from(start: TemplateName, { exam }: Pick<Proposal, 'exam'>): Values {
  const { exam: own, fee, items, papers } = examTemplates[start]
  const last = exam ? { organizer: exam.organizer, contactPhone: exam.contactPhone } : {}
  return { ...last, ...own, start, take: takenPartNames, fee: fee ?? undefined, items, papers }
}

/** What times are worked out by. */
export const planningOf = ({ daysOff, changes }: AnswerOf<typeof suggesting>): Planning => ({
  isOff: daysOffOf(daysOff),
  isHoliday: holidaysOf(daysOff),
  changes: suggestionChangesOf(changes),
})

/** Times that somebody has entered. */
export const entered = (values: Values): Readonly<Record<string, string>> =>
  Object.fromEntries(timeNames.flatMap(name => (isEmpty(values[name]) ? [] : [[name, String(values[name])] as const])))

/** All times of the exam as they are to be: those that were entered, and what follows from its day and from them. */
export const plannedTimes = (values: Values, planning: Planning): Readonly<Record<string, string>> =>
  values.examDay ? timesOf(values.examDay, planning, entered(values)) : {}

/** The name of what is missing, with its message. */
export function missing(values: Values): Readonly<Record<string, string>> {
  const empty = askedFirst.filter(name => !fields[name]?.optional && isEmpty(values[name]))
  return Object.fromEntries(empty.map(name => [name, missingMessage(fields[name] ?? { kind: 'text', title: name })]))
}

const payTimes: readonly string[] = ['payStartTime', 'payEndTime']

/** What is sent. */
export function sentOf(values: Values, times: Readonly<Record<string, string>>): ValuesOf<typeof beginExam> {
  const own = [...askedFirst, ...filledIn].filter(
    name => name in examination.entity.properties && !isEmpty(values[name]),
  )
  const asked = Object.entries(times).filter(([name]) => values.fee || !payTimes.includes(name))
  const { start, fromId, take, fee, items, papers } = values
  return {
    exam: { ...Object.fromEntries(own.map(name => [name, values[name]])), ...Object.fromEntries(asked) },
    ...(start === 'copy' && { fromId }),
    take: [...take],
    template: start === 'copy' ? 'recruitment' : start,
    ...(fee && { fee }),
    items,
    papers: [...papers],
  }
}
