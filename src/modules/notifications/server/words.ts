import { type CommonVariables, type DomainEvent, type Facts, type Field, variablesOf, wordsWith } from '#engine'
import '#resources/audiences'
import { dictionaries } from '#schemas'
import { lazily } from '../../../engine/lazily.ts'
import { inEnglish } from '../../../platform/i18n/english.ts'

/** A language of the product. */
export type Language = 'zh' | 'en'

/** What an event is told with beside its own facts: the exam that it belongs to. */
export interface ExamFacts {
  examName: string | null
  shortName: string | null
  contactPhone: string | null
}

const momentParts = {
  timeZone: 'Asia/Shanghai',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const

const moments = {
  zh: lazily(() => new Intl.DateTimeFormat('zh-CN', { ...momentParts, month: 'long' })),
  en: lazily(() => new Intl.DateTimeFormat('en-GB', { ...momentParts, month: 'short' })),
}

/** `11月24日 17:00`, `24 Nov, 17:00`. */
const momentIn = (text: string, language: Language): string => {
  const time = new Date(text)
  return Number.isNaN(time.getTime()) ? '' : moments[language]().format(time).replace('日', '日 ').replace('  ', ' ')
}

/** The words of values that are the same everywhere, by their dictionary. */
const fixedWords = new Map<string, Readonly<Record<string, string>>>(dictionaries.map(one => [one.code, one.entries]))

/** A fact as a person reads it. */
function valueIn(field: Field | undefined, value: string | number | null | undefined, language: Language): string {
  if (value === null || value === undefined) return ''
  if (field?.kind === 'dateTime') return momentIn(String(value), language)
  const word = field?.dict && fixedWords.get(field.dict)?.[String(value)]
  if (word) return language === 'en' ? inEnglish(word) : word
  if (field?.kind === 'money') return (Number(value) / 100).toFixed(2)
  return String(value)
}

/** Names of exams in a sentence are cut to this many characters. */
const shortName = 24

const cut = (name: string): string => (name.length > shortName ? `${name.slice(0, shortName - 1)}…` : name)

const fieldOf = ({ entity, data }: DomainEvent, name: string): Field | undefined =>
  data[name] ?? (entity.properties as Readonly<Record<string, Field>>)[name]

/** What a text may name, in words: the event's own facts and those of its exam. */
function valuesOf(event: DomainEvent, facts: Facts, exam: ExamFacts, language: Language): Record<string, string> {
  const common: Readonly<Record<keyof CommonVariables, string>> = {
    exam: exam.shortName || cut(exam.examName ?? ''),
    examName: exam.examName ?? '',
    phone: exam.contactPhone ?? '',
  }
  const values = Object.keys(facts).map(name => [name, valueIn(fieldOf(event, name), facts[name], language)] as const)
  const absent = Object.entries(event.otherwise ?? {}).map(([name, words]) => [name, words[language]] as const)
  const own = Object.fromEntries([...absent, ...values.filter(([, value]) => value !== '')])
  const phrases = Object.keys(facts).flatMap(name => {
    const phrase = event.phrases?.[name]?.[String(facts[name])]
    return phrase ? [[name, wordsWith(phrase[language], own)]] : []
  })
  return { ...common, ...own, ...Object.fromEntries(phrases) }
}

/**
 * What the template of a text message may name. A clause that says nothing and a telephone that nobody has given are left out of it; any
 * other name without a value is not among them.
 */
export function textValuesOf(event: DomainEvent, facts: Facts, exam: ExamFacts): Record<string, string> {
  const values = Object.entries(valuesOf(event, facts, exam, 'zh'))
  const mayLack = (name: string) => name === 'phone' || event.phrases?.[name] !== undefined
  return Object.fromEntries(values.filter(([name, value]) => value !== '' || mayLack(name)))
}

/** What happened, in one or two sentences. */
export const sentenceOf = (event: DomainEvent, facts: Facts, exam: ExamFacts, language: Language): string =>
  wordsWith(event.text[language], valuesOf(event, facts, exam, language)).trim()

/** The facts that the sentence does not say itself, each with its label: a remark, a reason. */
export function factsOf(event: DomainEvent, facts: Facts, language: Language): { label: string; value: string }[] {
  const said = variablesOf(event.text[language])
  return Object.keys(facts).flatMap(name => {
    const field = fieldOf(event, name)
    const value = valueIn(field, facts[name], language)
    if (said.includes(name) || !field || value === '' || event.phrases?.[name]) return []
    return [{ label: language === 'en' ? inEnglish(field.title) : field.title, value }]
  })
}

/** What a fact of an event is called. */
export const titleOf = ({ entity, data }: DomainEvent, name: string): string =>
  data[name]?.title ?? (entity.properties as Readonly<Record<string, { title: string }>>)[name]?.title ?? name

/** The page on which somebody acts on an event. */
export const addressOf = (event: DomainEvent, ids: Readonly<Record<string, string | null>>): string =>
  event.opens.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? '')
