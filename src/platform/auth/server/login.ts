import type { FastifyInstance } from 'fastify'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { UserType } from '#schemas/dictionaries'
import { firstTenant } from '../../database/first-tenant.ts'
import { often } from '../../database/often.ts'
import { readNumberParam } from '../../database/param.ts'
import { countUp } from '../../database/throttle.ts'
import type { SessionBody } from '../../http/contract.ts'
import { countedAddress } from '../../http/server/client-address.ts'
import { Refusal, refuse } from '../../http/server/refusal.ts'
import { unavailable } from '../../http/server/unavailable.ts'
import { limitConcurrencyByKey } from '../../queue/limit-concurrency.ts'
import { refreshSeconds } from '../rules/session.ts'
import { checkPassword, findAccount, type Known } from './account.ts'
import { addressCount, forgive, isForgiven } from './attempts.ts'
import { choose } from './choice.ts'
import type { TokenClient } from './client.ts'
import { deviceRow } from './device.ts'
import { isFactorAsked, owesFactor } from './factor.ts'
import { openTicket } from './login-ticket.ts'
import { randomTexts, type Tokens, tokenRows } from './session.ts'
import { checkStanding } from './standing.ts'
import { chosenRoles, owing, rolesAmong, sessionBodyWith } from './token-answer.ts'
import type { UserRow } from './user-row.ts'

/** What a person types, and where from. */
export interface LoginAttempt {
  client: TokenClient
  grant: 'password' | 'captcha'
  tenantId: string
  name: string
  /** The cipher text of the password. */
  cipher: string
  keyId: string | undefined
  /** What was answered to an attempt that had to wait. */
  queueTicket: string | undefined
  captcha: { key: string | undefined; answer: string | undefined }
  /** Role and department to begin with; empty means all. */
  roleId: string | undefined
  deptId: string | undefined
  ip: string
  userAgent: string | undefined
  /** What the browser holds that signed in here before, or will hold when this attempt succeeds. */
  device: string
}

/** Wrong passwords from one address in 15 minutes after which other programs than browsers must solve a captcha, too. */
const captchaAfter = 20

/** Counts a wrong password, or a wrong code behind a right one, of an address. */
export const countWrong = (app: FastifyInstance, ip: string) => countUp(app.db, addressCount(ip), 900, app.now())

/** Whether an attempt has to have a captcha solved. */
const needsCaptcha = ({ config }: FastifyInstance, { client, grant }: LoginAttempt, fails: number): boolean =>
  config.captchaMode && (grant === 'captcha' || client.isBrowser || fails >= captchaAfter)

/**
 * By what somebody has one place among those who wait: the captcha that was solved, so that each place has cost one; where none is
 * asked for the address, and the account where nobody has to solve any.
 * @throws auth.captchaWrong where a captcha is asked for and not solved
 */
async function waiterOf(app: FastifyInstance, attempt: LoginAttempt, account: string, fails: number): Promise<string> {
  const { captcha, ip } = attempt
  const address = countedAddress(ip)
  if (!app.config.captchaMode) return `${address} ${account}`
  if (!needsCaptcha(app, attempt, fails)) return address
  const solved = await app.captcha.holds(captcha.key, captcha.answer)
  if (solved) return solved
  // A picture serves one answer, also a wrong one.
  await app.captcha.check(captcha.key, captcha.answer)
  throw refuse('auth.captchaWrong')
}

const oneByOne = limitConcurrencyByKey()

/**
 * Logs a person in with account and password.
 * @throws auth.captchaWrong, auth.credentialsWrong, auth.locked, auth.accountDisabled, auth.registrationPending,
 * auth.registrationRejected, auth.passwordUnreadable, auth.tenantInactive, auth.secondFactorRequired, auth.queued and input.tooOften
 */
export async function login(app: FastifyInstance, attempt: LoginAttempt): Promise<SessionBody & { tokens: Tokens }> {
  const { tenantId, name, device } = attempt
  const known = await findAccount(app, { tenantId, name, device, addressCount: addressCount(attempt.ip) })
  const { user, fails } = known
  // Staff can help; the others come again, before their passwords are worked on.
  if (user?.userType !== UserType.staff && app.isOverloaded()) throw unavailable('away')
  const account = user?.id ?? `${tenantId} ${name.slice(0, 100)}`
  // However many come for one account, together they have one place.
  return oneByOne(account, async () => {
    const who = await waiterOf(app, attempt, account, fails)
    const leave = await app.enterSignIn(user, { who, account, ticket: attempt.queueTicket })
    try {
      return await prove(app, known, attempt)
    } finally {
      leave()
    }
  })
}

