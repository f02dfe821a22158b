import { endpoint, group, id, text } from '#engine'

const signed = {
  wechatId: id('公众号'),
  timestamp: text('时间戳'),
  nonce: text('随机数'),
  signature: text('签名'),
}

/** WeChat asks whether the server of an account is ours, when its address is entered there. */
export const wechatCheck = endpoint('wechat.check', 'GET /blade-notice/wechat/callback/:wechatId', {
  title: '公众号：验证服务器地址',
  access: 'public',
  bare: true,
  values: { ...signed, echostr: text('随机串') },
  answer: group({}),
})

/** WeChat tells what people do with an account, and what became of messages. */
export const wechatPush = endpoint('wechat.push', 'POST /blade-notice/wechat/callback/:wechatId', {
  title: '公众号：接收推送',
  access: 'public',
  essential: true,
  bare: true,
  values: { ...signed, msg_signature: text('消息签名') },
  answer: group({}),
})
