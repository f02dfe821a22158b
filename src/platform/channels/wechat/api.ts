import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { limits } from '../../config/limits.ts'
import { ChannelError, type ChannelFault } from '../fault.ts'
import { callOnce, NoAnswer } from '../outside/call-once.ts'
import type { WechatVisitor } from './channel.ts'
import './tables.ts'

/** Where WeChat is reached. */
export const wechatHost = 'https://api.weixin.qq.com'
/** Where people inside WeChat are asked who they are. */
const visitHost = 'https://open.weixin.qq.com'

/** What calls are made with. */
export interface WechatAround extends Pick<FastifyInstance, 'db' | 'vault' | 'now'> {
  /** Where WeChat is reached, `https://api.weixin.qq.com`. */
  readonly host: string
  readonly fetch: typeof globalThis.fetch
}

/** An official account, its secret in clear. */
export interface WechatApp {
  /** The row of the settings. */
  readonly id: string
  readonly appId: string
  readonly appSecret: string
}

/** What WeChat answers; `errcode` is missing or 0 when it has done what was asked. */
type Answer = Readonly<Record<string, unknown>> & { readonly errcode?: number; readonly errmsg?: string }

/** A token that is good no more: the first time another one is asked for. */
const staleTokens: readonly unknown[] = [40001, 40014, 42001]

/** The receiver takes nothing from this account any more. */
const unbound: readonly unknown[] = [40003, 43004, 43101]

/** What follows from WeChat's codes, and what people are told. */
const reasons: Readonly<Record<number, readonly [fault: ChannelFault, words: string]>> = {
  [-1]: ['later', '微信系统繁忙'],
  40001: ['settings', '访问凭证无效，请核对开发者密码'],
  40014: ['settings', '访问凭证无效，请核对开发者密码'],
  42001: ['settings', '访问凭证无效，请核对开发者密码'],
  40002: ['settings', '访问凭证的取得方式不被接受'],
  40013: ['settings', '开发者ID不正确'],
  40125: ['settings', '开发者密码不正确'],
  40164: ['settings', '本服务器的出口地址不在公众平台的 IP 白名单中'],
  40243: ['settings', '开发者密码已被冻结'],
  50002: ['settings', '公众号被限制使用'],
  48001: ['settings', '公众号没有该接口的权限'],
  48004: ['settings', '公众号的接口被封禁'],
  40037: ['settings', '模板ID不正确，或模板已被删除'],
  47003: ['settings', '模板的关键词与公众平台上的不一致'],
  40003: ['final', '该微信已不关注公众号'],
  43004: ['final', '该微信已不关注公众号'],
  43101: ['final', '该微信拒收公众号的消息'],
  43116: ['settings', '模板被限制下发'],
  40029: ['final', '授权已失效，请重新绑定'],
  40163: ['final', '授权已失效，请重新绑定'],
  45009: ['later', '当日接口调用次数已用完'],
  45011: ['later', '接口调用过于频繁'],
}

/** @throws ChannelError for an answer that refuses */
function refuseBy({ errcode = 0, errmsg = '' }: Answer, isUntried: boolean): void {
  if (errcode === 0) return
  const [fault, words] = reasons[errcode] ?? (['final', '微信拒绝了该消息'] as const)
  const isAddressBad = unbound.includes(errcode)
  const cause = new Error(`errcode ${errcode}: ${errmsg}`)
  throw new ChannelError(`微信返回 ${errcode}：${words}`, fault, { isAddressBad, isUntried, cause })
}

/** Makes one call: one without a body only asks. @throws ChannelError where there is no answer */
async function ask(
  { host, fetch }: WechatAround,
  path: string,
  body: object | undefined,
  isUntried: boolean,
): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { method: 'GET' }
  try {
    return (await callOnce(fetch, `${host}${path}`, init)).body as Answer
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    // Where asking again does no harm, nothing is unknown; of a message what fails behind the answer may have been sent.
    const isUnsent = isUntried || (error.fault === 'later' && error.status === null)
    const mayBeSent = !isUnsent && error.fault !== 'final' && error.status !== 429
    throw new ChannelError('微信没有应答', mayBeSent ? 'unknown' : 'later', { isUntried: isUnsent, cause: error })
  }
}

/** Asks for the token of an account; asking again while one is good gets the same, and spoils none. @throws ChannelError */
export async function askToken(
  around: WechatAround,
  { appId, appSecret }: Pick<WechatApp, 'appId' | 'appSecret'>,
): Promise<{ token: string; until: Date }> {
  const asked = { grant_type: 'client_credential', appid: appId, secret: appSecret, force_refresh: false }
  const answer = await ask(around, '/cgi-bin/stable_token', asked, true)
  refuseBy(answer, true)
  const { access_token: token, expires_in: seconds } = answer
  if (typeof token !== 'string' || typeof seconds !== 'number')
    throw new ChannelError('微信没有给出访问凭证', 'later', { isUntried: true })
  return { token, until: new Date(around.now().getTime() + seconds * 1000) }
}

