import { X509Certificate } from 'node:crypto'
import type { Row } from '#engine'
import { PayChannelNo } from '#schemas/dictionaries'
import type { Pay } from '#schemas/payment/pay'
import type { Hooks } from '../../../crud/rules.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isPrivateKey, isPublicKey, pemOf } from '../../../platform/vault/pem.ts'

const secrets = ['privateKey', 'apiV3Key'] as const
type Secret = (typeof secrets)[number]

const wrong = (field: string, msg: string) => refuse('input.invalid', { 说明: msg }, [{ field, msg }])

type Settings = Partial<Row<typeof Pay>>

/** Refuses what is no certificate, and one of another number than the merchant's. */
function checkCertificate({ certificate, serialNo }: Settings): void {
  if (!certificate) return
  const pem = pemOf(certificate.trim())
  let number: string
  try {
    number = new X509Certificate(pem).serialNumber
  } catch {
    throw wrong('certificate', '商户API证书不是PEM格式')
  }
  if (serialNo && number !== serialNo.trim().toUpperCase())
    throw wrong('certificate', '商户API证书与商户证书序列号不符')
}

function checkMerchant(sent: Partial<Record<Secret, string>>, whole: Settings): void {
  const { privateKey, apiV3Key } = sent
  if (privateKey && !isPrivateKey(pemOf(privateKey))) throw wrong('privateKey', '商户私钥不是PEM格式的私钥')
  if (apiV3Key && Buffer.byteLength(apiV3Key) !== 32) throw wrong('apiV3Key', 'APIv3密钥应为32个字符')
  if (!isPublicKey(pemOf((whole.platformKey ?? '').trim()))) throw wrong('platformKey', '微信支付公钥不是PEM格式')
}

/**
 * Settings of a merchant. Keys are needed again in clear, so they are sealed; they never leave the server, and one that is not sent
 * stays as it is.
 */
export const merchantHooks: Hooks<typeof Pay> = {
  async beforeSubmit({ app, set }, given, before) {
    const url = (given.notifyUrl ?? '').trim()
    if (url && !/^https:\/\/[^?#\s]+$/.test(url)) throw wrong('notifyUrl', '回调地址应以https开头且不带参数')
    const sent: Partial<Record<Secret, string>> = {}
    for (const name of secrets) {
      const text = (given[name] ?? '').trim()
      if (text) sent[name] = text
    }
    const { privateKey: _key, apiV3Key: _apiKey, ...plain } = given
    const whole: Settings = { ...before, ...plain, ...sent }
    if (whole.channel === PayChannelNo.wechat) checkMerchant(sent, whole)
    checkCertificate(whole)
    const { privateKey, apiV3Key } = sent
    if (privateKey) set({ privateKey: app.vault.seal(pemOf(privateKey)) })
    if (apiV3Key) set({ apiV3Key: app.vault.seal(apiV3Key) })
    if (given.certificate) set({ certificate: pemOf(given.certificate.trim()) })
    if (given.platformKey) set({ platformKey: pemOf(given.platformKey.trim()) })
  },
}
