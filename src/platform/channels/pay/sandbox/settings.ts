import type { WechatSettings } from '../wechat/client.ts'
import type { SandboxMerchant } from './merchant.ts'
import { sandboxPath } from './plugin.ts'

/** The settings with which the real client talks to the sandbox. `ownUrl` is this server's address without a path. */
export function sandboxSettings(merchant: SandboxMerchant, ownUrl: () => string): WechatSettings {
  return {
    baseUrl: () => ownUrl() + sandboxPath,
    mchid: merchant.mchid,
    appid: merchant.appid,
    serialNo: merchant.serialNo,
    privateKey: merchant.privateKey,
    apiV3Key: merchant.apiV3Key,
    platformKeys: { [merchant.platformSerial]: merchant.platformPublicKey },
  }
}
