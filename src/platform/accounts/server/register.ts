import type { FastifyInstance } from 'fastify'
import { birthdayOf, maskSealed, sexOf } from '#engine'
import { userEvents } from '#resources/system/events'
import { AccountStatus, IdType, UserType } from '#schemas/dictionaries'
import { User } from '#schemas/system/user'
import { emit } from '../../../crud/emit.ts'
import { uniqueRefusal } from '../../../crud/unique.ts'
import { asksCodeToRegister, proveCode, takeCode } from '../../auth/server/sms/code.ts'
import { type Live, type LiveTrx, raw } from '../../database/live.ts'
import { readParam } from '../../database/param.ts'
import type { Person } from '../../http/server/access.ts'
import { liveAs, liveIn } from '../../http/server/live.ts'
import { isRefusal, Refusal, refuse } from '../../http/server/refusal.ts'
import { hashPassword, passwordProblem, randomPassword } from '../../vault/password.ts'
import { type Applicant, readApplicant, wrong } from './applicant.ts'
import { candidateRole } from './candidate-role.ts'
import { checkRegistrations, countRegistration } from './count-registrations.ts'
import { requireOpenTenant } from './open-tenant.ts'
import { keepPictures, type Picture } from './pictures.ts'

/** A registration as it arrives. */
export interface Registration extends Applicant {
  tenantId: string
  /** Cipher texts. */
  password: string
  password2: string
  keyId: string | undefined
  /** Private key of the client that sends it, where it has a pair of its own. */
  clientKey?: string | undefined
  consentVersion: string
  /** The code on the phone and its number, where one is asked for. */
  codeId: string
  smsCode: string
  /** Asked for where no code on the phone is. */
  captcha: { key: string | undefined; answer: string | undefined }
  ip: string
  files: readonly Picture[]
}

/** Refusals that say that an account, a number or a phone is somebody's already. */
const taken = ['accounts.usernameTaken', 'accounts.idCardTaken', 'accounts.phoneTaken'] as const

const fromNumber = ({ idType, idCard }: Applicant) =>
  idType === IdType.residentCard ? { sex: sexOf(idCard), birthday: birthdayOf(idCard) } : {}

/** What an account begins with beside what its person says. */
export interface Account {
  tenantId: string
  passwordHash: string
  accountStatus: 1 | 3
  mustChangePwd: 0 | 1
  /** Who makes it for its person; null for the person. */
  by: string | null
}

