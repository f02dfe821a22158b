import type { FastifyInstance } from 'fastify'
import { type CommonVariables, type DomainEvent, variablesOf } from '#engine'
import '#resources/audiences'
import { domainEvents } from '#resources/events'
import { reminderRules } from '#resources/reminders'
import { wrongInput } from '../../../crud/input.ts'
import type { Live } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { examOf } from './exam-of.ts'
import { keepChoice } from './keep-choice.ts'
import { titleOf } from './words.ts'

// An exam may say what has happened in its own words: in the inbox, by e-mail, and in what a WeChat template has room for. Text messages
// have the words of the template that the provider has approved.

/** What an exam says in place of the words of an event; null where it has none of its own. */
export interface Wording {
  readonly examId: string | null
  readonly code: string
  readonly textZh: string | null
  readonly textEn: string | null
}

/** Rows of the settings that hold words have this in the place of a channel. */
const place = 'inbox'

/** The words that some exams have of their own. */
export async function wordingsOf(db: Live, examIds: readonly (string | null)[]): Promise<Wording[]> {
  const ids = [...new Set(examIds.flatMap(id => id ?? []))]
  if (ids.length === 0) return []
  return db
    .selectFrom('eventchoice')
    .select(['examId', 'code', 'textZh', 'textEn'])
    .where('examId', 'in', ids)
    .where('channel', '=', place)
    .execute()
}

/** An event as an exam says it. */
export function worded(event: DomainEvent, examId: string | null, wordings: readonly Wording[]): DomainEvent {
  const own = examId === null ? undefined : wordings.find(one => one.examId === examId && one.code === event.name)
  return own ? inWords(event, { zh: own.textZh, en: own.textEn }) : event
}

/** Words for an event, as far as there are any. */
interface Words {
  readonly zh?: string | null | undefined
  readonly en?: string | null | undefined
}

/** An event with other words. */
const inWords = (event: DomainEvent, { zh, en }: Words): DomainEvent => ({
  ...event,
  text: { zh: zh || event.text.zh, en: en || event.text.en },
})

/** What every text may name, with what it is called. */
const common: Readonly<Record<keyof CommonVariables, string>> = {
  exam: '考试简称',
  examName: '考试名称',
  phone: '咨询电话',
}

/** The names that texts of an event may use, with what each is called. */
export function namesFor(event: DomainEvent): { name: string; title: string }[] {
  const own = [...new Set([...event.fields, ...Object.keys(event.data)])].filter(name => !(name in common))
  return [
    ...Object.entries(common).map(([name, title]) => ({ name, title })),
    ...own.map(name => ({ name, title: titleOf(event, name) })),
  ]
}

/** What is wrong with words for an event; null where nothing is. */
function problemOf(event: DomainEvent, text: string): string | null {
  const known = namesFor(event).map(one => one.name)
  const strange = variablesOf(text).filter(name => !known.includes(name))
  if (strange.length > 0) return `不能使用${strange.map(name => `{${name}}`).join('、')}`
  return /[{}]/.test(text.replaceAll(/\{\w+\}/g, '')) ? '花括号内只能是列出的变量名' : null
}

/** An event that exams may say in their own words, with these words. @throws input.invalid */
export function eventInWords(code: string, { zh, en }: Words): DomainEvent {
  const event = domainEvents.get(code)
  if (!event || reminderRules.has(code)) throw refuse('input.invalid', { 说明: '没有这个事件' })
  const wrong = Object.entries({ zh, en }).flatMap(([field, text]) => {
    const msg = text ? problemOf(event, text) : null
    return msg ? [{ field, msg }] : []
  })
  if (wrong.length > 0) throw wrongInput(wrong)
  return inWords(event, { zh, en })
}

/**
 * Says how an exam tells of an event; where it says nothing, the words of the product hold.
 * @throws exams.notFound, exams.archived, input.invalid naming what the text may not name
 */
export async function sayInWords(
  app: FastifyInstance,
  person: Person,
  { examId, code, zh, en }: Words & { examId: string; code: string },
): Promise<void> {
  await examOf(app, person, examId)
  const event = eventInWords(code, { zh, en })
  const own = (text: string | null | undefined, preset: string) => (text && text !== preset ? text : null)
  const { text } = domainEvents.get(code) ?? event
  const [textZh, textEn] = [own(zh, text.zh), own(en, text.en)]
  const isOwn = textZh !== null || textEn !== null
  await keepChoice(app, person, { examId, code, channel: place }, isOwn ? { isOn: 1, textZh, textEn } : null)
}
