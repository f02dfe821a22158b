import type { FastifyInstance } from 'fastify'
import { AccountStatus, IdType, UserType } from '#schemas/dictionaries'
import '../../database/oauth-tables.ts'
import { User } from '#schemas/system/user'
import { uniqueRefusal } from '../../../crud/unique.ts'
import { tokenHash } from '../../auth/rules/session.ts'
import { link } from '../../auth/server/social-link.ts'
import { raw } from '../../database/live.ts'
import { readParam } from '../../database/param.ts'
import { liveIn } from '../../http/server/live.ts'
import { refuse } from '../../http/server/refusal.ts'
import { hashPassword, passwordProblem } from '../../vault/password.ts'
import { wrong } from './applicant.ts'
import { checkRegistrations, countRegistration } from './count-registrations.ts'
import { requireOpenTenant } from './open-tenant.ts'

/** What somebody without an account fills in after a third-party login. */
export interface GuestForm {
  tenantId: string
  name: string
  account: string
  /** Plain or in cipher. */
  password: string
  keyId?: string | undefined
  /** The waiting login. */
  oauthId: string
  /** Token of the guest session that the login was given; nobody else has it. */
  token: string
  ip: string
}

/** Checks in the order of the form. @throws input.invalid with the sentence of the first gap */
function checkForm({ tenantId, account, password, name }: GuestForm): void {
  if (!tenantId) throw wrong('tenantId', '请先输入租户编号')
  if (!/^[A-Za-z\d][\w.@-]{3,44}$/.test(account))
    throw wrong(
      'account',
      account ? '账号应为4到45个字母、数字、下划线、点或横线，以字母或数字开头' : '请先输入账号名称',
    )
  if (!password) throw wrong('password', '请先输入密码')
  if (name.length > 20) throw wrong('name', '用户姓名不能超过20个字')
}

/**
 * Makes the account of a third-party login that waits for one. It is always looked at by an administrator first, and
 * has no role until then.
 * @throws input.invalid for a gap, row.notFound when no such login waits in this browser, auth.identityLinked when its
 * identity is somebody's already, accounts.passwordTooWeak too weak, accounts.registrationClosed closed,
 * accounts.usernameTaken account taken, auth.tenantInactive, input.tooOften
 */
export async function makeGuest(app: FastifyInstance, form: GuestForm): Promise<void> {
  const now = app.now()
  await checkRegistrations(app, form.ip)
  checkForm(form)
  const { tenantId, account } = form
  if ((await readParam(liveIn(app, tenantId), 'site.register')) !== 'true') throw refuse('accounts.registrationClosed')
  const [opened] = await app.cipher.open([form.password], now, form.keyId)
  const password = opened ?? form.password
  const problem = passwordProblem(password, 2, [account])
  if (problem) throw refuse('accounts.passwordTooWeak', { 要求: problem })
  const hash = await hashPassword(password)
  try {
    await liveIn(app, tenantId)
      .transaction()
      .execute(async trx => {
        const waiting = await trx
          .selectFrom('oauth_login')
          .selectAll()
          .where('id', '=', form.oauthId.slice(0, 64))
          .where('tokenHash', '=', tokenHash(form.token))
          .where('until', '>', now)
          .where('userId', 'is', null)
          .forNoKeyUpdate()
          .executeTakeFirst()
        if (!waiting || waiting.tenantId !== tenantId) throw refuse('row.notFound')
        await requireOpenTenant(raw(trx), tenantId, now)
        const name = form.name || waiting.nickname || account
        const { id } = await trx
          .insertInto('user')
          .values({
            account,
            name: name.slice(0, 20),
            realName: name.slice(0, 20),
            phone: '',
            userType: UserType.candidate,
            idType: IdType.residentCard,
            password: hash,
            pwdUpdateTime: now,
            mustChangePwd: 0,
            accountStatus: AccountStatus.pending,
            roleId: '',
            oauth_id: `${waiting.source}:${waiting.uuid}`.slice(0, 64),
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        await trx.updateTable('oauth_login').set({ userId: id }).where('id', '=', waiting.id).execute()
        const { source, issuer, uuid, nickname } = waiting
        await link(raw(trx), { tenantId, userId: id, source, issuer, uuid, nickname, createTime: now })
      })
  } catch (error) {
    const taken = uniqueRefusal(error, User)
    if (taken) await countRegistration(app, 'taken', form.ip)
    throw taken ?? error
  }
  await countRegistration(app, 'done', form.ip)
}
