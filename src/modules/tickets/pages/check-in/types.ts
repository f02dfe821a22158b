import type { ConflictReason, Mark } from '../../rules/attendance.ts'

/** Totals of a room or a stage. */
export interface Totals {
  people: number
  arrived: number
  absent: number
  breach: number
}

/** A stage in which the person has rooms. */
export interface Stage extends Totals {
  itemId: string
  examName: string
  itemName: string
  startTime: string
  endTime: string
  openFrom: string
  openUntil: string
  /** 1 when the tickets are out. */
  ticketRelease: number
  rooms: number
  /** Notes of rehearsals in the person's rooms that the server keeps. */
  rehearsed: number
}

/** A room of a stage, and who stands at its door. */
export interface Room extends Totals {
  roomId: string
  roomNo: string
  roomName: string
  schoolName: string
  proctors: { userId: string; name: string }[]
}

/** A note that the server knows, and who made it. */
export interface ToldMark extends Mark {
  by: string
}

/** Somebody who may sit in the room. */
export interface Seated {
  ticketId: string
  ticketNo: string
  name: string
  /** Masked. */
  idCard: string
  seatNo: string
  /** A small picture as it stands in a page; empty for none. */
  photo: string
  /** SHA-256 of the text of his ticket's code, base64url. */
  code: string
  marks: ToldMark[]
}

/** Where a room is. */
export interface RoomPlace {
  roomId: string
  roomNo: string
  roomName: string
  schoolName: string
}

/** What a door needs without a network. */
export interface Bundle {
  /** True for a rehearsal, false for the real check-in. */
  rehearsal: boolean
  room: RoomPlace & {
    itemId: string
    tenantId: string
    examName: string
    itemName: string
    startTime: string
    endTime: string
    latestTime: string
  }
  roster: Seated[]
  /** PEM of the key that proves tickets. */
  publicKey: string
  /** Numbers of void tickets. */
  revoked: string[]
  /** All rooms of the stage; the serial is part of every ticket number. */
  rooms: (RoomPlace & { serial: number })[]
  /** Milliseconds since 1970. */
  serverTime: number
  /** Milliseconds since 1970, by the server's clock. */
  validUntil: number
}

/** What became of notes that were sent. */
export interface Synced {
  accepted: string[]
  conflicts: { id: string; reason: ConflictReason; by: string; at: number }[]
  /** All notes of the room that count, by ticket; empty text for a room that is not the person's any more. */
  marks: Record<string, ToldMark[]> | ''
}

/** A note on this device. */
export interface OwnMark extends Mark {
  userId: string
  roomId: string
  ticketId: string
  /** True when it was made in a rehearsal; missing otherwise. */
  rehearsal?: boolean
  reason?: string
  /** Missing while it waits to be sent. */
  conflict?: { reason: ConflictReason; by: string; at: number }
}

/** A bundle as this device keeps it. */
export interface KeptBundle extends Bundle {
  roomId: string
  userId: string
  /** Milliseconds the server's clock is ahead of this device's. */
  ahead: number
}
