import type { FastifyInstance, FastifyRequest } from 'fastify'
import { user } from '#resources/system/user'
import { AuditOutcome } from '#schemas/dictionaries'
import { sendExport } from '../../../../crud/export-list.ts'
import { isId } from '../../../../crud/input.ts'
import { receiveImport, sendTemplate } from '../../../../crud/sheet-resource.ts'
import { submit } from '../../../../crud/store.ts'
import { registerGuest } from '../../../auth/contract.ts'
import { clientKeyOf } from '../../../auth/server/client.ts'
import { deviceOf, keepDevice } from '../../../auth/server/device.ts'
import { captchaOf } from '../../../auth/server/routes/captcha-headers.ts'
import { answerTokenError } from '../../../auth/server/routes/token-error.ts'
import { person } from '../../../http/server/access.ts'
import { askedTenant } from '../../../http/server/asked-tenant.ts'
import { refuse } from '../../../http/server/refusal.ts'
import { type Serving, serve, withAddress } from '../../../http/server/serve.ts'
import {
  addCandidate,
  changePassword,
  changePlatform,
  changeProfile,
  claimNumber,
  claimState,
  exportUsers,
  findAccount,
  findPassword,
  importUsers,
  ownProfile,
  platformOf,
  register,
  updateUser,
  userTemplate,
} from '../../contract.ts'
import type { Applicant } from '../applicant.ts'
import { stateOfClaim, takeClaim } from '../claim.ts'
import { ownerOfPhone, type ProvedPhone, renewByPhone } from '../find-password.ts'
import { firstSession } from '../first-session.ts'
import { makeGuest } from '../guest.ts'
import { readPlatform, writePlatform } from '../platform.ts'
import { readProfile, writePassword, writeProfile } from '../profile.ts'
import { makeAccount, makeCandidate, type Registration } from '../register.ts'
import factorRoutes from './factor.ts'
import { readForm } from './form.ts'
import ownRoutes from './own.ts'

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

/** Clients of Blade send null for an e-mail that is to stay. */
async function withoutNullMail(request: FastifyRequest): Promise<void> {
  const body = request.body as { email?: unknown } | undefined
  if (body?.email === null) delete body.email
}

/** Service `blade-system/user`, as far as it is no resource: one's own data, and registration. */
export default async function userRoutes(app: FastifyInstance): Promise<void> {
  serve(app, ownProfile, ({ request }) => readProfile(app, person(request)))
  const change: Serving<typeof changeProfile> = ({ body, request }) => writeProfile(app, person(request), body)
  serve(app, changeProfile, change, withoutNullMail)
  const renew: Serving<typeof changePassword> = ({ body, request }) => writePassword(app, person(request), body)
  serve(app, changePassword, renew, withAddress)
  serve(app, updateUser, async ({ request }) => {
    const body = (request.body ?? {}) as Record<string, unknown>
    if (!body.id) throw refuse('row.notFound')
    await submit(request, user, body)
  })
  serve(app, addCandidate, async ({ request }) => {
    const { fields } = await readForm(request)
    return makeCandidate(app, person(request), applicantOf(fields))
  })
  sheetRoutes(app)
  platformRoutes(app)
  await app.register(registerRoutes)
  await app.register(ownRoutes)
  await app.register(factorRoutes)
}

/** Calls of people who have no account yet, or no password; their refusals have the form of those of token calls. */
async function registerRoutes(app: FastifyInstance): Promise<void> {
  app.setErrorHandler(answerTokenError)
  serve(app, register, async ({ request, reply }) => {
    const made = await makeAccount(app, await readRegistration(request))
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
    return { ...made, ...(session && { session }) }
  })
  serve(app, claimNumber, async ({ request }) => {
    const given = await readRegistration(request)
    const { reason } = (await readForm(request)).fields
    return takeClaim(request, { ...given, reason: typeof reason === 'string' ? reason : '' })
  })
  serve(app, claimState, ({ request }) => {
    const asked = askedOf(request)
    const read = (name: string) => (typeof asked[name] === 'string' ? asked[name].trim().slice(0, 40) : '')
    const [claimId, phone] = [read('claimId'), read('phone')]
    if (!isId(claimId)) throw refuse('row.notFound')
    return stateOfClaim(app, { tenantId: read('tenantId') || askedTenant(request), claimId, phone, ip: request.ip })
  })
  serve(app, findAccount, ({ request }) => ownerOfPhone(app, provedPhone(request)))
  serve(app, findPassword, ({ request }) => {
    const asked = askedOf(request)
    const read = (name: string, most = 4096) =>
      typeof asked[name] === 'string' ? asked[name].trim().slice(0, most) : ''
    const passwords = {
      password: read('password'),
      password2: read('password2'),
      keyId: read('keyId', 40) || undefined,
    }
    return renewByPhone(request, { ...provedPhone(request), ...passwords })
  })
  serve(app, registerGuest, ({ request }) => {
    const asked = askedOf(request)
    const read = (name: string) => (typeof asked[name] === 'string' ? asked[name].trim() : '')
    return makeGuest(app, {
      tenantId: read('tenantId'),
      name: read('name'),
      account: read('account'),
      oauthId: read('oauthId'),
      password: typeof asked.password === 'string' ? asked.password : '',
      keyId: read('keyId') || undefined,
      token: guestToken(request),
      ip: request.ip,
    })
  })
}

/** A phone with the code that was sent to it. */
function provedPhone(request: FastifyRequest): ProvedPhone {
  const asked = askedOf(request)
  const read = (name: string, most: number) =>
    typeof asked[name] === 'string' ? asked[name].trim().slice(0, most) : ''
  const tenantId = read('tenantId', 12) || askedTenant(request)
  return { tenantId, phone: read('phone', 20), codeId: read('codeId', 64), smsCode: read('smsCode', 10) }
}

/** Workbooks of users by the names that clients have for them. */
function sheetRoutes(app: FastifyInstance): void {
  serve(app, exportUsers, ({ request, reply }) => sendExport(request, reply, user))
  serve(app, userTemplate, ({ request, reply }) => sendTemplate(request, reply, user))
  serve(app, importUsers, ({ request }) => receiveImport(request, user))
}

/** What a call carries, in the address or in the body; the address wins. */
const askedOf = ({ body, query }: FastifyRequest): Record<string, unknown> => ({
  ...(body as object | undefined),
  ...(query as object),
})

/** Which platform people belong to. */
function platformRoutes(app: FastifyInstance): void {
  const idOf = (request: FastifyRequest) => {
    const { userId, id } = askedOf(request)
    const text = String(userId || id || '')
    if (!isId(text)) throw refuse('row.notFound')
    return text
  }
  serve(app, platformOf, ({ request }) => readPlatform(app, person(request), idOf(request)))
  serve(app, changePlatform, async ({ request }) => {
    const { userType, userExt } = askedOf(request)
    await writePlatform(app, person(request), { userId: idOf(request), userType: Number(userType), userExt })
  })
}

/** The token of a guest session, which no other call knows. */
const guestToken = ({ headers }: FastifyRequest): string =>
  String(headers['blade-auth'] ?? '')
    .replace(/^bearer +/i, '')
    .slice(0, 200)
