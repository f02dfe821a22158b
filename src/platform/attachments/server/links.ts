import { timingSafeEqual } from 'node:crypto'
import type { Vault } from '../../vault/vault.ts'

/** How long a signed link opens, in seconds. */
const life = 300
const address = '/api/blade-resource/attach/download'

const mark = (vault: Vault, id: string, until: number): string => vault.hash('link', `${id}:${until}`)

/** An address that gives one file to whoever has it, for five minutes: for `<img>` and viewers, which send no headers. */
export function signedUrl({ vault, now }: { vault: Vault; now: Date }, id: string): string {
  const until = Math.floor(now.getTime() / 1000) + life
  return `${address}?id=${id}&exp=${until}&sig=${mark(vault, id, until)}`
}

/** True when an address was signed by this installation and has not lapsed. */
export function isSigned(
  { vault, now }: { vault: Vault; now: Date },
  query: { id: string; exp?: number; sig?: string },
): boolean {
  const { id, exp, sig } = query
  if (!exp || !sig || exp * 1000 < now.getTime()) return false
  const wanted = Buffer.from(mark(vault, id, exp))
  const given = Buffer.from(sig)
  return wanted.length === given.length && timingSafeEqual(wanted, given)
}
