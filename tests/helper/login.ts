import { createHash, randomBytes } from 'node:crypto'
import { sm2 } from 'sm-crypto'
import { UserType } from '#schemas/dictionaries'
import { User } from '#schemas/system/user'
import type { Work } from '../../src/platform/auth/server/captcha.ts'
import { roleIds } from '../../src/platform/tenants/server/seed/roles.ts'
import { topDept } from '../../src/platform/tenants/server/seed/tenant.ts'
import type { TestApp } from './app.ts'
import { quickHash } from './password-hash.ts'
import { insert, type Overrides, sampleIdCard } from './sample.ts'
import { bearer, webClient } from './web-client.ts'

export { bearer, webClient }

/** Password of every account that {@link makeUser} makes, and of the seeded administrator in demo mode. */
export const password = 'Juxian@2026'

/** A person who is logged in. */
export interface Session {
  /** Goes into `t.call({ headers: session.headers, … })`. */
  headers: Record<string, string>
  /** The answer of the token call. */
  body: Record<string, string> & { userType: number; expires_in: number; detail: Record<string, unknown> }
}

/** Cipher texts by key and text. Each serves once in a database, so that the next one of that database takes the next of them. */
const ciphers = new Map<string, string[]>()
/** How many of them a database has taken. */
const taken = new Map<string, number>()

/** Encrypts a text as browsers do. Files share what was encrypted: it takes as long as a whole call. */
export function encrypt(t: TestApp, text: string): string {
  const { publicKey } = t.app.cipher.ticket(t.app.now())
  const key = `${publicKey} ${text}`
  const known = ciphers.get(key) ?? []
  ciphers.set(key, known)
  const place = taken.get(`${t.url} ${key}`) ?? 0
  taken.set(`${t.url} ${key}`, place + 1)
  known[place] ??= sm2.doEncrypt(text, publicKey, 0)
  return known[place]
}

/** A captcha whose answer is known: the headers that solve it. */
export async function solved(t: TestApp): Promise<Record<string, string>> {
  const key = randomBytes(16).toString('hex')
  const until = new Date(t.app.now().getTime() + 60_000)
  await t.db.insertInto('captcha').values({ key, answer: 'abcde', until }).execute()
  return { 'captcha-key': key, 'captcha-code': 'ABCDE' }
}

/** The result of a calculation that the server asks for, found as a browser does. */
export function resultOf({ challenge, salt, maxnumber }: Work): number {
  for (let n = 0; n < maxnumber; n++)
    if (
      createHash('sha256')
        .update(salt + n)
        .digest('hex') === challenge
    )
      return n
  throw new Error('There is no such number.')
}

/** Asks for a token with an encrypted password and a solved captcha; the answer as it comes. */
export async function askToken(
  t: TestApp,
  account: string,
  plain = password,
  options: { headers?: Record<string, string>; query?: Record<string, string> } = {},
) {
  const headers = { authorization: webClient, ...(await solved(t)), ...options.headers }
  const query = { grant_type: 'captcha', username: account, password: encrypt(t, plain), ...options.query }
  const answer = await t.app.inject({ method: 'POST', url: '/api/blade-auth/oauth/token', headers, query })
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
}

/** Logs an account in. Fails with the server's words when it is refused. */
export async function login(t: TestApp, account: string, plain = password): Promise<Session> {
  const { body } = await askToken(t, account, plain)
  if (!body.access_token) throw new Error(`${account} could not log in: ${JSON.stringify(body)}`)
  return { headers: bearer(body.access_token), body }
}

let counter = 0
const passwordHash = quickHash(password)

/**
 * Makes an account with the {@link password} and a seeded role.
 * @param role alias of the role; `candidate` makes a candidate with an ID number, anything else staff
 * @returns the id of the user
 */
export async function makeUser(
  t: TestApp,
  { role = 'exam_admin', ...overrides }: { role?: string } & Overrides<typeof User> = {},
): Promise<string> {
  const n = ++counter
  const isCandidate = role === 'candidate'
  const row = await insert(t.app, User, {
    account: `${role}${n}`,
    name: `${role}${n}`,
    realName: `测试${n}`,
    code: '',
    password: await passwordHash,
    userType: isCandidate ? UserType.candidate : UserType.staff,
    roleId: roleIds[role]!,
    deptId: isCandidate ? null : topDept,
    ...(isCandidate ? { idCard: sampleIdCard(500_000 + n) } : {}),
    ...overrides,
  })
  return row.id
}

/** Makes an account with a role and logs it in. */
export async function loginAs(t: TestApp, role: string, overrides: Overrides<typeof User> = {}): Promise<Session> {
  const account = overrides.account ?? `${role}${randomBytes(4).toString('hex')}`
  await makeUser(t, { role, ...overrides, account })
  return login(t, account)
}

/** Keeps every session alive at the present time of the test's clock, after it was moved on. */
export async function stayLoggedIn(t: TestApp): Promise<void> {
  const now = t.app.now()
  const until = new Date(now.getTime() + 3_600_000)
  await t.db.updateTable('session').set({ lastSeen: now }).execute()
  await t.db.updateTable('session_token').set({ until }).where('spentTime', 'is', null).execute()
}
