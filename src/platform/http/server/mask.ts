/** Names of values in an address that must not be read in a log: token calls carry passwords in the address. */
const secretKeys =
  'password|newPassword|newPassword1|oldPassword|password2|refresh_token|refreshToken|access_token|accessToken|token|blade-auth|code|value|username|account|phone|idCard|client_secret|state'

/** What passwords are called in a free text. */
const passwordNames = '(?:password|passwd|pwd|passphrase|密码|口令)\\d?'

/** What one pass over a text tells of what it may hold, so that few patterns are tried on it. */
interface Look {
  /** The text in small letters. */
  readonly small: string
  /** Length of the longest run of letters, digits, `_` and `-`. */
  readonly longest: number
  /** Whether a run of digits may be a phone number, or the digits of an ID number. */
  readonly isPhoneThere: boolean
  readonly isIdThere: boolean
}

interface Mask {
  readonly pattern: RegExp
  readonly by: string
  /** False only where the pattern matches nothing. */
  mayMatch(look: Look): boolean
}

const hasPassword = ({ small }: Look): boolean =>
  small.includes('pass') || small.includes('pwd') || small.includes('密码') || small.includes('口令')
const hasScheme = ({ small }: Look): boolean =>
  small.includes('bearer') || small.includes('basic') || small.includes('crypto')

const secretNames = new Set(secretKeys.toLowerCase().split('|'))
const longestName = Math.max(...[...secretNames].map(name => name.length))

function hasSecretKey({ small }: Look): boolean {
  for (let at = small.indexOf('='); at >= 0; at = small.indexOf('=', at + 1)) {
    const before = small.slice(Math.max(0, at - longestName - 1), at)
    const from = Math.max(before.lastIndexOf('?'), before.lastIndexOf('&'))
    if (from >= 0 && secretNames.has(before.slice(from + 1))) return true
  }
  return false
}

const masks: readonly Mask[] = [
  // In a sentence, in an address of whatever kind, and in JSON within a text.
  { pattern: new RegExp(`(${passwordNames}\\s*[=＝]\\s*)[^\\s"&\\\\]+`, 'gi'), by: '$1***', mayMatch: hasPassword },
  { pattern: new RegExp(`(${passwordNames}\\s*[:：]\\s*)[^\\s"\\\\,}\\]]+`, 'gi'), by: '$1***', mayMatch: hasPassword },
  {
    pattern: new RegExp(`(${passwordNames}\\\\*["']\\s*[:=]\\s*\\\\*["'])[^"'\\\\]+`, 'gi'),
    by: '$1***',
    mayMatch: hasPassword,
  },
  { pattern: new RegExp(`([?&](?:${secretKeys})=)[^&\\s"\\\\]+`, 'gi'), by: '$1***', mayMatch: hasSecretKey },
  { pattern: /eyJ[\w-]+\.[\w-]+\.[\w-]*/g, by: '[token]', mayMatch: ({ small }) => small.includes('eyj') },
  { pattern: /\b(bearer|basic|crypto)(\s|%20)+[\w.+/=-]{8,}/gi, by: '$1 [token]', mayMatch: hasScheme },
  // Our own tokens, and passwords in cipher, wherever they stand.
  { pattern: /(?<![\w-])[\w-]{43}(?![\w-])/g, by: '[token]', mayMatch: ({ longest }) => longest >= 43 },
  { pattern: /[0-9a-f]{194,}/gi, by: '[cipher]', mayMatch: ({ longest }) => longest >= 194 },
  {
    pattern: /(?<!\d)(\d{6})(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{2}\d?[\dXx](?!\d)/g,
    by: '$1************',
    mayMatch: ({ isIdThere }) => isIdThere,
  },
  { pattern: /(?<!\d)(1[3-9]\d)\d{4}(\d{4})(?!\d)/g, by: '$1****$2', mayMatch: ({ isPhoneThere }) => isPhoneThere },
]

const isDigit = (code: number): boolean => code >= 48 && code <= 57
const isWord = (code: number): boolean =>
  isDigit(code) || (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code === 45

function lookAt(text: string): Look {
  let word = 0
  let digits = 0
  let longest = 0
  let isPhoneThere = false
  let isIdThere = false
  // One place beyond the text ends the last run.
  for (let at = 0; at <= text.length; at++) {
    const code = text.charCodeAt(at)
    if (isDigit(code)) digits += 1
    else if (digits > 0) {
      if (digits === 11) isPhoneThere = true
      else if (digits >= 16 && digits <= 18) isIdThere = true
      digits = 0
    }
    if (isWord(code)) word += 1
    else if (word > 0) {
      if (word > longest) longest = word
      word = 0
    }
  }
  return { small: text.toLowerCase(), longest, isPhoneThere, isIdThere }
}

/** Takes ID numbers, phone numbers, tokens and passwords in addresses out of a text. */
export function maskText(text: string): string {
  const look = lookAt(text)
  return masks.reduce((one, mask) => (mask.mayMatch(look) ? one.replace(mask.pattern, mask.by) : one), text)
}

/** The same with every pattern tried, for the test that the look beforehand leaves nothing in. */
export const maskWithAll = (text: string): string =>
  masks.reduce((one, { pattern, by }) => one.replace(pattern, by), text)

/** Everything but a line break and a tab that a terminal obeys or that turns the direction of a text. */
const obeyed = /[^\P{Cc}\n\t]|[\u2028-\u202e\u2066-\u2069]/gu

const isObeyed = (code: number): boolean =>
  (code < 32 && code !== 10 && code !== 9) ||
  (code >= 127 && code <= 159) ||
  (code >= 0x2028 && code <= 0x202e) ||
  (code >= 0x2066 && code <= 0x2069)

/** A text with such characters as their numbers, so that what somebody sent cannot change how a log looks. */
export function visible(text: string): string {
  for (let at = 0; at < text.length; at++)
    if (isObeyed(text.charCodeAt(at)))
      return text.replace(obeyed, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return text
}
