import { holdsHidden, idCardProblem, isDay, phoneProblem } from './format.ts'

/** Whether a text has a form. */
export type Format = (text: string) => boolean

const email =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i

// As JSON Schema's reference of formats, ajv-formats, has it.
const uri =
  /^(?:[a-z][a-z0-9+\-.]*:)(?:\/?\/(?:(?:[a-z0-9\-._~!$&'()*+,;=:]|%[0-9a-f]{2})*@)?(?:\[(?:(?:(?:(?:[0-9a-f]{1,4}:){6}|::(?:[0-9a-f]{1,4}:){5}|(?:[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){4}|(?:(?:[0-9a-f]{1,4}:){0,1}[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){3}|(?:(?:[0-9a-f]{1,4}:){0,2}[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){2}|(?:(?:[0-9a-f]{1,4}:){0,3}[0-9a-f]{1,4})?::[0-9a-f]{1,4}:|(?:(?:[0-9a-f]{1,4}:){0,4}[0-9a-f]{1,4})?::)(?:[0-9a-f]{1,4}:[0-9a-f]{1,4}|(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d\d?))|(?:(?:[0-9a-f]{1,4}:){0,5}[0-9a-f]{1,4})?::[0-9a-f]{1,4}|(?:(?:[0-9a-f]{1,4}:){0,6}[0-9a-f]{1,4})?::)|[Vv][0-9a-f]+\.[a-z0-9\-._~!$&'()*+,;=:]+)\]|(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d\d?)|(?:[a-z0-9\-._~!$&'()*+,;=]|%[0-9a-f]{2})*)(?::\d*)?(?:\/(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})*)*|\/(?:(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})+(?:\/(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})*)*)?|(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})+(?:\/(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})*)*)(?:\?(?:[a-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9a-f]{2})*)?(?:#(?:[a-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9a-f]{2})*)?$/i

/**
 * The formats a schema may name, for every validator: Ajv on the server and the interpreter in the browser. Empty text
 * has the form of an ID number, a phone number and a moment: that it is missing is said by `required`.
 */
export const formats: Readonly<Record<string, Format>> = {
  idCard: text => text === '' || idCardProblem(text) === null,
  phone: text => text === '' || phoneProblem(text) === null,
  dateTime: text => text === '' || /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text),
  date: isDay,
  /** A month of the last or of this century, `yyyy-MM`. */
  month: text => /^(19|20)\d{2}-(0[1-9]|1[0-2])$/.test(text),
  /** A day of the last or of this century. */
  recentDate: text => /^(19|20)/.test(text) && isDay(text),
  email: text => email.test(text),
  /** An address with its scheme, `https://…` (RFC 3986). */
  uri: text => /\/|:/.test(text) && uri.test(text),
  /** The code of a region. */
  region: text => /^\d{2,12}$/.test(text),
  /** A line of text in which everything can be seen. */
  line: text => !holdsHidden(text),
  /** Lines of text in which everything can be seen. */
  lines: text => !holdsHidden(text, true),
}

const limited = /^(?<form>\S+)(?: from (?<least>\S+))?(?: to (?<most>\S+))?$/

/**
 * The name of a format whose texts lie between two limits in the order of texts, as days and months do; a limit of
 * `undefined` is none. `limitedFormat('month', '2000-01', undefined)` is `month from 2000-01`.
 */
export const limitedFormat = (form: string, least: string | undefined, most: string | undefined): string =>
  `${form}${least ? ` from ${least}` : ''}${most ? ` to ${most}` : ''}`

/** The format of a name, also of one with limits, see {@link limitedFormat}; undefined for a name not in the table. */
export function formatOf(name: string): Format | undefined {
  const { form = '', least, most } = limited.exec(name)?.groups ?? {}
  const has = formats[form]
  return has && (text => has(text) && (least === undefined || text >= least) && (most === undefined || text <= most))
}

/** Every format that a schema names somewhere. */
export function formatNames(schema: unknown): ReadonlySet<string> {
  if (typeof schema !== 'object' || schema === null) return new Set()
  const own = !Array.isArray(schema) && 'format' in schema && typeof schema.format === 'string' ? [schema.format] : []
  return new Set([...own, ...Object.values(schema).flatMap(part => [...formatNames(part)])])
}
