import type { FastifyInstance, FastifyRequest } from 'fastify'
import { user } from '#resources/system/user'
import { AuditOutcome } from '#schemas/dictionaries'
import { sendExport } from '../../../../crud/export-list.ts'
import { isId } from '../../../../crud/input.ts'
import { receiveImport, sendTemplate } from '../../../../crud/sheet-resource.ts'
import { submit } from '../../../../crud/store.ts'
import { clientKeyOf } from '../../../auth/server/client.ts'
import { deviceOf, keepDevice } from '../../../auth/server/device.ts'
import { captchaOf } from '../../../auth/server/routes/captcha-headers.ts'
import { answerTokenError } from '../../../auth/server/routes/token-error.ts'
import { person } from '../../../http/server/access.ts'
import { askedTenant } from '../../../http/server/asked-tenant.ts'
import { ok } from '../../../http/server/envelope.ts'
import { oneSheet } from '../../../http/server/form.ts'
import { refuse } from '../../../http/server/refusal.ts'
import type { Applicant } from '../applicant.ts'
import { claimNumber, claimState } from '../claim.ts'
import { findAccount, findPassword } from '../find-password.ts'
import { firstSession } from '../first-session.ts'
import { registerGuest } from '../guest.ts'
import { changePlatform, readPlatform } from '../platform.ts'
import { changePassword, changeProfile, type PasswordChange, type ProfileChange, readProfile } from '../profile.ts'
import { addCandidate, type Registration, register } from '../register.ts'
import factorRoutes from './factor.ts'
import { personForm, readForm } from './form.ts'
import ownRoutes from './own.ts'

const path = '/api/blade-system/user'

const text = (title: string, maxLength: number) => ({ type: 'string', title, maxLength })

const profile = {
  type: 'object',
  properties: {
    name: text('昵称', 20),
    realName: text('真实姓名', 20),
    phone: text('手机号码', 20),
    email: { title: '电子邮箱', anyOf: [{ enum: ['', null] }, { ...text('电子邮箱', 100), format: 'email' }] },
    avatar: text('头像', 20),
    codeId: text('验证码编号', 64),
    smsCode: text('短信验证码', 10),
    password: { ...text('密码', 4096), kind: 'secret' },
    keyId: text('密钥', 40),
  },
}

const cipherText = (title: string) => ({ ...text(title, 4096), minLength: 1, kind: 'secret' })
const passwords = {
  type: 'object',
  required: ['oldPassword', 'newPassword', 'newPassword1'],
  properties: {
    oldPassword: cipherText('原密码'),
    newPassword: cipherText('新密码'),
    newPassword1: cipherText('确认密码'),
    keyId: text('密钥', 40),
  },
}

const idTypes = [1, 2, 3, 4, 5] as const

function applicantOf(fields: Record<string, unknown>): Applicant {
  const read = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '').slice(0, 200)
  const idType = idTypes.find(one => one === Number(fields.idType || 1))
  if (!idType) throw refuse('input.invalid', { 说明: '证件类型不正确' })
  return {
    username: read('username') || read('account'),
    realName: read('realName'),
    phone: read('phone'),
    idType,
    idCard: read('idCard'),
  }
}

async function readRegistration(request: FastifyRequest): Promise<Registration> {
  const { fields, files } = await readForm(request)
  const read = (name: string) => (typeof fields[name] === 'string' ? fields[name] : String(fields[name] ?? ''))
  return {
    ...applicantOf(fields),
    tenantId: read('tenantId') || askedTenant(request),
    password: read('password'),
    password2: read('password2'),
    keyId: read('keyId') || undefined,
    clientKey: await clientKeyOf(request.server, request.headers.authorization),
    codeId: read('codeId').slice(0, 64),
    smsCode: read('smsCode').slice(0, 10),
    captcha: captchaOf(request),
    consentVersion: read('consentVersion').slice(0, 20),
    ip: request.ip,
    files,
  }
}

