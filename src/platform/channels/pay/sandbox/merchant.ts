import { createHash } from 'node:crypto'

/** Both sides' keys of the sandbox: the merchant's, which the product uses, and the platform's. */
export interface SandboxMerchant {
  mchid: string
  appid: string
  serialNo: string
  privateKey: string
  publicKey: string
  apiV3Key: string
  platformSerial: string
  platformPrivateKey: string
  platformPublicKey: string
}

/** PEM texts of one RSA key pair. */
export interface KeyPair {
  publicKey: string
  privateKey: string
}

/**
 * The account at the sandbox, as if WeChat Pay had opened it. Serials are read off the keys, so that all processes of an
 * installation, who share the keys, agree on them.
 * @param apiV3Key 32 characters
 */
export function sandboxMerchant(merchant: KeyPair, platform: KeyPair, apiV3Key: string): SandboxMerchant {
  return {
    mchid: '1900008130',
    appid: `wx${fingerprint(merchant).slice(0, 16).toLowerCase()}`,
    serialNo: fingerprint(merchant),
    privateKey: merchant.privateKey,
    publicKey: merchant.publicKey,
    apiV3Key,
    platformSerial: `PUB_KEY_ID_${fingerprint(platform).slice(0, 20)}`,
    platformPrivateKey: platform.privateKey,
    platformPublicKey: platform.publicKey,
  }
}

const fingerprint = ({ publicKey }: KeyPair) => createHash('sha1').update(publicKey).digest('hex').toUpperCase()
