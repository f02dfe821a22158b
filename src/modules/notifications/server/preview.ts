import type { FastifyInstance } from 'fastify'
import type { DomainEvent, Facts, Field } from '#engine'
import { contentOf, segmentsOf } from '../../../platform/channels/sms/sms-text.ts'
import { readParam } from '../../../platform/database/param.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { publicUrl } from '../../../platform/http/server/public-url.ts'
import { inEnglish } from '../../../platform/i18n/english.ts'
import { templateFor, textCodesOf } from '../../messages/server/text-codes.ts'
import { ownerOf } from './exam-of.ts'
import { mailWords } from './mail-words.ts'
import { wechatValues } from './ways.ts'
import { commonTitles, eventInWords, worded, wordingsOf } from './wording.ts'
import { addressOf, type ExamFacts, factsOf, type Language, sentenceOf, textValuesOf, titleOf } from './words.ts'

/** Characters of a name of an exam, and of other texts, at most, as an example has them. */
const most = { name: 24, text: 20 }

/** A value of the kind of a fact, as long as it usually gets. */
function longestOf(event: DomainEvent, name: string, language: Language, now: Date): string | number {
  const field = event.data[name] ?? (event.entity.properties as Readonly<Record<string, Field>>)[name]
  const [phrase] = Object.entries(event.phrases?.[name] ?? {}).toSorted(
    ([, one], [, other]) => other[language].length - one[language].length,
  )
  if (phrase) return phrase[0]
  if (field?.kind === 'dateTime') return new Date(now.getTime() + 30 * 86_400_000).toISOString()
  if (field?.kind === 'money') return 100_000
  if (field?.kind === 'integer') return 1000
  const title = titleOf(event, name)
  const [word, filler] = language === 'en' ? [inEnglish(title), 'x'] : [title, '一']
  return word.padEnd(Math.min(field?.maxLength ?? most.text, most.text), filler)
}

const factsFor = (event: DomainEvent, language: Language, now: Date): Facts =>
  Object.fromEntries(
    [...event.fields, ...Object.keys(event.data)].map(name => [name, longestOf(event, name, language, now)]),
  )

/** A message of an event as people get it by one way. */
interface Shown {
  readonly channel: 'inbox' | 'mail' | 'sms' | 'wechat'
  readonly language: Language
  readonly subject: string
  readonly text: string
  /** Characters of it, and how many text messages it is charged as. */
  readonly length: number
  readonly segments: number
}

const linesOf = (pairs: readonly { label: string; value: string }[], joint: string): string[] =>
  pairs.map(({ label, value }) => `${label}${joint}${value}`)

/** The exam that is told of; where there is none, what its facts are called. */
const examIn = ({ examName, ...exam }: ExamFacts, language: Language): ExamFacts => {
  if (examName !== null) return { ...exam, examName: examName.slice(0, most.name) }
  const say = (title: string) => (language === 'en' ? inEnglish(title) : title)
  const { exam: shortName, examName: name, phone } = commonTitles
  return { shortName: say(shortName), examName: say(name), contactPhone: say(phone) }
}

/** Which event is shown, in which words where they are not those that hold. */
interface Asked {
  readonly examId?: string | undefined
  readonly code: string
  readonly zh?: string | undefined
  readonly en?: string | undefined
}

/**
 * What people get of an event in an exam, or without one in any of the tenant, by each way that it may go and in both languages, with facts as long as they usually get. Text
 * messages and WeChat messages have one language.
 * @throws exams.notFound, request.forbidden, input.invalid for an event that is not there and for words that it may not have
 */
export async function previewOf(
  app: FastifyInstance,
  person: Person,
  { examId: asked, code, zh, en }: Asked,
): Promise<Shown[]> {
  const examId = asked ?? null
  const found = await ownerOf(app, person, examId)
  const db = liveAs(app, person)
  const now = app.now()
  const given = eventInWords(code, { zh, en })
  const event = zh === undefined && en === undefined ? worded(given, examId, await wordingsOf(db, [examId])) : given
  const title = await readParam(db, 'site.title')
  const link = `${publicUrl(app)}${addressOf(event, { examId, id: '1' })}`
  const shown: Shown[] = []
  const add = (one: Pick<Shown, 'channel' | 'language' | 'text'> & { subject?: string; segments?: number }) =>
    shown.push({ subject: '', segments: 0, ...one, length: [...one.text].length })
  for (const language of ['zh', 'en'] as const) {
    const facts = factsFor(event, language, now)
    const exam = examIn(found, language)
    const sentence = sentenceOf(event, facts, exam, language)
    const list = linesOf(factsOf(event, facts, language), language === 'zh' ? '：' : ': ')
    add({ channel: 'inbox', language, subject: sentence, text: list.join('\n') })
    if (event.by?.mail === undefined) continue
    const site = { title: language === 'en' ? inEnglish(title) : title, link }
    const { subject, text } = mailWords(event, facts, exam, language, site)
    add({ channel: 'mail', language, subject, text })
  }
  const facts = factsFor(event, 'zh', now)
  const exam = examIn(found, 'zh')
  if (event.by?.sms !== undefined) {
    const template = await templateFor(db, textCodesOf(event, facts))
    const text = template ? contentOf(template, textValuesOf(event, facts, exam)) : ''
    add({ channel: 'sms', language: 'zh', text, segments: template ? segmentsOf(text) : 0 })
  }
  if (event.by?.wechat !== undefined) {
    const values = Object.entries(wechatValues({ event, facts, exam, time: now, until: now }))
    const shownValues = values.flatMap(([label, value]) => (typeof value === 'string' ? [{ label, value }] : []))
    add({ channel: 'wechat', language: 'zh', text: linesOf(shownValues, '：').join('\n') })
  }
  return shown
}
