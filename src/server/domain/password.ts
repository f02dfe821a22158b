import { randomInt } from 'node:crypto'
import { demoPassword } from '../config.ts'
import { askPasswordThread } from './password-threads.ts'

/** Longest password in characters: longer ones would only cost time. */
const maxLength = 128

/** Stems that stand behind the passwords people choose most; a password that is little more than one is refused. */
const commonStems = [
  ...['password', 'passw0rd', 'p@ssw0rd', 'admin', 'qwerty', 'qwertyuiop', 'asdfgh', 'zxcvbn', '1q2w3e4r', '1qaz2wsx'],
  ...[
    'iloveyou',
    'welcome',
    'letmein',
    'abc123',
    'a123456',
    '123456',
    '654321',
    '111111',
    '000000',
    '666666',
    '888888',
  ],
  ...['123123', '112233', '5201314', '1314520', 'woaini', 'root', 'test', 'user', 'dragon', 'monkey', 'football'],
]

/** Hashes a password with argon2id (19 MiB, 2 passes), off the event loop. */
export const hashPassword = (password: string): Promise<string> => askPasswordThread<string>({ password })

let decoy: Promise<string> | undefined

/**
 * Whether a password is the one of a hash. Without a hash it takes as long and says no, so that time does not tell which
 * accounts exist.
 */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword('nobody has this password')
  const against = stored || (await decoy)
  const fits = await askPasswordThread<boolean>({ password, against })
  return Boolean(stored) && fits
}

const classes = (text: string) => [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/].filter(pattern => pattern.test(text)).length

const isCommon = (text: string) => {
  const plain = text.toLowerCase().replace(/[^a-z\d@]/g, '')
  return commonStems.some(stem => plain === stem || (plain.startsWith(stem) && plain.length - stem.length <= 4))
}

/**
 * What a password lacks, in words that complete the refusal 20009; null when it is good. Staff: 12 characters of three
 * kinds. Candidates: 8 characters with letters and digits.
 * @param userType 1 staff, 2 candidate
 * @param names texts it must not contain, such as the account
 */
export function passwordProblem(password: string, userType: number, names: readonly string[] = []): string | null {
  const least = userType === 2 ? 8 : 12
  if (password.length < least) return `至少${least}个字符`
  if (password.length > maxLength) return `最多${maxLength}个字符`
  if (userType === 2 && !(/[A-Za-z]/.test(password) && /\d/.test(password))) return '须同时包含字母和数字'
  if (userType !== 2 && classes(password) < 3) return '须包含大写字母、小写字母、数字、符号中的三种'
  if (password === demoPassword || isCommon(password) || /^(.{1,4})\1+$/.test(password)) return '过于常见，请换一个'
  const low = password.toLowerCase()
  if (names.some(name => name.length >= 4 && low.includes(name.toLowerCase()))) return '不能包含账号'
  return null
}

const alphabet = ['abcdefghjkmnpqrstuvwxyz', 'ABCDEFGHJKLMNPQRSTUVWXYZ', '23456789', '@#%+=?']

/** A random password of 14 characters with all four kinds and without characters that are easily confused. */
export function randomPassword(): string {
  const draw = (from: string) => from[randomInt(from.length)]!
  const letters = [...alphabet.map(draw), ...Array.from({ length: 10 }, () => draw(alphabet.slice(0, 3).join('')))]
  for (let i = letters.length - 1; i > 0; i--) {
    const j = randomInt(i + 1)
    ;[letters[i], letters[j]] = [letters[j]!, letters[i]!]
  }
  return letters.join('')
}
