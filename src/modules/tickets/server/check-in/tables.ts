import type { ConflictReason, MarkKind } from '../../rules/attendance.ts'

/** Who stands at the door of a room. */
interface RoomProctorTable {
  roomId: string
  userId: string
  createUser: string
  createTime: Date
}

/** A note made at a door; rows are only added. */
interface CheckInTable {
  /** Given by the device. */
  id: string
  ticketId: string
  kind: MarkKind
  undoes: string | null
  reason: string | null
  /** As the device says it. */
  deviceTime: Date
  /** {@link CheckInTable.deviceTime} within what the server's clock allows. */
  time: Date
  receiveTime: Date
  userId: string
  conflict: ConflictReason | null
  counts: boolean
  /** Made in a rehearsal: says nothing about the person of the ticket. */
  rehearsal: boolean
}

declare module '../../../../platform/database/tables.ts' {
  interface InternalTables {
    room_proctor: RoomProctorTable
    check_in: CheckInTable
  }
}
