import type { Bundle, SentMark, Synced } from '../../check-in/contract.ts'

/** A union without some of the names of its members. */
type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

/** What somebody notes; the rest of a note is added. */
export type Noted = Without<SentMark, 'id' | 'at'>

/** What a note on this device has beside what is sent. */
interface OnDevice {
  userId: string
  roomId: string
  /** True when it was made in a rehearsal; missing otherwise. */
  rehearsal?: boolean
  /** Missing while it waits to be sent. */
  conflict?: Omit<Synced['conflicts'][number], 'id'>
}

/** A note on this device; a code that was scanned for it is kept apart. */
export type OwnMark = Without<SentMark, 'code'> & OnDevice

/** A bundle as this device keeps it. */
export interface KeptBundle extends Bundle {
  roomId: string
  userId: string
  /** Milliseconds the server's clock is ahead of this device's. */
  ahead: number
}
