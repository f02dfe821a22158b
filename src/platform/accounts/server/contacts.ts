import type { FastifyInstance } from 'fastify'
import { mask, maskSealed, type ReplyOf } from '#engine'
import { codeLife, makeCode, spendCode } from '../../auth/server/sms/code.ts'
import { ChannelError } from '../../channels/fault.ts'
import type { Hasher } from '../../channels/sms/channel.ts'
import type { Live, LiveTrx } from '../../database/live.ts'
import { countUp } from '../../database/throttle.ts'
import type { Person } from '../../http/server/access.ts'
import { liveAs } from '../../http/server/live.ts'
import { isRefusal, refuse } from '../../http/server/refusal.ts'
import { escapeHtml } from '../../pdf/plain-text.ts'
import type { ownChannels } from '../contract.ts'
import { type ContactChannel, contactOf, writeContact } from './contact-rows.ts'
import { bindingOf } from './wechat-binding.ts'

/** Codes to one address in a minute, in a day, and those that one person may have sent in a day. */
const most = { minute: 1, day: 10, person: 20 }

/** The search hash of an e-mail address, as {@link Contact} keeps it. */
export const mailHash = ({ vault }: { vault: Hasher }, tenantId: string, email: string): string =>
  vault.hash(tenantId, email.trim().toLowerCase())

/** By which ways somebody can be reached, and which the person wants. */
export async function readChannels(app: FastifyInstance, person: Person): Promise<ReplyOf<typeof ownChannels>> {
  const db = liveAs(app, person)
  const [user, sms, mail, wechat, hasMail, binding, account] = await Promise.all([
    db
      .selectFrom('user')
      .select(['email', 'phone', 'phoneHash'])
      .where('id', '=', person.userId)
      .executeTakeFirstOrThrow(),
    contactOf(db, person.userId, 'sms'),
    contactOf(db, person.userId, 'mail'),
    contactOf(db, person.userId, 'wechat'),
    app.mail.isOn(db),
    bindingOf(app, db, person.userId),
    app.wechat.accountId(db),
  ])
  const { email } = user
  const isConfirmed = !!email && mail?.addressHash === mailHash(app, person.tenantId, email)
  return [
    {
      channel: 'sms',
      address: user.phone ? maskSealed(app.vault.open(user.phone)) : '',
      isOffered: true,
      isOn: sms?.isOff !== 1,
      isConfirmed: true,
      problem: sms?.addressHash === user.phoneHash ? (sms.problem ?? '') : '',
      sandbox: '',
      confirmTime: null,
    },
    {
      channel: 'mail',
      address: email ? mask.email(email) : '',
      isOffered: hasMail,
      isOn: mail?.isOff !== 1,
      isConfirmed,
      problem: isConfirmed ? (mail?.problem ?? '') : '',
      sandbox: app.mail.sandbox,
      confirmTime: isConfirmed ? (mail?.confirmTime ?? null) : null,
    },
    {
      channel: 'wechat',
      address: binding?.openidMask ?? '',
      isOffered: account !== undefined,
      isOn: wechat?.isOff !== 1,
      isConfirmed: binding !== undefined,
      problem: '',
      sandbox: app.wechat.sandbox,
      confirmTime: binding?.bindTime ?? null,
    },
  ]
}

/** Notes whether a person wants a channel. */
export async function chooseChannel(
  app: FastifyInstance,
  person: Person,
  { channel, isOn }: { channel: ContactChannel; isOn: boolean },
): Promise<void> {
  await liveAs(app, person)
    .transaction()
    .execute(trx => writeContact(trx, person.userId, channel, { isOff: isOn ? 0 : 1 }))
}

/** The caller's own address. @throws input.invalid without one */
async function ownMail(db: Live, person: Person): Promise<string> {
  const user = await db.selectFrom('user').select('email').where('id', '=', person.userId).executeTakeFirst()
  if (!user?.email) throw refuse('input.invalid', { 说明: '请先填写电子邮箱' })
  return user.email
}

/** @throws auth.smsCodeTooSoon, input.tooOften */
async function limitMails(app: FastifyInstance, person: Person, hash: string): Promise<void> {
  const now = app.now()
  const day = 86_400
  if ((await countUp(app, `mail:person:${person.userId}`, day, now)) > most.person) throw refuse('input.tooOften')
  if ((await countUp(app, `mail:minute:${hash}`, 60, now)) > most.minute) throw refuse('auth.smsCodeTooSoon', { n: 60 })
  if ((await countUp(app, `mail:day:${hash}`, day, now)) > most.day) throw refuse('auth.smsCodeTooSoon', { n: day })
}

const words = {
  zh: {
    subject: '邮箱验证码',
    text: (code: string) => `您的邮箱验证码是 ${code}，${codeLife / 60} 分钟内有效，请勿告诉他人。`,
  },
  en: {
    subject: 'Code for your e-mail address',
    text: (code: string) => `Your code is ${code}. It is valid for ${codeLife / 60} minutes; tell it to nobody.`,
  },
}

