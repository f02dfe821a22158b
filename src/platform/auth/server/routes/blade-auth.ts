import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendBrowserLog } from '../../../../screens/contract.ts'
import { captcha, publicKey, refreshToken, signOut } from '../../../http/contract.ts'
import { person } from '../../../http/server/access.ts'
import { askedTenant } from '../../../http/server/asked-tenant.ts'
import { type Envelope, ok } from '../../../http/server/envelope.ts'
import { refuseSaying } from '../../../http/server/refusal.ts'
import { serve } from '../../../http/server/serve.ts'
import { clearCache, token, userInfo } from '../../contract.ts'
import { readSelf } from '../account.ts'
import { keepBrowserLog } from '../browser-log.ts'
import { readClient, requireGrant } from '../client.ts'
import { deviceOf, keepDevice } from '../device.ts'
import { login } from '../login.ts'
import { refresh } from '../refresh.ts'
import { finishLogin } from '../second-step.ts'
import { endSession } from '../session.ts'
import { loginBySms } from '../sms-login.ts'
import { sessionBody, tokenAnswer } from '../token-answer.ts'
import { captchaOf } from './captcha-headers.ts'
import { answerCode } from './outside-grants.ts'
import { answerTokenError } from './token-error.ts'

/** Parameters of a token call wherever they are: in the address, in a form or in JSON; the address goes first. */
function parametersOf({ query, body }: FastifyRequest): (...names: string[]) => string | undefined {
  const sources = [query, body].filter((one): one is Record<string, unknown> => typeof one === 'object' && one !== null)
  return (...names) => {
    for (const source of sources) {
      for (const name of names) if (typeof source[name] === 'string' && source[name]) return source[name]
    }
    return undefined
  }
}

const header = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name]
  return typeof value === 'string' && value ? value : undefined
}

/** Signs somebody in, or goes on with a session. A browser that signs in is known from then on. */
async function answerToken(request: FastifyRequest, reply: FastifyReply, preset: string) {
  const device = deviceOf(request)
  const answer = await tokensFor(request, preset, device)
  if (answer.isNew) keepDevice(request, reply, device)
  return tokenAnswer(answer.opened)
}

async function tokensFor(request: FastifyRequest, preset: string, device: string) {
  const app = request.server
  const get = parametersOf(request)
  const client = await readClient(app, request.headers.authorization)
  const grant = get('grant_type', 'grantType') ?? preset
  requireGrant(client, grant)
  const chosen = {
    roleId: header(request, 'role-id') ?? get('role_id', 'roleId'),
    deptId: header(request, 'dept-id') ?? get('dept_id', 'deptId'),
  }
  if (grant === 'refresh_token') {
    const opened = await refresh(app, { token: get('refresh_token', 'refreshToken') ?? '', client, ...chosen })
    return { opened, isNew: false }
  }
  const tenantId = askedTenant(request)
  const ticket = get('factorToken')
  const from = { ip: request.ip, userAgent: request.headers['user-agent'], device }
  if (ticket) {
    return { opened: await finishLogin(app, { client, ticket, code: get('value') ?? '', ...from }), isNew: true }
  }
  const around = { client, tenantId, ...chosen, ...from }
  if (grant === 'sms_code') {
    const given = { phone: get('phone') ?? '', id: get('codeId', 'id') ?? '', code: get('value', 'code') ?? '' }
    return { opened: await loginBySms(app, { ...around, ...given }), isNew: true }
  }
  const coded = await answerCode(app, request, { grant, get, around })
  if (coded) return { opened: coded, isNew: grant === 'social' && coded.user_id !== '' }
  if (grant !== 'password' && grant !== 'captcha') throw refuseSaying('request.malformed', `不支持的授权类型：${grant}`)
  const attempt = {
    ...around,
    grant,
    name: (get('username', 'account') ?? '').trim().slice(0, 100),
    cipher: get('password') ?? '',
    keyId: get('keyId'),
    queueTicket: get('queueTicket'),
    captcha: captchaOf(request),
  } as const
  return { opened: await login(app, attempt), isNew: true }
}

/** Service `blade-auth`: tokens, captcha, logout and what belongs to a session. */
export default async function bladeAuth(app: FastifyInstance): Promise<void> {
  await app.register(tokenRoutes)

  serve(app, captcha, async ({ values, request }) => {
    const made = await (values.kind === 'work' ? app.captcha.work(request.ip) : app.captcha.picture(request.ip))
    return { ...(ok(made) as Envelope<typeof made> & { code: 200 }), ...made }
  })
  serve(app, publicKey, () => app.cipher.ticket(app.now()))

  serve(app, signOut, ({ request }) => endSession(app.db, person(request).sessionId, 'logout', app.now()))
  serve(app, sendBrowserLog, ({ values, request }) => keepBrowserLog(app, person(request), values, request.ip))

  serve(app, userInfo, async ({ request }) => {
    const me = person(request)
    const user = await readSelf(app, me)
    const chosen = { roleId: me.roleIds.join() || null, deptId: me.deptIds.join() || null }
    const session = await sessionBody(app.db, user, chosen, app.now())
    return { ...session, roles: me.roles, permissions: [...me.permissions] }
  })
  // Nothing is kept between requests: what pages hold they drop themselves, and asking again is no error.
  serve(app, clearCache, async () => undefined)
}

/** Calls for tokens; their refusals have a form of their own. */
async function tokenRoutes(app: FastifyInstance): Promise<void> {
  app.setErrorHandler(answerTokenError)
  serve(app, token, ({ request, reply }) => answerToken(request, reply, 'password'))
  serve(app, refreshToken, ({ request, reply }) => answerToken(request, reply, 'refresh_token'))
}
