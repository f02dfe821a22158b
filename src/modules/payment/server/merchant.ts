import { PayChannelNo } from '#schemas/dictionaries'
import { Pay } from '#schemas/payment/pay'
import type { Hooks, Values } from '../../../crud/rule-types.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isPrivateKey, isPublicKey, pemOf } from '../../../platform/vault/pem.ts'

const secrets = ['privateKey', 'apiV3Key'] as const

const textAt = (values: Values, name: string): string => String(values[name] ?? '').trim()
const wrong = (field: string, msg: string) => refuse(29005, { 说明: msg }, [{ field, msg }])

/** What WeChat Pay gives a merchant and cannot do without. */
const wanted = ['appId', 'mchId', 'serialNo', 'privateKey', 'apiV3Key', 'platformKeyId', 'platformKey'] as const

function checkMerchant(given: Values, whole: Values): void {
  for (const name of wanted) if (!whole[name]) throw wrong(name, `请输入${Pay.properties[name].title}`)
  const key = textAt(given, 'privateKey')
  if (key && !isPrivateKey(pemOf(key))) throw wrong('privateKey', '商户私钥不是PEM格式的私钥')
  const apiKey = textAt(given, 'apiV3Key')
  if (apiKey && Buffer.byteLength(apiKey) !== 32) throw wrong('apiV3Key', 'APIv3密钥应为32个字符')
  if (!isPublicKey(pemOf(textAt(whole, 'platformKey')))) throw wrong('platformKey', '微信支付公钥不是PEM格式')
}

/**
 * Settings of a merchant. Keys are needed again in clear, so they are sealed; they never leave the server, and one that is not sent
 * stays as it is.
 */
export const merchantHooks: Hooks = {
  async beforeSubmit({ app }, values, before) {
    const url = textAt(values, 'notifyUrl')
    if (url && !/^https:\/\/[^?#\s]+$/.test(url)) throw wrong('notifyUrl', '回调地址应以https开头且不带参数')
    const sent = secrets.filter(name => textAt(values, name) !== '')
    const plain = Object.fromEntries(Object.entries(values).filter(([name]) => !secrets.includes(name as never)))
    const keys = Object.fromEntries(sent.map(name => [name, textAt(values, name)]))
    const whole = { ...before, ...plain, ...keys }
    if (whole.channel === PayChannelNo.wechat) checkMerchant({ ...plain, ...keys }, whole)
    const sealed = sent.map(name => {
      const text = textAt(values, name)
      return [name, app.vault.seal(name === 'privateKey' ? pemOf(text) : text)]
    })
    const platformKey = plain.platformKey ? { platformKey: pemOf(textAt(plain, 'platformKey')) } : {}
    return { ...plain, ...platformKey, ...Object.fromEntries(sealed) }
  },
}