/**
 * Sends a code to the caller's own e-mail address.
 * @returns the number of the code, to be given back with it
 * @throws input.invalid without an address, or with what the mail server said; auth.smsCodeTooSoon, input.tooOften
 */
export async function sendMailCode(app: FastifyInstance, person: Person, language: 'zh' | 'en'): Promise<string> {
  const db = liveAs(app, person)
  const { tenantId } = person
  const to = await ownMail(db, person)
  if (!(await app.mail.isOn(db))) throw refuse('input.invalid', { 说明: '未配置邮箱' })
  const address = to.trim().toLowerCase()
  await limitMails(app, person, mailHash(app, tenantId, to))
  const { id, code } = await makeCode(app, { tenantId, address, purpose: 'email' })
  const { subject, text } = words[language]
  const said = text(code)
  try {
    await app.mail.send({ id, tenantId, to, subject, text: said, html: `<p>${escapeHtml(said)}</p>` })
  } catch (error) {
    if (!(error instanceof ChannelError)) throw error
    throw refuse('input.invalid', { 说明: error.message })
  }
  return id
}

/**
 * Notes that the caller reads the own e-mail address: what is told goes there from now on, in the language of the page.
 * @throws input.invalid without an address, accounts.mailCodeWrong
 */
export async function confirmMail(
  app: FastifyInstance,
  person: Person,
  { codeId, code, language }: { codeId: string; code: string; language: 'zh' | 'en' },
): Promise<void> {
  const { tenantId, userId } = person
  const address = (await ownMail(liveAs(app, person), person)).trim().toLowerCase()
  const wrong = (error: unknown): never => {
    throw isRefusal(error, 'auth.smsCodeWrong') ? refuse('accounts.mailCodeWrong') : error
  }
  await spendCode(app, { tenantId, address, purpose: 'email', id: codeId, code }).catch(wrong)
  const confirmed = { addressHash: mailHash(app, tenantId, address), confirmTime: app.now(), language }
  await liveAs(app, person)
    .transaction()
    .execute(trx => writeContact(trx, userId, 'mail', { ...confirmed, problem: null, isOff: 0 }))
}

/** An e-mail address to which somebody wants to be told, in which language. */
export interface MailContact {
  readonly userId: string
  readonly email: string
  readonly language: 'zh' | 'en'
}

/** Those of some people who are told by e-mail: whose present address was confirmed, takes mail, and is not switched off. */
export async function mailContacts(
  app: Pick<FastifyInstance, 'vault'>,
  db: Live,
  tenantId: string,
  userIds: readonly string[],
): Promise<MailContact[]> {
  if (userIds.length === 0) return []
  const rows = await db
    .selectFrom('contact as c')
    .innerJoin('user as u', 'u.id', 'c.userId')
    .select(['c.userId', 'c.addressHash', 'c.language', 'u.email'])
    .where('c.userId', 'in', [...userIds])
    .where('c.channel', '=', 'mail')
    .where('c.isOff', '=', 0)
    .where('c.problem', 'is', null)
    .where('u.email', 'is not', null)
    .execute()
  return rows.flatMap(({ userId, addressHash, email, language }) =>
    email && addressHash === mailHash(app, tenantId, email)
      ? [{ userId, email, language: language === 'en' ? ('en' as const) : ('zh' as const) }]
      : [],
  )
}

/** Notes that the confirmed e-mail address of a person takes no mail: nothing goes there until it is confirmed anew. */
export async function noteBadMail(db: LiveTrx, userId: string, problem: string): Promise<void> {
  await db
    .updateTable('contact')
    .set({ problem: problem.slice(0, 255) })
    .where('userId', '=', userId)
    .where('channel', '=', 'mail')
    .execute()
}

/** Those of some people who want no text messages but those that must be. */
export async function withoutTexts(db: Live, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (userIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('contact')
    .select('userId')
    .where('userId', 'in', [...userIds])
    .where('channel', '=', 'sms')
    .where('isOff', '=', 1)
    .execute()
  return new Set(rows.map(one => one.userId))
}

/**
 * Notes whether text messages reach the number of a person.
 * @param phoneHash the number: another one that has taken its place is not meant
 * @param problem why they do not; null when one has arrived
 */
export async function noteTexts(
  db: LiveTrx,
  { userId, phoneHash, problem }: { userId: string; phoneHash: string; problem: string | null },
): Promise<void> {
  if (problem !== null) {
    await writeContact(db, userId, 'sms', { addressHash: phoneHash, problem: problem.slice(0, 255) })
    return
  }
  await db
    .updateTable('contact')
    .set({ problem: null })
    .where('userId', '=', userId)
    .where('channel', '=', 'sms')
    .where('addressHash', '=', phoneHash)
    .execute()
}

/** The numbers of some people, as search hashes, that text messages do not reach. */
export async function deadNumbers(db: Live, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (userIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('contact')
    .select('addressHash')
    .where('userId', 'in', [...userIds])
    .where('channel', '=', 'sms')
    .where('problem', 'is not', null)
    .execute()
  return new Set(rows.flatMap(one => one.addressHash ?? []))
}
