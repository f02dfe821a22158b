import { type SmsChannel, SmsError } from './channel.ts'

/** The channel of settings that no channel serves: nothing goes out. */
export const missingSms: SmsChannel = { send: refuseAll, query: refuseAll, receipts: async () => [] }

async function refuseAll(): Promise<never> {
  throw new SmsError('未配置短信通道', true)
}