async function prove(app: FastifyInstance, { user, fails, device, tenant, freeTries }: Known, attempt: LoginAttempt) {
  const { tenantId, name, client, ip, captcha } = attempt
  if (needsCaptcha(app, attempt, fails) && !(await app.captcha.check(captcha.key, captcha.answer)))
    throw refuse('auth.captchaWrong')
  const password = await app.cipher.openProof(attempt.cipher, app.now(), attempt.keyId, client.privateKey)
  // A known device is let through however many of its address have failed.
  if (!device && fails > 0 && fails >= (await readNumberParam(app.db, firstTenant, 'limit.login.address')))
    throw refuse('input.tooOften')
  const from = { address: countedAddress(ip), device, freeTries }
  const wrong = await checkPassword(app, user, { tenantId, name, password, from }).catch(async error => {
    if (error instanceof Refusal) await countWrong(app, ip)
    throw error
  })
  if (!user) throw refuse('auth.credentialsWrong')
  try {
    checkStanding(user, tenant, app.now())
    const chosen = choose(user, attempt, { roleId: null, deptId: null })
    return await admit(app, user, {
      ...chosen,
      client,
      ip,
      userAgent: attempt.userAgent,
      device: attempt.device,
      wrong,
    })
  } catch (error) {
    // The password was right, whatever else stands against a session.
    await forgive(app, wrong, user)
    throw error
  }
}

/** With what a session begins. */
export interface Opening {
  client: TokenClient
  roleId: string | null
  deptId: string | null
  ip: string
  userAgent: string | undefined
  /** What the browser will be known by; undefined for a program. */
  device: string | undefined
  /** Counts of wrong passwords that end with this. */
  wrong?: readonly string[]
}

/**
 * Lets in a person who has proved one thing, be it a password, a phone or another system's word. Who has a second factor
 * gets no session before its code.
 * @throws auth.secondFactorRequired with what the page gives back together with the code
 */
export async function admit(app: FastifyInstance, user: UserRow, opening: Opening) {
  if (!(await isFactorAsked(app.db, user))) return openSession(app, user, opening)
  throw refuse('auth.secondFactorRequired', {}, { factorToken: await openTicket(app, { userId: user.id, ...opening }) })
}

/** Begins a session of a person who has proved everything that is required. */
export async function openSession(app: FastifyInstance, user: UserRow, opening: Opening) {
  const { client, roleId, deptId, ip } = opening
  const now = app.now()
  const mustEnrol = await owesFactor(app.db, user)
  const lifetimes = lifetimesOf(client, user.userType)
  const texts = randomTexts()
  const device = opening.device && deviceRow(user.id, opening.device, now)
  const opened = {
    userId: user.id,
    tenantId: user.tenantId,
    clientId: client.clientId,
    roleId,
    deptId,
    ip,
    userAgent: opening.userAgent?.slice(0, 255) ?? null,
    createTime: now,
    lastSeen: now,
    endTime: null,
    endReason: null,
    mustEnrol,
  }
  // One statement: everything or nothing, and the database is asked once.
  const seen = { lastLoginTime: now, lastLoginIp: ip, ...(opening.wrong && { failCount: 0, lockUntil: null }) }
  const statement = app.db
    .with('opened', db => db.insertInto('session').values(opened).returning('id'))
    .with('seen', db => db.updateTable('user').set(seen).where('id', '=', user.id))
    .with('forgiven', db => db.deleteFrom('throttle').where(isForgiven(opening.wrong ?? [])))
  // One more part of it changes nothing for what follows.
  const remembering = device
    ? (statement.with('known', db =>
        db
          .insertInto('known_device')
          .values(device)
          .onConflict(clash => clash.columns(['hash', 'userId']).doUpdateSet({ until: device.until })),
      ) as unknown as typeof statement)
    : statement
  const chosen = { roleId, deptId }
  const { roles } = await remembering
    .insertInto('session_token')
    .values(({ selectFrom }) =>
      tokenRows(texts, lifetimes, now).map(row => ({ ...row, sessionId: selectFrom('opened').select('id') })),
    )
    .returning(jsonArrayFrom(rolesAmong(app.db, chosenRoles(user, chosen))).as('roles'))
    .modifyEnd(often)
    .executeTakeFirstOrThrow()
  const tokens = { ...texts, expiresIn: lifetimes.access }
  return { ...owing(sessionBodyWith(roles, user, chosen, now), mustEnrol), tokens }
}

/** How long the tokens of a client last for a person, in seconds. */
export const lifetimesOf = (client: TokenClient, userType: number) => ({
  access: client.accessSeconds,
  refresh: Math.min(client.refreshSeconds, refreshSeconds(userType)),
})
