import type { FastifyInstance } from 'fastify'
import { type CommonVariables, type DomainEvent, variablesOf } from '#engine'
import '#resources/audiences'
import { domainEvents } from '#resources/events'
import { reminderRules } from '#resources/reminders'
import { wrongInput } from '../../../crud/input.ts'
import { type Live, withRemoved } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { ownerOf } from './exam-of.ts'
import { keepChoice } from './keep-choice.ts'
import { titleOf } from './words.ts'

// An exam, or the tenant for all of them, may say what has happened in other words: in the inbox, by e-mail, and in what a WeChat template has room for. Text messages
// have the words of the template that the provider has approved.

/** What an exam, or the tenant, says in place of the words of an event; null where it has none of its own. */
export interface Wording {
  readonly examId: string | null
  readonly code: string
  readonly textZh: string | null
  readonly textEn: string | null
}

/** Rows of the settings that hold words have this in the place of a channel. */
const place = 'inbox'

/** The words that the tenant and some exams have of their own. */
export async function wordingsOf(db: Live, examIds: readonly (string | null)[]): Promise<Wording[]> {
  const ids = [...new Set(examIds.flatMap(id => id ?? []))]
  return db
    .selectFrom('eventchoice')
    .select(['examId', 'code', 'textZh', 'textEn'])
    .where(eb => eb.or([eb('examId', 'is', null), ...(ids.length > 0 ? [eb('examId', 'in', ids)] : [])]))
    .where('channel', '=', place)
    .execute()
}

/** Who has said the words of events last, and when, by event: of an exam, or without one of the tenant. */
export async function writersOf(db: Live, examId: string | null): Promise<Map<string, { name: string; time: Date }>> {
  const rows = await db
    .selectFrom('eventchoice as c')
    .leftJoin(withRemoved('user as u'), 'u.id', 'c.createUser')
    .select(['c.code', 'c.createTime as time', 'u.realName as name'])
    .where('c.examId', examId === null ? 'is' : '=', examId)
    .where('c.channel', '=', place)
    .execute()
  return new Map(rows.map(({ code, time, name }) => [code, { name: name ?? '', time }]))
}

/** An event as an exam says it: in its own words, else in those of the tenant, else in those of the product. */
export function worded(event: DomainEvent, examId: string | null, wordings: readonly Wording[]): DomainEvent {
  const said = wordings.filter(one => one.code === event.name)
  const preset = said.find(one => one.examId === null)
  const own = examId === null ? undefined : said.find(one => one.examId === examId)
  if (!own && !preset) return event
  return inWords(event, { zh: own?.textZh ?? preset?.textZh, en: own?.textEn ?? preset?.textEn })
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
export const commonTitles: Readonly<Record<keyof CommonVariables, string>> = {
  exam: '考试简称',
  examName: '考试名称',
  phone: '咨询电话',
}

/** The names that texts of an event may use, with what each is called. */
export function namesFor(event: DomainEvent): { name: string; title: string }[] {
  const own = [...new Set([...event.fields, ...Object.keys(event.data)])].filter(name => !(name in commonTitles))
  return [
    ...Object.entries(commonTitles).map(([name, title]) => ({ name, title })),
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
 * Says how an exam tells of an event, or the tenant in all of them; where it says nothing, what holds otherwise does.
 * @throws exams.notFound, exams.archived, request.forbidden, input.invalid naming what the text may not name
 */
export async function sayInWords(
  app: FastifyInstance,
  person: Person,
  { examId: exam, code, zh, en }: Words & { examId?: string | undefined; code: string },
): Promise<void> {
  const examId = exam ?? null
  await ownerOf(app, person, examId)
  const event = eventInWords(code, { zh, en })
  const own = (text: string | null | undefined, preset: string) => (text && text !== preset ? text : null)
  const product = domainEvents.get(code) ?? event
  const presets = examId === null ? [] : await wordingsOf(liveAs(app, person), [])
  const { text } = worded(product, null, presets)
  const [textZh, textEn] = [own(zh, text.zh), own(en, text.en)]
  const isOwn = textZh !== null || textEn !== null
  await keepChoice(app, person, { examId, code, channel: place }, isOwn ? { isOn: 1, textZh, textEn } : null)
}