/** Writes the account of an applicant. One that was refused before with the same ID number is used again. */
export async function writeAccount(
  app: FastifyInstance,
  trx: LiveTrx,
  applicant: Applicant,
  { tenantId, passwordHash, accountStatus, mustChangePwd, by }: Account,
): Promise<string> {
  const now = app.now()
  const { vault } = app
  const { username, realName, phone, idType, idCard } = applicant
  const roleId = await candidateRole(trx)
  if (!roleId) throw refuse('accounts.registrationClosed')
  const idCardHash = vault.hash(tenantId, idCard)
  const row = {
    account: username,
    name: realName,
    realName,
    userType: UserType.candidate,
    idType,
    accountStatus,
    mustChangePwd,
    phone: vault.seal(phone),
    phoneHash: vault.hash(tenantId, phone),
    phoneMask: maskSealed(phone),
    idCard: vault.seal(idCard),
    idCardHash,
    idCardMask: maskSealed(idCard),
    password: passwordHash,
    pwdUpdateTime: now,
    roleId,
    ...fromNumber(applicant),
    auditRemark: null,
  }
  const refused = await trx
    .selectFrom('user')
    .select('id')
    .where('idCardHash', '=', idCardHash)
    .where('accountStatus', '=', AccountStatus.rejected)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (refused) {
    // It begins again, and so does its time.
    const stamps = { createTime: now, updateTime: now, ...(by && { createUser: by }) }
    await raw(trx)
      .updateTable('user')
      .set({ ...row, ...stamps })
      .where('id', '=', refused.id)
      .execute()
    return refused.id
  }
  const { id } = await trx.insertInto('user').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

/** The new person, as far as keeping files needs one. */
export const asPerson = (userId: string, tenantId: string, { username, realName }: Applicant): Person => ({
  userId,
  tenantId,
  account: username,
  name: realName,
  roleIds: [],
  roles: [],
  deptIds: [],
  userType: UserType.candidate,
  userCode: '',
  isStaff: false,
  permissions: new Set<string>(),
  sessionId: '',
  clientId: '',
})

/**
 * Makes the account of a candidate who registers. Role, states and tenant are the server's, whatever else is sent.
 * Where codes are sent, nobody learns whether an ID number is known before the phone is proved; a code serves for
 * one account, not for one try, so that a name that is taken does not cost another. Only what was registered, and what
 * was found to be taken, counts against an address: typing errors do not.
 * @throws auth.tenantInactive no such tenant, accounts.registrationClosed closed, auth.captchaWrong captcha,
 * auth.passwordUnreadable and accounts.passwordsDiffer passwords, accounts.passwordTooWeak too weak, auth.smsCodeWrong
 * wrong code, accounts.usernameTaken, accounts.idCardTaken, accounts.phoneTaken taken, input.invalid wrong data,
 * file.typeNotAllowed, file.tooLarge, file.contentInvalid, file.pictureUnfit pictures, input.tooOften too many from one
 * address
 */
export async function makeAccount(app: FastifyInstance, given: Registration) {
  const { tenantId, ip } = given
  const db = liveIn(app, tenantId)
  await requireOpenTenant(app.db, tenantId, app.now())
  if ((await readParam(db, 'site.register')) !== 'true') throw refuse('accounts.registrationClosed')
  await checkRegistrations(app, ip)
  const applicant = readApplicant(given)
  const [password, again] = await app.cipher.open(
    [given.password, given.password2],
    app.now(),
    given.keyId,
    given.clientKey,
  )
  if (password === null || password === undefined || again === null) throw refuse('auth.passwordUnreadable')
  if (password !== again) throw refuse('accounts.passwordsDiffer')
  const problem = passwordProblem(password, 2, [applicant.username])
  if (problem) throw refuse('accounts.passwordTooWeak', { 要求: problem })
  if (!given.consentVersion) throw wrong('consentVersion', '请先阅读并同意《个人信息处理告知书》')
  const isProved = await asksCodeToRegister(db)
  if (isProved) {
    const { phone } = applicant
    await proveCode(app, { tenantId, address: phone, purpose: 'register', id: given.codeId, code: given.smsCode })
  }
  // A code on the phone stood behind a captcha itself.
  else if (!(await app.captcha.check(given.captcha.key, given.captcha.answer))) throw refuse('auth.captchaWrong')
  const isAudited = (await readParam(db, 'register.audit')) !== '0'
  const accountStatus = isAudited ? AccountStatus.pending : AccountStatus.active
  const passwordHash = await hashPassword(password)
  const account = { tenantId, passwordHash, accountStatus, mustChangePwd: 0 as const, by: null }
  const userId = await takingNames(db, async trx => {
    if (isProved) await takeCode(raw(trx), given.codeId)
    const id = await writeAccount(app, trx, applicant, account)
    const userExt = { consentVersion: given.consentVersion, consentTime: app.now().toISOString(), consentIp: ip }
    await trx
      .updateTable('user')
      .set({ userExt: JSON.stringify(userExt) })
      .where('id', '=', id)
      .execute()
    const pictures = await keepPictures(app, trx, { person: asPerson(id, tenantId, applicant), ip }, given.files)
    if (given.files.length > 0) await trx.updateTable('user').set(pictures).where('id', '=', id).execute()
    await emit(trx, userEvents.registered, [{ id, account: applicant.username }])
    return id
  }).catch(async error => {
    if (isRefusal(error, ...taken)) await countRegistration(app, 'taken', ip)
    throw error
  })
  await countRegistration(app, 'done', ip)
  return { userId, accountStatus }
}

/** Runs a write whose unique rules say which name, number or phone is taken. */
export async function takingNames<T>(db: Live, work: (trx: LiveTrx) => Promise<T>): Promise<T> {
  try {
    return await db.transaction().execute(work)
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw uniqueRefusal(error, User) ?? error
  }
}

/**
 * Staff make an account for a candidate who cannot register.
 * @returns the id and a password that serves for one login
 */
export async function makeCandidate(app: FastifyInstance, person: Person, given: Applicant) {
  const applicant = readApplicant(given)
  const password = randomPassword()
  const passwordHash = await hashPassword(password)
  const { tenantId, userId: by } = person
  const account = { tenantId, passwordHash, accountStatus: AccountStatus.active, mustChangePwd: 1 as const, by }
  const id = await takingNames(liveAs(app, person), trx => writeAccount(app, trx, applicant, account))
  return { id, oneTimePassword: password }
}
