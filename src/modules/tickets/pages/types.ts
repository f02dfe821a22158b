/** A stage and how far its seats are. */
export interface StageInfo {
  itemId: string
  itemName: string
  startTime: string
  endTime: string
  /** 0 none, 1 a draft, 2 locked. */
  seatStatus: number
  /** 0 no, 1 released, 2 recalled. */
  ticketRelease: number
  people: number
  rooms: number
  capacity: number
  open: number
  moving: number
}

/** Who sits where. */
export interface Seat {
  signupId: string
  roomId: string
  seatNo: number
  row: number
  col: number
  name: string
  signNo: string
  ticketNo: string
  unit: string
  code: string
}

/** A room with its seats. */
export interface Room {
  roomId: string
  roomNo: string
  roomName: string
  schoolName: string
  capacity: number
  reserve: number
  rows: number
  cols: number
  isSpecial: number
  seats: Seat[]
}

/** A stage's whole plan. */
export interface AllotInfo {
  stage: StageInfo
  plan:
    | ''
    | { strategy: number; seed: string; total: number; conflicts: number; time: string; options: { snake?: boolean } }
  rooms: Room[]
}

/** A person who holds a ticket, with what the register of downloads says of him. */
export interface DownRow {
  /** Id in the register; empty for somebody who is not in it. */
  id: string
  ticketId: string
  name: string
  ticketNo: string
  unit: string
  code: string
  roomNo: string
  seatNo: string
  downloaded: number
  downNum: number
  lastDownTime: string
  picState: number
  picRemark: string
  jkm: string
  xcm: string
  hsjcbg: string
  picLabels: '' | Readonly<Record<string, string | null>>
}

/** The kinds of them that are counted. */
export type DownKind = 'total' | 'downloaded' | 'missing' | 'waiting' | 'refused'
