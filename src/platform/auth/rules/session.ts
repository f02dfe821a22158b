import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { UserType } from '#schemas/dictionaries/administration'

/** Seconds a refresh token lasts at most: 12 hours for staff, 7 days for candidates. */
export const refreshSeconds = (userType: number): number => (userType === UserType.candidate ? 7 * 86_400 : 12 * 3600)

/** Milliseconds after which an untouched session of staff ends. */
const idleTime = 30 * 60_000

/** Milliseconds in which a spent refresh token gets the same answer again: a second tab, or an answer that was lost. */
export const spentGrace = 10_000

/** Kinds of tokens. */
export const tokenKind = { access: 1, refresh: 2 } as const

/** What is stored of a token: whoever reads the table cannot use it. */
export const tokenHash = (token: string): string => bytesToHex(sha256(utf8ToBytes(token)))

/** Whether staff have been away too long; candidates may be. */
export const isIdle = (userType: number, lastSeen: Date, now: Date): boolean =>
  userType !== UserType.candidate && now.getTime() - lastSeen.getTime() > idleTime
