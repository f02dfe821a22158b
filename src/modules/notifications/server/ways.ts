import type { FastifyInstance } from 'fastify'
import type { DomainEvent, Facts, WechatTemplate } from '#engine'
import type { messageChannel } from '#schemas/dictionaries'
import { mailContacts, noteBadMail } from '../../../platform/accounts/server/contacts.ts'
import { forgetOpenid, wechatContacts } from '../../../platform/accounts/server/wechat-binding.ts'
import type { WechatValues } from '../../../platform/channels/wechat/channel.ts'
import type { Live, LiveTrx } from '../../../platform/database/live.ts'
import { mailWords } from './mail-words.ts'
import { settleReceipts } from './wechat-push.ts'
import { type ExamFacts, type Language, sentenceOf } from './words.ts'

/** A channel whose messages are rows of {@link Delivery}. */
export type DeliveryChannel = Exclude<keyof typeof messageChannel.entries, 'sms'> & string

/** Somebody who is reached by a channel. */
export interface Contact {
  readonly userId: string
  readonly address: string
  readonly language: Language
}

/** A message as it goes out. */
export interface Outgoing {
  /** Our own number. */
  readonly id: string
  readonly tenantId: string
  readonly to: string
  /** The person is reached by another address now. */
  readonly isFormer: boolean
  readonly language: Language
  readonly event: DomainEvent
  readonly facts: Facts
  readonly exam: ExamFacts
  /** When it happened, and by when something can be done. */
  readonly time: Date
  readonly until: Date | null
  /** What the system is called. */
  readonly title: string
  /** The page that it leads to. */
  readonly link: string
}

/** A way by which messages of the inbox go out, too. */
export interface Way {
  readonly channel: DeliveryChannel
  /** Whether what may have gone out goes out once more: at least once; without it at most once. */
  readonly isRepeated: boolean
  /** Said of what may have arrived and may not. */
  readonly untold: string
  /** Whether the tenant of a handle sends an event by it. */
  isOn(app: FastifyInstance, db: Live, event: DomainEvent, until: Date | null): Promise<boolean>
  /** Those of some people who are reached by it, and want to be. */
  contacts(app: FastifyInstance, db: Live, tenantId: string, userIds: readonly string[]): Promise<Contact[]>
  /** @returns what the channel said when it took the message @throws ChannelError */
  send(app: FastifyInstance, message: Outgoing): Promise<{ ref: string }>
  /** Notes what the channel has told of a message before its answer was known. */
  settle?(app: FastifyInstance, tenantId: string, ref: string): Promise<void>
  /** Notes that an address of a person takes no messages. */
  noteBad(db: LiveTrx, at: { userId: string; addressHash: string | null; problem: string }): Promise<void>
}

const mail: Way = {
  channel: 'mail',
  isRepeated: true,
  untold: '结果不明：邮件服务器没有应答，对方可能已收到',
  isOn: (app, db) => app.mail.isOn(db),
  contacts: async (app, db, tenantId, userIds) =>
    (await mailContacts(app, db, tenantId, userIds)).map(({ email, ...one }) => ({ ...one, address: email })),
  send: (app, { id, tenantId, to, event, facts, exam, language, title, link }) =>
    app.mail.send({ id, tenantId, to, ...mailWords(event, facts, exam, language, { title, link }) }),
  noteBad: (db, { userId, problem }) => noteBadMail(db, userId, problem),
}

/** The template by which an event goes out; one that asks for something by a time needs the time. */
const templateOf = ({ by }: DomainEvent, until: Date | null): WechatTemplate | undefined =>
  by?.wechat === 'todo' && until === null ? 'result' : by?.wechat

/** What the keywords of a template may say of an event. */
export const wechatValues = ({
  event,
  facts,
  exam,
  time,
  until,
}: Pick<Outgoing, 'event' | 'facts' | 'exam' | 'time' | 'until'>): WechatValues => ({
  事项: event.label,
  内容: sentenceOf(event, facts, exam, 'zh'),
  考试: exam.shortName || exam.examName,
  编号: facts.signNo === undefined || facts.signNo === null ? null : String(facts.signNo),
  时间: time,
  截止时间: until ?? time,
  咨询电话: exam.contactPhone,
})

const wechat: Way = {
  channel: 'wechat',
  isRepeated: false,
  untold: '结果不明：微信没有应答，对方可能已收到',
  async isOn(app, db, event, until) {
    const template = templateOf(event, until)
    return template !== undefined && app.wechat.offers(db, template)
  },
  contacts: (app, db, _tenantId, userIds) => wechatContacts(app, db, userIds),
  send(app, message) {
    const { id, tenantId, to: openid, event, until, link: url } = message
    const template = templateOf(event, until) ?? 'result'
    return app.wechat.send({ id, tenantId, openid, template, values: wechatValues(message), url })
  },
  settle: settleReceipts,
  async noteBad(db, { addressHash }) {
    if (addressHash !== null) await forgetOpenid(db, addressHash)
  },
}

/** The ways by which messages go out, by their channel. */
export const ways: Readonly<Record<DeliveryChannel, Way>> = { mail, wechat }
