import { createPrivateKey, createPublicKey } from 'node:crypto'
import type { WechatSettings } from './client.ts'

/** Environment variables of the real channel; all or none must be given. */
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
 * Reads the merchant's settings from environment variables; keys are PEM texts, line feeds may be written `\n`.
 * @returns null when none is given
 * @throws one error that names every variable that is wrong
 */
export function readWechatSettings(env: Readonly<Record<string, string | undefined>>): WechatSettings | null {
  const value = (name: (typeof names)[number]) => (env[name] ?? '').trim().replaceAll('\\n', '\n')
  if (names.every(name => !value(name))) return null
  const problems = names.filter(name => !value(name)).map(name => `${name} is missing.`)
  if (value('WXPAY_PRIVATE_KEY') && !isKey(createPrivateKey, value('WXPAY_PRIVATE_KEY'))) {
    problems.push('WXPAY_PRIVATE_KEY is no private key in PEM.')
  }
  if (value('WXPAY_PLATFORM_KEY') && !isKey(createPublicKey, value('WXPAY_PLATFORM_KEY'))) {
    problems.push('WXPAY_PLATFORM_KEY is no public key or certificate in PEM.')
  }
  if (value('WXPAY_API_V3_KEY') && Buffer.byteLength(value('WXPAY_API_V3_KEY')) !== 32) {
    problems.push('WXPAY_API_V3_KEY must be 32 characters.')
  }
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return {
    baseUrl: () => env.WXPAY_BASE_URL?.trim() || 'https://api.mch.weixin.qq.com',
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
