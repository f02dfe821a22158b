import { limits } from '../../config/limits.ts'
import type { Unavailable } from '../../database/unavailability.ts'
import { type Refusal, refuseSaying } from './refusal.ts'

/** Seconds after which whoever was refused may ask again. */
export const retryAfter = limits.retry / 1000

const sentences: Readonly<Record<Unavailable, string>> = {
  away: '系统繁忙，请稍后再试',
  'read-only': '系统正在维护，暂时不能保存，请稍后再试',
  full: '存储空间不足，暂时不能保存，请联系管理员',
}

/** The refusal of a call that nothing was wrong with. */
export const unavailable = (why: Unavailable): Refusal => refuseSaying('request.unavailable', sentences[why])
