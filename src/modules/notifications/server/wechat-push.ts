import type { FastifyInstance } from 'fastify'
import { DeliveryState } from '#schemas/dictionaries'
import { forgetOpenid, openidHash, takeScan } from '../../../platform/accounts/server/wechat-binding.ts'
import type { TakePush } from '../../../platform/channels/wechat/push-routes.ts'
import { keepReceipt, receiptsOf } from '../../../platform/channels/wechat/receipts.ts'
import { liveFor } from '../../../platform/database/live.ts'
import { readParam } from '../../../platform/database/param.ts'

/**
 * Notes on deliveries what WeChat has told of them. Whoever comes second, the answer by which a message is known or its receipt, finds both.
 */
export async function settleReceipts(app: FastifyInstance, tenantId: string, msgId: string): Promise<void> {
  const db = liveFor(app, { tenantId, userId: null, now: app.now })
  for (const { openidHash: addressHash, problem } of await receiptsOf(app, msgId))
    await db
      .updateTable('delivery')
      .set({ deliveryState: problem === null ? DeliveryState.arrived : DeliveryState.failed, errMsg: problem })
      .where('channel', '=', 'wechat')
      .where('ref', '=', msgId)
      .where('addressHash', '=', addressHash)
      .where('deliveryState', '=', DeliveryState.taken)
      .execute()
}

/** Takes what WeChat tells: who has scanned a QR code, who follows the account no more, what became of messages. */
export const takeWechatPush: TakePush = async (app, account, push) => {
  const { MsgType: type, Event: event, EventKey: key = '', FromUserName: openid = '' } = push
  if (type !== 'event' || openid === '') return null
  const db = liveFor(app, { tenantId: account.tenantId, userId: null, now: app.now })
  const scene = /^(?:qrscene_)?([0-9a-f]{32})$/.exec(key)?.[1]
  switch (event) {
    case 'subscribe':
    case 'SCAN': {
      if (scene !== undefined) return takeScan(app, account, openid, scene)
      if (event === 'SCAN') return null
      const title = await readParam(db, 'site.title')
      return `已关注。登录${title}后，在「我的资料」的「消息」中绑定微信，即可在这里收到通知。`
    }
    case 'unsubscribe':
      await forgetOpenid(db, openidHash(app, account, openid))
      return null
    case 'TEMPLATESENDJOBFINISH': {
      const { MsgID: msgId = '', Status: status = '' } = push
      const hash = openidHash(app, account, openid)
      await keepReceipt(app, { accountId: account.id, msgId, openidHash: hash, status })
      await settleReceipts(app, account.tenantId, msgId)
      return null
    }
    default:
      return null
  }
}
