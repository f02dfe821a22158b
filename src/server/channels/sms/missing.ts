import { type SmsChannel, SmsError } from './channel.ts'

/** The channel of an installation that has none yet: nothing goes out. */
export const missingSms: SmsChannel = { send: refuseAll, query: refuseAll }

async function refuseAll(): Promise<never> {
  throw new SmsError('未配置短信通道', true)
}
