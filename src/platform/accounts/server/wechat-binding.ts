import { createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { maskSealed, type ReplyOf } from '#engine'
import { userEvents } from '#resources/system/events'
import { emit } from '../../../crud/emit.ts'
import { maskName } from '../../../engine/mask-name.ts'
import { confirmPassword, type SentPassword } from '../../auth/server/second-password.ts'
import { codeLife, makeCode, spendCode } from '../../auth/server/sms/code.ts'
import { ChannelError } from '../../channels/fault.ts'
import type { PushedAccount } from '../../channels/wechat/push-routes.ts'
import '../../channels/wechat/tables.ts'
import { type Live, type LiveTrx, liveFor } from '../../database/live.ts'
import { readParam } from '../../database/param.ts'
import { countUp } from '../../database/throttle.ts'
import type { Person } from '../../http/server/access.ts'
import { liveAs } from '../../http/server/live.ts'
import { publicUrl } from '../../http/server/public-url.ts'
import { isRefusal, refuse } from '../../http/server/refusal.ts'
import type { beginWechat } from '../contract.ts'
import { writeContact } from './contact-rows.ts'

/** Seconds for which a QR code can be scanned. */
const ticketLife = 300
/** QR codes that one person may have made in an hour. */
const mostTickets = 20

/** The page on which people bind their WeChat. */
const ownPage = '/info/index?tab=messages'

/** Somebody who is told by WeChat. */
export interface WechatContact {
  readonly userId: string
  readonly address: string
  readonly language: 'zh'
}

/** The search hash of somebody's number at an official account. */
export const openidHash = (
  { vault }: Pick<FastifyInstance, 'vault'>,
  { tenantId }: Pick<PushedAccount, 'tenantId'>,
  openid: string,
): string => vault.hash(tenantId, openid)

/** Those of some people who are bound to an account and want to be told by it. Its templates are Chinese, and so is what it says. */
export async function wechatContacts(
  app: Pick<FastifyInstance, 'vault' | 'wechat'>,
  db: Live,
  userIds: readonly string[],
  wechatId?: string,
): Promise<WechatContact[]> {
  const account = wechatId ?? (await app.wechat.accountId(db))
  if (userIds.length === 0 || account === undefined) return []
  const rows = await db
    .selectFrom('wechatbinding as b')
    .leftJoin('contact as c', join => join.onRef('c.userId', '=', 'b.userId').on('c.channel', '=', 'wechat'))
    .select(['b.userId', 'b.openid'])
    .where('b.wechatId', '=', account)
    .where('b.userId', 'in', [...userIds])
    .where(eb => eb.or([eb('c.isOff', 'is', null), eb('c.isOff', '=', 0)]))
    .execute()
  return rows.map(({ userId, openid }) => ({ userId, address: app.vault.open(openid), language: 'zh' as const }))
}

/** The binding of a person to the account in use; undefined where there is none. */
export async function bindingOf(app: FastifyInstance, db: Live, userId: string) {
  const account = await app.wechat.accountId(db)
  const row = await db
    .selectFrom('wechatbinding')
    .select(['wechatId', 'openidMask', 'bindTime'])
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row?.wechatId === account ? row : undefined
}

const sceneHash = (scene: string): string => createHash('sha256').update(scene).digest('hex')

/**
 * Makes a QR code by which the caller binds a WeChat: good for five minutes, for one scan, for this session. One that was made before is
 * good no more.
 * @throws input.invalid where the tenant sends nothing by WeChat, or with what WeChat said; auth.passwordRequired, auth.passwordWrong for who
 * is bound already; input.tooOften
 */
export async function beginBinding(
  app: FastifyInstance,
  person: Person,
  proof: SentPassword,
): Promise<ReplyOf<typeof beginWechat>> {
  const { tenantId, userId, sessionId } = person
  const { db: tickets } = app
  const db = liveAs(app, person)
  const now = app.now()
  const accountId = await app.wechat.accountId(db)
  if (accountId === undefined) throw refuse('input.invalid', { 说明: '未配置公众号' })
  if (await bindingOf(app, db, userId)) await confirmPassword(app, person, proof)
  if ((await countUp(app, `wechat:bind:${userId}`, 3600, now)) > mostTickets) throw refuse('input.tooOften')
  const [id, scene] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')]
  try {
    const { url } = await app.wechat.sceneCode(tenantId, scene, ticketLife)
    const inside = await app.wechat.visitAddress(tenantId, `${publicUrl(app)}${ownPage}`, id)
    const until = new Date(now.getTime() + ticketLife * 1000)
    await tickets
      .deleteFrom('wechat_ticket')
      .where(eb => eb.or([eb('userId', '=', userId), eb('until', '<', new Date(now.getTime() - codeLife * 1000))]))
      .execute()
    await tickets
      .insertInto('wechat_ticket')
      .values({ id, sceneHash: sceneHash(scene), tenantId, userId, sessionId, accountId, until })
      .execute()
    return { id, url, until, inside, sandbox: app.wechat.sandbox === '' ? '' : url }
  } catch (error) {
    if (!(error instanceof ChannelError)) throw error
    throw refuse('input.invalid', { 说明: error.message })
  }
}

/** A QR code of the caller's own session; undefined for any other. */
const ownTicket = ({ db }: FastifyInstance, { userId, sessionId }: Person, id: string) =>
  db
    .selectFrom('wechat_ticket')
    .selectAll()
    .where('id', '=', id)
    .where('userId', '=', userId)
    .where('sessionId', '=', sessionId)
    .executeTakeFirst()

/** How it stands with a QR code of the caller: it waits to be scanned, has been, or is good no more. */
export async function ticketState(
  app: FastifyInstance,
  person: Person,
  id: string,
): Promise<'waiting' | 'scanned' | 'over'> {
  const ticket = await ownTicket(app, person, id)
  if (!ticket) return 'over'
  if (ticket.codeId !== null) return 'scanned'
  return ticket.until > app.now() ? 'waiting' : 'over'
}

/** An account as whoever has scanned its QR code is shown it: enough to tell whether it is one's own. */
async function shownAccount(db: Live, userId: string): Promise<string> {
  const user = await db
    .selectFrom('user')
    .select(['realName', 'name', 'phoneMask'])
    .where('id', '=', userId)
    .executeTakeFirst()
  const name = maskName(user?.realName || user?.name || '')
  return user?.phoneMask ? `${name}（${user.phoneMask}）` : name
}

/** What a code proves: that whoever reads the messages of a WeChat types it at the session that has made the QR code. */
const codeAddress = (ticketId: string, hash: string): string => `${ticketId} ${hash}`

/**
 * Takes a scan: whoever has scanned is told whose account it is, and a code. Nothing is bound before the code is typed where the QR code
 * was made, so a QR code that somebody else has photographed binds nobody.
 * @returns what is shown in WeChat
 */
export async function takeScan(
  app: FastifyInstance,
  account: PushedAccount,
  openid: string,
  scene: string,
): Promise<string> {
  const { tenantId } = account
  const { db: tickets } = app
  const now = app.now()
  const hash = openidHash(app, account, openid)
  const ticket = await tickets
    .updateTable('wechat_ticket')
    .set({ openid: app.vault.seal(openid), openidHash: hash })
    .where('sceneHash', '=', sceneHash(scene))
    .where('accountId', '=', account.id)
    .where('until', '>', now)
    .where(eb => eb.or([eb('openidHash', 'is', null), eb('openidHash', '=', hash)]))
    .returning(['id', 'userId'])
    .executeTakeFirst()
  if (!ticket) return '这个二维码已失效，或已被别人扫描。请在本人登录的页面上重新获取。'
  const db = liveFor(app, { tenantId, userId: null, now: app.now })
  const other = await db.selectFrom('wechatbinding').select('userId').where('openidHash', '=', hash).executeTakeFirst()
  if (other && other.userId !== ticket.userId) return '本微信已绑定另一个账号，请先登录那个账号解除绑定。'
  const { id, code } = await makeCode(app, {
    tenantId,
    address: codeAddress(ticket.id, hash),
    purpose: 'wechat',
  })
  await tickets.updateTable('wechat_ticket').set({ codeId: id }).where('id', '=', ticket.id).execute()
  const [site, shown] = await Promise.all([readParam(db, 'site.title'), shownAccount(db, ticket.userId)])
  return `您正在把本微信绑定到${site}的账号 ${shown}。请核对是您本人的账号，在获取二维码的页面上输入确认码 ${code}（${codeLife / 60} 分钟内有效）。不是本人操作请忽略，不要把确认码告诉任何人。`
}

/**
 * Binds the WeChat that has scanned the caller's QR code and was told the code. Another one that was bound is so no more.
 * @throws accounts.wechatCodeWrong for a wrong or late code, and a QR code that is not the session's own; input.invalid for a WeChat that is
 * bound to another account
 */
export async function confirmBinding(
  app: FastifyInstance,
  person: Person,
  { id, code }: { id: string; code: string },
): Promise<void> {
  const { tenantId } = person
  const ticket = await ownTicket(app, person, id)
  if (!ticket?.codeId || ticket.openid === null || ticket.openidHash === null) throw refuse('accounts.wechatCodeWrong')
  const { openid, openidHash: hash, accountId: wechatId } = ticket
  const given = { tenantId, address: codeAddress(id, hash), purpose: 'wechat', id: ticket.codeId, code } as const
  await spendCode(app, given).catch(error => {
    throw isRefusal(error, 'auth.smsCodeWrong') ? refuse('accounts.wechatCodeWrong') : error
  })
  await bind(app, person, { id, wechatId, hash, openid: app.vault.open(openid) })
}

/**
 * Binds the WeChat inside which the caller is: WeChat itself says who it is, to the session that has asked. Another one that was bound is so no
 * more.
 * @throws accounts.wechatCodeWrong for what was asked at another session, or too long ago; input.invalid with what WeChat said, for a WeChat
 * that does not follow the account, and for one that is bound to another
 */
export async function confirmVisit(
  app: FastifyInstance,
  person: Person,
  { id, code }: { id: string; code: string },
): Promise<void> {
  const ticket = await ownTicket(app, person, id)
  if (!ticket || ticket.until <= app.now()) throw refuse('accounts.wechatCodeWrong')
  const { tenantId } = person
  const { openid, isFollowing } = await app.wechat.visitor(tenantId, code).catch(error => {
    throw error instanceof ChannelError ? refuse('input.invalid', { 说明: error.message }) : error
  })
  if (!isFollowing) throw refuse('input.invalid', { 说明: '请先关注公众号，再绑定' })
  await bind(app, person, { id, wechatId: ticket.accountId, hash: openidHash(app, { tenantId }, openid), openid })
}

/** A WeChat that has proved whose it is. */
interface Proved {
  /** The ticket by which it has, and is spent. */
  readonly id: string
  readonly wechatId: string
  readonly openid: string
  readonly hash: string
}

/** Binds a WeChat. @throws input.invalid where it is bound to another account */
async function bind(app: FastifyInstance, person: Person, { id, wechatId, openid, hash }: Proved): Promise<void> {
  const { userId } = person
  await liveAs(app, person)
    .transaction()
    .execute(async trx => {
      const { numDeletedRows } = await trx.deleteFrom('wechat_ticket').where('id', '=', id).executeTakeFirstOrThrow()
      if (numDeletedRows === 0n) throw refuse('accounts.wechatCodeWrong')
      await eraseBinding(trx, userId)
      await trx
        .insertInto('wechatbinding')
        .values({
          userId,
          wechatId,
          openid: app.vault.seal(openid),
          openidHash: hash,
          openidMask: maskSealed(openid),
          bindTime: app.now(),
        })
        .execute()
      await writeContact(trx, userId, 'wechat', { isOff: 0 })
      await emit(trx, userEvents.contactChanged, [{ id: userId }], { what: 'wechat' })
    })
    .catch(error => {
      throw (error as { code?: string }).code === '23505'
        ? refuse('input.invalid', { 说明: '该微信已绑定另一个账号，请先登录那个账号解除绑定' })
        : error
    })
}

/** Forgets the WeChat of a person. @returns whether there was one */
export async function eraseBinding(trx: LiveTrx, userId: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('wechatbinding')
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Forgets the caller's WeChat at the caller's wish. @throws row.wrongState where there is none */
export async function unbind(app: FastifyInstance, person: Person): Promise<void> {
  await liveAs(app, person)
    .transaction()
    .execute(async trx => {
      if (!(await eraseBinding(trx, person.userId))) throw refuse('row.wrongState')
    })
}

/** Forgets whoever follows an account no more, or takes nothing from it. */
export async function forgetOpenid(db: Live, hash: string): Promise<void> {
  await db.deleteFrom('wechatbinding').where('openidHash', '=', hash).execute()
}
