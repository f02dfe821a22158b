import type { Entity } from './entity.ts'
import type { Kind } from './field.ts'
import { dayOffPattern } from './suggestion-pattern.ts'

/** A time or a day that is worked out of another one of the same form: plain data. */
export interface Suggestion<Name extends string = string> {
  /** The time or day that it is counted from. */
  readonly from: Name
  /**
   * Days after that, before it where negative. What falls on a day off moves on to the next working day; 0 is the same day, whatever
   * day that is.
   */
  readonly days?: number
  /** Working days after that, in place of `days`. */
  readonly workdays?: number
  /** Time of the day, `09:00`; that of `from` by default. A day has none. */
  readonly at?: string
}

/** Whether nobody works on a day, `yyyy-MM-dd`. */
export type IsDayOff = (day: string) => boolean

/** What a tenant says otherwise of suggestions, by field: the number of days, and the time of the day. */
export type SuggestionChanges = Readonly<Record<string, { readonly days: number; readonly at?: string }>>

/** A form with what it suggests, as a resource has it. */
interface SuggestingForm {
  readonly entity: Entity
  readonly form: readonly {
    readonly title: string
    readonly inputs: readonly SuggestingInput[]
    readonly later?: string
  }[]
}

interface SuggestingInput {
  readonly field: string
  readonly suggest?: Suggestion
}

const DAY = 86_400_000
const SUNDAY = 0
const SATURDAY = 6
/** Days without a working day among them after which a list of days off is taken to have no end. */
const MOST = 400

const shifted = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10)

const weekday = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay()

/**
 * Reads holidays.
 * @param list `2027-02-05~2027-02-08,05-01`: days and spans; those without a year are of every year
 */
export function holidaysOf(list: string): IsDayOff {
  const spans = list
    .split(',')
    .map(one => one.trim())
    .filter(one => new RegExp(`^${dayOffPattern}$`).test(one))
    .map(one => {
      const [first = '', last = first] = one.split('~')
      return [first, last] as const
    })
  return day =>
    spans.some(([first, last]) => {
      const here = day.slice(-first.length)
      return first <= here && here <= last
    })
}

/** Days off: weekends, and the holidays that a list names, see {@link holidaysOf}. */
export function daysOffOf(list: string): IsDayOff {
  const isHoliday = holidaysOf(list)
  return day => weekday(day) === SUNDAY || weekday(day) === SATURDAY || isHoliday(day)
}

/** Reads what a tenant says otherwise of suggestions: entries joined by commas. */
export function suggestionChangesOf(list: string): SuggestionChanges {
  const entries = list.split(',').flatMap(one => {
    const [, field, days, , at] = /^(\w+)=(-?\d+)(@(\d\d:\d\d))?$/.exec(one.trim()) ?? []
    return field ? [[field, { days: Number(days), ...(at && { at }) }] as const] : []
  })
  return Object.fromEntries(entries)
}

/** The first working day from a day on; a later day off where there seems to be none. */
export function workdayFrom(day: string, isOff: IsDayOff): string {
  let next = day
  for (let tried = 0; isOff(next) && tried < MOST; tried++) next = shifted(next, 1)
  return next
}

/** The day that lies so many working days after a day. */
export function workdaysAfter(from: string, workdays: number, isOff: IsDayOff): string {
  let day = from
  for (let left = workdays; left > 0; left--) day = workdayFrom(shifted(day, 1), isOff)
  return day
}

function dayOf(from: string, { days = 0, workdays }: Suggestion, isOff: IsDayOff): string {
  if (workdays === undefined) return days === 0 ? from : workdayFrom(shifted(from, days), isOff)
  return workdaysAfter(from, workdays, isOff)
}

/** Length of a day on the wire. */
const DATE = 10

/** A time or day as a suggestion says it, on the wire. @param from the time or day it is counted from, on the wire */
function worked(from: string, suggestion: Suggestion, kind: Kind, isOff: IsDayOff): string {
  const day = dayOf(from.slice(0, DATE), suggestion, isOff)
  if (kind === 'date') return day
  const time = suggestion.at ? `${suggestion.at}:00` : from.slice(DATE + 1) || '00:00:00'
  return `${day} ${time}`
}

