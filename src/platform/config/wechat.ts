import { createPrivateKey, createPublicKey } from 'node:crypto'

/** A merchant's account at WeChat Pay (API v3). */
export interface WechatAccount {
  baseUrl: string
  mchid: string
  appid: string
  serialNo: string
  /** PKCS#8 PEM. */
  privateKey: string
  /** 32 bytes. */
  apiV3Key: string
  /** PEM public keys or certificates of the platform by serial number or public-key id. */
  platformKeys: Readonly<Record<string, string>>
}

/** All or none of these must be given. */
const names = [
  'WXPAY_MCHID',
  'WXPAY_APPID',
  'WXPAY_SERIAL',
  'WXPAY_PRIVATE_KEY',
  'WXPAY_API_V3_KEY',
  'WXPAY_PLATFORM_SERIAL',
  'WXPAY_PLATFORM_KEY',
] as const

/**
 * Reads the merchant's account from environment variables; keys are PEM texts, line feeds may be written `\n`.
 * @param problems gets one sentence for each variable that is wrong
 * @returns undefined when no variable is given
 */
export function readWechat(
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
): WechatAccount | undefined {
  const value = (name: (typeof names)[number]) => (env[name] ?? '').trim().replaceAll('\\n', '\n')
  const baseUrl = env.WXPAY_BASE_URL?.trim() || 'https://api.mch.weixin.qq.com'
  if (names.every(name => !value(name))) return undefined
  problems.push(...names.filter(name => !value(name)).map(name => `${name} is missing.`))
  if (value('WXPAY_PRIVATE_KEY') && !isKey(createPrivateKey, value('WXPAY_PRIVATE_KEY'))) {
    problems.push('WXPAY_PRIVATE_KEY is no private key in PEM.')
  }
  if (value('WXPAY_PLATFORM_KEY') && !isKey(createPublicKey, value('WXPAY_PLATFORM_KEY'))) {
    problems.push('WXPAY_PLATFORM_KEY is no public key or certificate in PEM.')
  }
  if (value('WXPAY_API_V3_KEY') && Buffer.byteLength(value('WXPAY_API_V3_KEY')) !== 32) {
    problems.push('WXPAY_API_V3_KEY must be 32 characters.')
  }
  return {
    baseUrl,
    mchid: value('WXPAY_MCHID'),
    appid: value('WXPAY_APPID'),
    serialNo: value('WXPAY_SERIAL'),
    privateKey: value('WXPAY_PRIVATE_KEY'),
    apiV3Key: value('WXPAY_API_V3_KEY'),
    platformKeys: { [value('WXPAY_PLATFORM_SERIAL')]: value('WXPAY_PLATFORM_KEY') },
  }
}

function isKey(read: (pem: string) => unknown, pem: string): boolean {
  try {
    read(pem)
    return true
  } catch {
    return false
  }
}
