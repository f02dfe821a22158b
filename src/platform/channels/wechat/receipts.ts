import type { FastifyInstance } from 'fastify'
import './tables.ts'
import type { WechatReceiptTable } from './tables.ts'

/** Milliseconds for which receipts are kept: those of messages that are not known yet wait for them. */
const receiptLife = 3 * 86_400_000

/** What WeChat calls the end of a message that did not arrive, in words. */
const problems: Readonly<Record<string, string>> = {
  'failed:user block': '对方拒收公众号的消息',
  'failed: system failed': '微信未能送达',
}

/** Keeps what WeChat tells of a message, once: the first word counts. */
export async function keepReceipt(
  { db, now }: Pick<FastifyInstance, 'db' | 'now'>,
  told: Pick<WechatReceiptTable, 'accountId' | 'msgId' | 'openidHash'> & { status: string },
): Promise<void> {
  const { status, ...receipt } = told
  const problem = status === 'success' ? null : (problems[status] ?? '微信未能送达')
  const time = now()
  await db
    .insertInto('wechat_receipt')
    .values({ ...receipt, problem, time })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  await db
    .deleteFrom('wechat_receipt')
    .where('time', '<', new Date(time.getTime() - receiptLife))
    .execute()
}

/** What WeChat has told of a message. */
export const receiptsOf = ({ db }: Pick<FastifyInstance, 'db'>, msgId: string): Promise<WechatReceiptTable[]> =>
  db.selectFrom('wechat_receipt').selectAll().where('msgId', '=', msgId).execute()
