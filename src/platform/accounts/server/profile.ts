import type { FastifyInstance } from 'fastify'
import { type BodyOf, commaList, maskSealed, phoneProblem, type ReplyOf } from '#engine'
import { UserType } from '#schemas/dictionaries'
import { User } from '#schemas/system/user'
import { isId } from '../../../crud/input.ts'
import { uniqueRefusal } from '../../../crud/unique.ts'
import { isBlank, isSame } from '../../../engine/blank.ts'
import { readSelf } from '../../auth/server/account.ts'
import { confirmPassword } from '../../auth/server/second-password.ts'
import { endSessions } from '../../auth/server/session.ts'
import { canSendCodes, spendCode } from '../../auth/server/sms/code.ts'
import { rolesOf } from '../../auth/server/token-answer.ts'
import type { UserRow } from '../../auth/server/user-row.ts'
import { type Live, withRemoved } from '../../database/live.ts'
import { countUp } from '../../database/throttle.ts'
import type { Person } from '../../http/server/access.ts'
import { liveAs } from '../../http/server/live.ts'
import { refuse } from '../../http/server/refusal.ts'
import { verifyPassword } from '../../vault/password.ts'
import type { changePassword, changeProfile, ownProfile } from '../contract.ts'
import { reachFields, tellContactChanged } from './contact-changed.ts'
import { requireGoodPassword, setPassword } from './set-password.ts'

const masked = (app: FastifyInstance, sealed: string | null) => (sealed ? maskSealed(app.vault.open(sealed)) : '')

async function deptNames(db: Live, ids: readonly string[]): Promise<string> {
  if (ids.length === 0) return ''
  const rows = await db.selectFrom(withRemoved('dept')).select(['id', 'deptName']).where('id', 'in', ids).execute()
  return ids.map(id => rows.find(row => row.id === id)?.deptName ?? '').join()
}

/** Fields of the own account that are shown as they are. */
const shown = [
  'id',
  'account',
  'name',
  'realName',
  'email',
  'avatar',
  'userType',
  'code',
  'idType',
  'sex',
  'birthday',
  'roleId',
  'deptId',
  'postId',
  'accountStatus',
  'mustChangePwd',
  'pwdUpdateTime',
  'lastLoginTime',
  'createTime',
] as const satisfies (keyof UserRow)[]

/** What a person sees of the own account; phone and ID number masked. */
export async function readProfile(app: FastifyInstance, person: Person): Promise<ReplyOf<typeof ownProfile>> {
  const db = liveAs(app, person)
  const { phone, idCard, ...user } = await db
    .selectFrom('user')
    .select([...shown, 'phone', 'idCard'])
    .where('id', '=', person.userId)
    .executeTakeFirstOrThrow()
  const roles = await rolesOf(app.db, commaList(user.roleId))
  return {
    ...user,
    tenantId: person.tenantId,
    phone: masked(app, phone),
    idCard: masked(app, idCard),
    roleName: roles.map(role => role.roleName).join(),
    deptName: await deptNames(db, commaList(user.deptId)),
  }
}

/**
 * What people may change of their own account. Candidates' real names stand on their ID cards and are not theirs to change. How
 * somebody can be reached changes only with a proof: a code on the new phone; for the e-mail the own password, whatever the
 * session.
 */
type ProfileChange = BodyOf<typeof changeProfile>

async function ownAvatar(app: FastifyInstance, person: Person, id: string): Promise<string | null> {
  if (id === '') return null
  const row = isId(id)
    ? await liveAs(app, person)
        .selectFrom('attach')
        .select('id')
        .where('id', '=', id)
        .where('createUser', '=', person.userId)
        .executeTakeFirst()
    : undefined
  if (!row) throw refuse('file.notFound')
  return id
}

/** @throws accounts.emailNeedsPassword without the own password, auth.passwordWrong for a wrong one */
async function proveMail(app: FastifyInstance, person: Person, change: ProfileChange): Promise<void> {
  if (!change.password)
    throw refuse('accounts.emailNeedsPassword', {}, [
      { field: 'password', msg: refuse('accounts.emailNeedsPassword').message },
    ])
  await confirmPassword(app, person, change)
}