/** The suggestion of an input with what the tenant says otherwise. */
function changed({ field, suggest }: SuggestingInput, changes: SuggestionChanges): Suggestion | undefined {
  const change = changes[field]
  if (!suggest || !change) return suggest
  const { days, ...rest } = change
  return { ...suggest, ...(suggest.workdays === undefined ? { days } : { workdays: days }), ...rest }
}

/**
 * The values that the inputs of a form suggest, by their names. Each is worked out of what the form holds, or, where that holds
 * nothing, of what is suggested for it.
 * @param values what the form holds, on the wire
 * @param isOff days on which nobody works
 * @param changes what the tenant says otherwise
 */
export function suggestedValues(
  { form, entity }: SuggestingForm,
  values: Readonly<Record<string, unknown>>,
  isOff: IsDayOff,
  changes: SuggestionChanges = {},
): Readonly<Record<string, string>> {
  const inputs = new Map(form.flatMap(group => group.inputs.map(input => [input.field, input] as const)))
  const found: Record<string, string> = {}
  const suggestedFor = (name: string): string | undefined => {
    const known = found[name]
    const input = inputs.get(name)
    const suggestion = input && changed(input, changes)
    if (known !== undefined || !suggestion) return known
    const from = String(values[suggestion.from] ?? '') || suggestedFor(suggestion.from)
    if (!from) return undefined
    found[name] = worked(from, suggestion, entity.properties[name]?.kind ?? 'dateTime', isOff)
    return found[name]
  }
  for (const name of inputs.keys()) suggestedFor(name)
  return found
}

const timeKinds: readonly Kind[] = ['date', 'dateTime']
const isTime = (entity: Entity, name: string): boolean => timeKinds.includes(entity.properties[name]?.kind ?? 'text')

/** Whether the suggestion of an input leads back to itself. */
function isCircle(inputs: readonly SuggestingInput[], start: string): boolean {
  let at = inputs.find(({ field }) => field === start)?.suggest?.from
  for (let steps = 0; at !== undefined && steps <= inputs.length; steps++) {
    if (at === start) return true
    const next = at
    at = inputs.find(({ field }) => field === next)?.suggest?.from
  }
  return false
}

/** What is wrong with the suggestions of a form and with the groups that it asks later. @param at the resource, for the sentences */
export function suggestionProblems({ form, entity }: SuggestingForm, at: string): string[] {
  const inputs = form.flatMap(group => group.inputs)
  const suggestions = inputs.flatMap(({ field, suggest }) => (suggest ? [[field, suggest] as const] : []))
  const isNeeded = (name: string): boolean =>
    entity.required.includes(name) && entity.properties[name]?.default === undefined
  return [
    ...suggestions.flatMap(([name, { from, days, workdays, at: time }]) => [
      ...(isTime(entity, name) ? [] : [`${at}: form suggests «${name}», which is neither a time nor a day`]),
      ...(isTime(entity, from)
        ? []
        : [`${at}: form suggests «${name}» from «${from}», which is neither a time nor a day`]),
      ...((days === undefined) === (workdays === undefined)
        ? [`${at}: form suggests «${name}» by days and by workdays: say one of them`]
        : []),
      ...(workdays !== undefined && workdays < 1
        ? [`${at}: form suggests «${name}» by workdays that do not go forward`]
        : []),
      ...(time === undefined || /^([01]\d|2[0-3]):[0-5]\d$/.test(time)
        ? []
        : [`${at}: form suggests «${name}» at «${time}», which is no time of the day`]),
      ...(isCircle(inputs, name) ? [`${at}: form suggests «${name}» from itself`] : []),
    ]),
    ...form.flatMap(({ title, inputs: asked, later }) => {
      if (later === undefined) return []
      const needed = asked.filter(({ field }) => isNeeded(field))
      return [
        ...(asked.length > 0 ? [] : [`${at}: later names «${title}», which is no group of the form`]),
        ...(later === 'createTime' || isTime(entity, later)
          ? []
          : [`${at}: later asks «${title}» from «${later}» on, which is neither a time nor a day`]),
        ...needed.map(({ field }) => `${at}: later asks «${title}», but a new row needs «${field}»`),
      ]
    }),
  ]
}