/** Service `blade-system/user`, as far as it is no resource: one's own data, and registration. */
export default async function userRoutes(app: FastifyInstance): Promise<void> {
  const signedIn = { access: 'signed-in' } as const
  const early = { ...signedIn, beforePasswordChange: true } as const

  app.get(`${path}/info`, { config: early }, async request => ok(await readProfile(app, person(request))))
  app.post<{ Body: ProfileChange }>(
    `${path}/update-info`,
    { config: signedIn, schema: { body: profile } },
    async request => ok(await changeProfile(app, person(request), request.body)),
  )
  const fromAddress = async (request: FastifyRequest) => {
    // Older clients put everything into the address.
    request.body = { ...(request.query as object), ...(request.body as object | undefined) }
  }
  app.post<{ Body: PasswordChange }>(
    `${path}/update-password`,
    { config: early, schema: { body: passwords }, preValidation: fromAddress },
    async request => {
      await changePassword(app, person(request), request.body)
      return ok()
    },
  )
  app.post(
    `${path}/register`,
    { config: { access: 'public', form: personForm }, errorHandler: answerTokenError },
    async (request, reply) => {
      const made = await register(app, await readRegistration(request))
      const { authorization, 'user-agent': userAgent } = request.headers
      const device = deviceOf(request)
      const session = await firstSession(app, made, { authorization, ip: request.ip, userAgent, device })
      if (session) {
        keepDevice(request, reply, device)
        const { user_id: userId, tenant_id: tenantId } = session
        await app.audit.note(request, {
          event: 'login',
          outcome: AuditOutcome.success,
          userId,
          tenantId,
          detail: { grant: 'register' },
        })
      }
      return ok({ ...made, ...(session && { session }) })
    },
  )
  app.post(
    `${path}/claim`,
    { config: { access: 'public', form: personForm }, errorHandler: answerTokenError },
    async request => {
      const given = await readRegistration(request)
      const { reason } = (await readForm(request)).fields
      return ok(await claimNumber(request, { ...given, reason: typeof reason === 'string' ? reason : '' }))
    },
  )
  app.post(`${path}/claim-state`, { config: { access: 'public' }, errorHandler: answerTokenError }, async request => {
    const asked = askedOf(request)
    const read = (name: string) => (typeof asked[name] === 'string' ? asked[name].trim().slice(0, 40) : '')
    const [claimId, phone] = [read('claimId'), read('phone')]
    if (!isId(claimId)) throw refuse('row.notFound')
    return ok(
      await claimState(app, { tenantId: read('tenantId') || askedTenant(request), claimId, phone, ip: request.ip }),
    )
  })
  const provedPhone = (request: FastifyRequest) => {
    const asked = askedOf(request)
    const read = (name: string, most: number) =>
      typeof asked[name] === 'string' ? asked[name].trim().slice(0, most) : ''
    const tenantId = read('tenantId', 12) || askedTenant(request)
    return { tenantId, phone: read('phone', 20), codeId: read('codeId', 64), smsCode: read('smsCode', 10) }
  }
  app.post(`${path}/find-account`, { config: { access: 'public' }, errorHandler: answerTokenError }, async request =>
    ok(await findAccount(app, provedPhone(request))),
  )
  app.post(`${path}/find-password`, { config: { access: 'public' }, errorHandler: answerTokenError }, async request => {
    const asked = askedOf(request)
    const read = (name: string, most = 4096) =>
      typeof asked[name] === 'string' ? asked[name].trim().slice(0, most) : ''
    const passwords = {
      password: read('password'),
      password2: read('password2'),
      keyId: read('keyId', 40) || undefined,
    }
    return ok(await findPassword(request, { ...provedPhone(request), ...passwords }))
  })
  app.post(`${path}/update`, { config: { access: { permission: 'user_edit' } } }, async request => {
    const body = (request.body ?? {}) as Record<string, unknown>
    if (!body.id) throw refuse('row.notFound')
    await submit(request, user, body)
    return ok()
  })
  sheetRoutes(app)
  app.post(
    `${path}/saveUser`,
    { config: { access: { permission: ['user_add', 'examuser_add'] }, form: personForm } },
    async request => {
      const { fields } = await readForm(request)
      return ok(await addCandidate(app, person(request), applicantOf(fields)))
    },
  )
  await app.register(platformRoutes)
  await app.register(guestRoutes)
  await app.register(ownRoutes)
  await app.register(factorRoutes)
}

/** Workbooks of users by the names that clients have for them. */
function sheetRoutes(app: FastifyInstance): void {
  const allowed = (permission: string) => ({ config: { access: { permission } } })
  app.get(`${path}/export-user`, allowed('user_export'), (request, reply) => sendExport(request, reply, user))
  app.get(`${path}/export-template`, allowed('user_import'), (request, reply) => sendTemplate(request, reply, user))
  app.post(`${path}/import-user`, { config: { access: { permission: 'user_import' }, form: oneSheet } }, request =>
    receiveImport(request, user),
  )
}

/** What a call carries, in the address or in the body; the address wins. */
const askedOf = ({ body, query }: FastifyRequest): Record<string, unknown> => ({
  ...(body as object | undefined),
  ...(query as object),
})

/** Which platform people belong to. */
async function platformRoutes(app: FastifyInstance): Promise<void> {
  const access = { permission: 'user_platform' }
  const idOf = (request: FastifyRequest) => {
    const { userId, id } = askedOf(request)
    const text = String(userId || id || '')
    if (!isId(text)) throw refuse('row.notFound')
    return text
  }
  app.get(`${path}/platform-detail`, { config: { access } }, async request =>
    ok(await readPlatform(app, person(request), idOf(request))),
  )
  app.post(`${path}/update-platform`, { config: { access } }, async request => {
    const { userType, userExt } = askedOf(request)
    await changePlatform(app, person(request), { userId: idOf(request), userType: Number(userType), userExt })
    return ok()
  })
}

/** The token of a guest session, which no other call knows. */
const guestToken = ({ headers }: FastifyRequest): string =>
  String(headers['blade-auth'] ?? '')
    .replace(/^bearer +/i, '')
    .slice(0, 200)

/** Accounts of people who come by a third-party login. */
async function guestRoutes(app: FastifyInstance): Promise<void> {
  const options = { config: { access: 'public' }, errorHandler: answerTokenError } as const
  app.post(`${path}/register-guest`, options, async request => {
    const asked = askedOf(request)
    const read = (name: string) => (typeof asked[name] === 'string' ? asked[name].trim() : '')
    await registerGuest(app, {
      tenantId: read('tenantId'),
      name: read('name'),
      account: read('account'),
      oauthId: read('oauthId'),
      password: typeof asked.password === 'string' ? asked.password : '',
      keyId: read('keyId') || undefined,
      token: guestToken(request),
      ip: request.ip,
    })
    return ok()
  })
}