/** Milliseconds before its end from which on a token is asked for anew; in the last five minutes the former and the next both count. */
const renewal = 10 * 60_000

/**
 * The token of an account, which all processes share: of those who find that it ends, one asks, and the others wait for the row.
 * @param refused one that WeChat takes no more
 * @throws ChannelError
 */
async function tokenOf(around: WechatAround, app: WechatApp, refused?: string): Promise<string> {
  const { db, vault, now } = around
  const { id: accountId, appId } = app
  type Row = { appId: string; token: string | null; until: Date } | undefined
  const usable = (row: Row): string | undefined => {
    if (row?.token == null || row.appId !== appId || row.until.getTime() - now().getTime() < renewal) return undefined
    const token = vault.open(row.token)
    return token === refused ? undefined : token
  }
  const rows = db.selectFrom('wechat_token').select(['appId', 'token', 'until']).where('accountId', '=', accountId)
  const kept = usable(await rows.executeTakeFirst())
  if (kept !== undefined) return kept
  await db
    .insertInto('wechat_token')
    .values({ accountId, appId, token: null, until: now() })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  const renewed = db.transaction().execute(async trx => {
    await sql`SET LOCAL lock_timeout = ${sql.lit(`${limits.token}ms`)}`.execute(trx)
    const locked = trx.selectFrom('wechat_token').select(['appId', 'token', 'until']).where('accountId', '=', accountId)
    const fresh = usable(await locked.forNoKeyUpdate().executeTakeFirst())
    if (fresh !== undefined) return fresh
    const { token, until } = await askToken(around, app)
    await trx
      .updateTable('wechat_token')
      .set({ appId, token: vault.seal(token), until })
      .where('accountId', '=', accountId)
      .execute()
    return token
  })
  return renewed.catch(cause => {
    if ((cause as { code?: string }).code !== '55P03') throw cause
    throw new ChannelError('微信没有应答', 'later', { isUntried: true, cause })
  })
}

/** Makes a call with the token of an account; where it is good no more, once again with another. @throws ChannelError */
async function callAs(
  around: WechatAround,
  app: WechatApp,
  path: string,
  body: object | undefined,
  isHarmless = false,
): Promise<Answer> {
  const call = (token: string) => {
    const mark = path.includes('?') ? '&' : '?'
    return ask(around, `${path}${mark}access_token=${encodeURIComponent(token)}`, body, isHarmless)
  }
  const token = await tokenOf(around, app)
  const first = await call(token)
  const answer = staleTokens.includes(first.errcode) ? await call(await tokenOf(around, app, token)) : first
  refuseBy(answer, isHarmless || staleTokens.includes(answer.errcode))
  return answer
}

/** A template message as WeChat is handed it. */
export interface TemplateMessage {
  readonly touser: string
  readonly template_id: string
  readonly url: string
  readonly client_msg_id: string
  readonly data: Readonly<Record<string, { readonly value: string }>>
}

/** Sends a template message. @returns WeChat's number of it @throws ChannelError */
export async function sendTemplate(around: WechatAround, app: WechatApp, message: TemplateMessage): Promise<string> {
  const { msgid } = await callAs(around, app, '/cgi-bin/message/template/send', message)
  return String(msgid ?? '')
}

/** Makes a QR code for some seconds. @returns what its picture says @throws ChannelError */
export async function createSceneCode(
  around: WechatAround,
  app: WechatApp,
  scene: string,
  seconds: number,
): Promise<string> {
  const asked = {
    expire_seconds: seconds,
    action_name: 'QR_STR_SCENE',
    action_info: { scene: { scene_str: scene } },
  }
  const { url } = await callAs(around, app, '/cgi-bin/qrcode/create', asked, true)
  if (typeof url !== 'string' || url === '') throw new ChannelError('微信没有给出二维码', 'later', { isUntried: true })
  return url
}

/** The address at which somebody inside WeChat is asked who it is, without a question, and is led back. */
export function visitAddress({ appId }: Pick<WechatApp, 'appId'>, back: string, state: string): string {
  const asked = new URLSearchParams({
    appid: appId,
    redirect_uri: back,
    response_type: 'code',
    scope: 'snsapi_base',
    state,
  })
  return `${visitHost}/connect/oauth2/authorize?${asked}#wechat_redirect`
}

/** Who was led back with a code. @throws ChannelError for one that is not good, or not any more */
export async function readVisitor(around: WechatAround, app: WechatApp, code: string): Promise<WechatVisitor> {
  const { appId, appSecret } = app
  const asked = new URLSearchParams({ appid: appId, secret: appSecret, code, grant_type: 'authorization_code' })
  const answer = await ask(around, `/sns/oauth2/access_token?${asked}`, undefined, true)
  refuseBy(answer, true)
  const { openid } = answer
  if (typeof openid !== 'string' || openid === '')
    throw new ChannelError('微信没有给出授权结果', 'later', { isUntried: true })
  const known = await callAs(around, app, `/cgi-bin/user/info?openid=${encodeURIComponent(openid)}`, undefined, true)
  return { openid, isFollowing: known.subscribe === 1 }
}
