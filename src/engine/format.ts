/** Two-digit province prefixes of national ID numbers. */
const provinces = new Set(
  '11 12 13 14 15 21 22 23 31 32 33 34 35 36 37 41 42 43 44 45 46 50 51 52 53 54 61 62 63 64 65 71 81 82 83 91'.split(
    ' ',
  ),
)
const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]

/** Check character of the first 17 digits of a national ID number (ISO 7064 MOD 11-2). */
export function idCardCheck(first17: string): string {
  const sum = weights.reduce((total, weight, i) => total + weight * Number(first17[i]), 0)
  return '10X98765432'[sum % 11] ?? ''
}

/** True for a day that exists, `yyyy-MM-dd`: 2026-02-30 does not, nor does the year 0000. */
export function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`)
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) &&
    !Number.isNaN(at.getTime()) &&
    at.toISOString().startsWith(text) &&
    text >= '0001'
  )
}

const isBirthday = (yyyymmdd: string): boolean =>
  isDay(`${yyyymmdd.slice(0, 4)}-${yyyymmdd.slice(4, 6)}-${yyyymmdd.slice(6, 8)}`)

/**
 * What is wrong with a national ID number, in the order of the five checks: present, 18 characters, form, province,
 * check character. Lower-case `x` counts as `X`. `null` when nothing is wrong.
 */
export function idCardProblem(value: string | null | undefined): string | null {
  const text = (value ?? '').trim().toUpperCase()
  if (!text) return '证件号码不能为空'
  if (text.length !== 18) return '证件号码长度不为18位'
  if (!/^\d{17}[\dX]$/.test(text) || !isBirthday(text.slice(6, 14))) return '证件号码格式错误'
  if (!provinces.has(text.slice(0, 2))) return '地址编码错误'
  if (idCardCheck(text.slice(0, 17)) !== text[17]) return '证件号码校验位错误'
  return null
}

/** What is wrong with a mainland mobile number: present, 11 characters, form. `null` when nothing is wrong. */
export function phoneProblem(value: string | null | undefined): string | null {
  const text = (value ?? '').trim()
  if (!text) return '手机号码不能为空'
  if (text.length !== 11) return '手机号码长度不为11位'
  return /^1[3-9]\d{9}$/.test(text) ? null : '手机号码格式错误'
}

/** Sex in a national ID number: 1 male, 2 female. */
export const sexOf = (idCard: string): 1 | 2 => (Number(idCard[16]) % 2 ? 1 : 2)

/** Date of birth in a national ID number, `yyyy-MM-dd`. */
export const birthdayOf = (idCard: string): string =>
  `${idCard.slice(6, 10)}-${idCard.slice(10, 12)}-${idCard.slice(12, 14)}`

/** Control characters, invisible joiners and direction overrides, which make two names look alike. */
const hidden = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u

/**
 * Whether a text holds what nobody sees, or half of a character.
 * @param hasLines line breaks and tabs may stand in it
 */
export function holdsHidden(text: string, hasLines = false): boolean {
  return !text.isWellFormed() || hidden.test(hasLines ? text.replace(/[\r\n\t]/g, '') : text)
}

/** Whole years of age on a day, both `yyyy-MM-dd`. The birthday itself counts as completed. */
export function ageOn(birthday: string, day: string): number {
  const years = Number(day.slice(0, 4)) - Number(birthday.slice(0, 4))
  return day.slice(5) < birthday.slice(5) ? years - 1 : years
}

/** Masks as staff lists show them. */
export const mask = {
  /** `350102********1234` */
  idCard: (value: string) =>
    value.length < 11 ? '*'.repeat(value.length) : `${value.slice(0, 6)}********${value.slice(-4)}`,
  /** `138****1234` */
  phone: (value: string) =>
    value.length < 8 ? '*'.repeat(value.length) : `${value.slice(0, 3)}****${value.slice(-4)}`,
  /** `w***@example.org` */
  email: (value: string) => value.replace(/^(.?)[^@]*/, '$1***'),
}

/** Masks a sealed text: phone numbers as phones, e-mail addresses as such, everything else as an ID number. */
export const maskSealed = (value: string) => {
  if (/^1\d{10}$/.test(value)) return mask.phone(value)
  return value.includes('@') ? mask.email(value) : mask.idCard(value)
}
