/** One thing asked of a password. */
export interface PasswordRule {
  /** What is asked, in Chinese; completes the refusal of a weak password. */
  readonly words: string
  /** Nearly every password meets it: told only to whoever breaks it. */
  readonly rare?: true
  /** Whether a password meets it. */
  readonly holds: (password: string) => boolean
}

/** Least length of a password in characters. */
const leastOfStaff = 12
const leastOfCandidates = 8
/** Greatest length in characters: longer ones would only cost time. */
export const longestPassword = 128
/** A candidate, as `userType` says it. */
const candidate = 2
/** Names shorter than this may stand in a password. */
const leastName = 4

/** Beginnings of the passwords people choose most; a password that is little more than one is refused. */
const commonStems = [
  'password',
  'passw0rd',
  'p@ssw0rd',
  'admin',
  'qwerty',
  'qwertyuiop',
  'asdfgh',
  'zxcvbn',
  '1q2w3e4r',
  '1qaz2wsx',
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
  '123123',
  '112233',
  '5201314',
  '1314520',
  'woaini',
  'root',
  'test',
  'user',
  'dragon',
  'monkey',
  'football',
]

const kinds = (text: string): number =>
  [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/].filter(pattern => pattern.test(text)).length

function isCommon(text: string): boolean {
  const plain = text.toLowerCase().replace(/[^a-z\d@]/g, '')
  return (
    commonStems.some(stem => plain === stem || (plain.startsWith(stem) && plain.length - stem.length <= 4)) ||
    /^(.{1,4})\1+$/.test(text)
  )
}

const atLeast = (least: number): PasswordRule => ({
  words: `至少${least}个字符`,
  holds: password => password.length >= least,
})

/**
 * What is asked of a new password, in the order in which it is told. Staff: 12 characters of three kinds. Candidates: 8
 * characters with letters and digits. Pages show the same rules that the server holds.
 * @param userType 1 staff, 2 candidate
 * @param names texts it must not contain, such as the account
 */
export function passwordRules(userType: number, names: readonly string[] = []): readonly PasswordRule[] {
  const long = names.map(name => name.toLowerCase()).filter(name => name.length >= leastName)
  const mixed: readonly PasswordRule[] =
    userType === candidate
      ? [
          atLeast(leastOfCandidates),
          { words: '须同时包含字母和数字', holds: password => /[A-Za-z]/.test(password) && /\d/.test(password) },
        ]
      : [
          atLeast(leastOfStaff),
          { words: '须包含大写字母、小写字母、数字、符号中的三种', holds: password => kinds(password) >= 3 },
        ]
  return [
    ...mixed,
    { rare: true, words: `最多${longestPassword}个字符`, holds: password => password.length <= longestPassword },
    { rare: true, words: '过于常见，请换一个', holds: password => !isCommon(password) },
    { words: '不能包含账号', holds: password => !long.some(name => password.toLowerCase().includes(name)) },
  ]
}

/** The first rule a password breaks, in words; null when it is good. See {@link passwordRules}. */
export const passwordProblem = (password: string, userType: number, names: readonly string[] = []): string | null =>
  passwordRules(userType, names).find(({ holds }) => !holds(password))?.words ?? null