/** Proves that a new phone, a new e-mail are meant. Without a way to send codes the password stands for both. */
async function proveReach(
  app: FastifyInstance,
  person: Person,
  { phone, email, change }: { phone: string | undefined; email: boolean; change: ProfileChange },
): Promise<void> {
  const { tenantId } = person
  const problem = phone === undefined ? null : phoneProblem(phone)
  if (problem) throw refuse('input.invalid', { 说明: problem }, [{ field: 'phone', msg: problem }])
  const byCode = phone !== undefined && (await canSendCodes(liveAs(app, person)))
  if (phone !== undefined && !byCode) await confirmPassword(app, person, change)
  else if (email) await proveMail(app, person, change)
  if (!byCode) return
  const { codeId: id = '', smsCode: code = '' } = change
  await spendCode(app, { tenantId, address: phone, purpose: 'phone', id, code })
}

/**
 * Changes one's own data.
 * @throws input.invalid for a wrong phone, auth.smsCodeWrong without the code on it, auth.passwordRequired,
 * auth.passwordWrong, accounts.emailNeedsPassword for a new e-mail without a proof that it is meant,
 * accounts.phoneTaken for a phone that another candidate has, file.notFound for a picture that is not one's own
 */
export async function writeProfile(app: FastifyInstance, person: Person, change: ProfileChange) {
  const user = await readSelf(app, person)
  const set: Record<string, unknown> = {}
  if (change.name && !isBlank(change.name)) set.name = change.name.trim()
  if (change.realName && !isBlank(change.realName) && person.userType !== UserType.candidate)
    set.realName = change.realName.trim()
  if (change.avatar !== undefined && !isSame(change.avatar, user.avatar)) {
    set.avatar = await ownAvatar(app, person, change.avatar)
  }
  const mail = change.email?.trim()
  const isMailNew = mail !== undefined && !isSame(mail, user.email)
  const phone = change.phone && change.phone !== masked(app, user.phone) ? change.phone : undefined
  await proveReach(app, person, { phone, email: isMailNew, change })
  if (isMailNew) set.email = mail || null
  if (phone) {
    set.phone = app.vault.seal(phone)
    set.phoneHash = app.vault.hash(person.tenantId, phone)
    set.phoneMask = maskSealed(phone)
  }
  try {
    await liveAs(app, person)
      .transaction()
      .execute(async trx => {
        const own = trx.selectFrom('user').select(reachFields).where('id', '=', person.userId)
        const before = await own.forNoKeyUpdate().executeTakeFirstOrThrow()
        await trx.updateTable('user').set(set).where('id', '=', person.userId).execute()
        await tellContactChanged(
          { tenantId: person.tenantId, vault: app.vault },
          trx,
          before,
          await own.executeTakeFirstOrThrow(),
        )
      })
  } catch (error) {
    throw uniqueRefusal(error, User) ?? error
  }
  return readProfile(app, person)
}

const triesIn15Minutes = 10

/**
 * Changes one's own password and ends one's other sessions.
 * @throws accounts.oldPasswordWrong the old one is wrong, accounts.passwordsDiffer the new ones differ,
 * accounts.passwordTooWeak too weak or used before, auth.passwordUnreadable, input.tooOften
 */
export async function writePassword(
  app: FastifyInstance,
  person: Person,
  change: BodyOf<typeof changePassword>,
): Promise<void> {
  const now = app.now()
  if ((await countUp(app.db, `password:${person.userId}`, 900, now)) > triesIn15Minutes) throw refuse('input.tooOften')
  const given = [change.oldPassword, change.newPassword, change.newPassword1]
  const opened = await app.cipher.open(given, now, change.keyId)
  const [old = '', next = '', again = ''] = opened.map((text, i) => text ?? given[i] ?? '')
  const user = await readSelf(app, person)
  if (!(await verifyPassword(user.password, old))) throw refuse('accounts.oldPasswordWrong')
  if (next !== again) throw refuse('accounts.passwordsDiffer')
  await requireGoodPassword(app.db, user, next)
  await app.db.transaction().execute(async trx => {
    await setPassword(trx, user, next, { now, mustChange: false })
    await endSessions(trx, [person.userId], 'password', now, person.sessionId)
  })
}
