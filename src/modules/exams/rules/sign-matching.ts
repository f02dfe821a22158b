import type { RuleResult } from '#schemas/sign-up/signup-json'
import { isBlank } from '../../../engine/blank.ts'
import type { Dicts } from '../../../engine/form-field.ts'
import { optionText } from './sign-text.ts'

/** What a rule says: nothing when the position demands nothing. */
export type Finding = Omit<RuleResult, 'rule'> | null

/** Demands are sentences people wrote: split where a list is meant, dropping brackets, code numbers and the word 专业. */
const parts = (text: string): string[] =>
  text
    .split(/[、,，;；/\n]|或者?/)
    .map(part => plain(part))
    .filter(Boolean)

const plain = (text: string): string => text.replace(/[（(][^）)]*[）)]/g, '').replace(/\s|\d{4,}|专业$/g, '')

const isAny = (text: string): boolean => /^(不限|无要求?|专业不限)/.test(text.trim())

/**
 * Majors are compared as text: the same name, or one containing the other, fits. A demand for a whole class (护理学类,
 * 相关专业) cannot be settled by text, so a person looks.
 */
export function majorRule(demanded: string | null | undefined, value: unknown): Finding {
  if (isBlank(demanded) || isAny(demanded!)) return null
  const demand = `专业须为${demanded}`
  const own = isBlank(value) ? '' : plain(String(value))
  if (!own) return { level: 3, msg: `${demand}，您未填写所学专业` }
  const wanted = parts(demanded!)
  if (wanted.some(one => own.includes(one) || one === own)) return { level: 1, msg: `${demand}，符合` }
  const isClass = wanted.some(one => /类$|相关/.test(one))
  const near = wanted.some(one => one.includes(own) || own.includes(one.replace(/类$/, '')))
  const found = `您填写的是${String(value)}`
  return near || isClass
    ? { level: 2, msg: `${demand}，${found}，需人工核对` }
    : { level: 3, msg: `${demand}，${found}` }
}

/** Every certificate named must stand in what the candidate wrote; another wording is left to a person. */
export function certificateRule(demanded: string | null | undefined, value: unknown): Finding {
  if (isBlank(demanded) || isAny(demanded!)) return null
  const demand = `须具有${demanded}`
  if (isBlank(value)) return { level: 3, msg: `${demand}，您未填写资格证书` }
  const own = plain(String(value))
  const missing = parts(demanded!).filter(one => !own.includes(one))
  return missing.length === 0
    ? { level: 1, msg: `${demand}，符合` }
    : { level: 2, msg: `${demand}，未见${missing.join('、')}，需人工核对` }
}

/** Codes without the zeros that only fill them up: 350100000000 stands for everything under 3501. */
const stem = (code: string): string => code.replace(/(00)+$/, '')

function livesIn(demand: string, path: unknown, labels: Dicts): boolean {
  const codes = Array.isArray(path) ? path.map(String) : []
  if (/^\d+$/.test(demand)) return codes.some(code => stem(code).startsWith(stem(demand)))
  return codes.some(code => optionText(labels.region, code).includes(demand))
}

/** Household or origin must lie in one of the regions demanded, given as codes or names. */
export function regionRule(demanded: string | null | undefined, paths: readonly unknown[], labels: Dicts): Finding {
  if (isBlank(demanded) || isAny(demanded!)) return null
  const regions = demanded!
    .split(/[、,，;；/]|或者?/)
    .map(part => part.replace(/(户籍|生源地?|常住户口|户口|人员|\s)/g, ''))
    .filter(Boolean)
  const named = regions.map(one => (/^\d+$/.test(one) ? optionText(labels.region, one) : one)).join('、')
  const demand = `户籍或生源地须为${named}`
  if (paths.every(isBlank)) return { level: 3, msg: `${demand}，您未填写户籍所在地` }
  if (regions.some(one => paths.some(path => livesIn(one, path, labels)))) return { level: 1, msg: `${demand}，符合` }
  const byName = regions.some(one => !/^\d+$/.test(one))
  return byName && !labels.region
    ? { level: 2, msg: `${demand}，需人工核对` }
    : { level: 3, msg: `${demand}，您不符合` }
}
