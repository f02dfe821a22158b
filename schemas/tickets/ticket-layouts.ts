import type { ticketLayoutTitles } from './ticket-layout-titles.ts'

/** What a ticket can say, by name. */
export type TicketFact =
  | 'name'
  | 'sex'
  | 'idCard'
  | 'ticketNo'
  | 'unit'
  | 'post'
  | 'date'
  | 'time'
  | 'subject'
  | 'paper'
  | 'site'
  | 'room'
  | 'address'
  | 'traffic'
  | 'roomNo'
  | 'seatNo'
  | 'latestTime'

/** A value with its label in front. */
export interface TicketCell {
  readonly label: string
  readonly fact: TicketFact
  /** Size of the value in points; 10 unless said. */
  readonly size?: number
  readonly weight?: 'bold'
  readonly align?: 'center'
  /** The row is left out where its value is empty. */
  readonly optional?: true
}

/** One or two values beside each other. */
export type TicketRow = readonly [TicketCell] | readonly [TicketCell, TicketCell]

/** How a ticket is laid out. Plain JSON. */
export interface TicketLayout {
  /** What the paper is called, behind the name of the stage. */
  readonly paper: string
  /** Who it is, beside the photo. */
  readonly identity: readonly TicketRow[]
  /** What is looked for at the door, in large print. */
  readonly door: readonly Pick<TicketCell, 'label' | 'fact'>[]
  /** When and where. */
  readonly place: readonly TicketRow[]
  /** Heading of the rules, and what stands below the code. */
  readonly notes: string
  readonly caption: string
}

const standard: TicketLayout = {
  paper: '准考证',
  identity: [
    [
      { label: '姓名', fact: 'name', size: 12, weight: 'bold' },
      { label: '性别', fact: 'sex', align: 'center' },
    ],
    [{ label: '证件号码', fact: 'idCard', size: 11 }],
    [{ label: '准考证号', fact: 'ticketNo', size: 12, weight: 'bold' }],
    [{ label: '报考单位', fact: 'unit' }],
    [{ label: '报考岗位', fact: 'post' }],
  ],
  door: [
    { label: '考场号', fact: 'roomNo' },
    { label: '座位号', fact: 'seatNo' },
    { label: '最迟入场', fact: 'latestTime' },
  ],
  place: [
    [
      { label: '考试日期', fact: 'date', weight: 'bold' },
      { label: '考试时间', fact: 'time', weight: 'bold', size: 9.5 },
    ],
    [
      { label: '考试科目', fact: 'subject' },
      { label: '试卷类型', fact: 'paper' },
    ],
    [
      { label: '考点', fact: 'site', weight: 'bold' },
      { label: '教室', fact: 'room' },
    ],
    [{ label: '考点地址', fact: 'address' }],
    [{ label: '交通提示', fact: 'traffic', size: 9, optional: true }],
  ],
  notes: '考 生 须 知',
  caption: '扫码核验 · 请勿折叠污损',
}

/** Layouts of tickets by name; a tenant chooses one by the parameter `ticket.layout`. */
export const ticketLayouts = {
  standard,
  large: {
    ...standard,
    identity: [
      [{ label: '姓名', fact: 'name', size: 16, weight: 'bold' }],
      [{ label: '准考证号', fact: 'ticketNo', size: 16, weight: 'bold' }],
      [{ label: '证件号码', fact: 'idCard', size: 14 }],
      [{ label: '报考岗位', fact: 'post', size: 12 }],
    ],
    place: [
      [{ label: '考试日期', fact: 'date', size: 14, weight: 'bold' }],
      [{ label: '考试时间', fact: 'time', size: 14, weight: 'bold' }],
      [{ label: '考试科目', fact: 'subject', size: 12 }],
      [{ label: '考点', fact: 'site', size: 14, weight: 'bold' }],
      [{ label: '教室', fact: 'room', size: 14, weight: 'bold' }],
      [{ label: '考点地址', fact: 'address', size: 12 }],
      [{ label: '交通提示', fact: 'traffic', size: 10, optional: true }],
    ],
  },
} satisfies Readonly<Record<keyof typeof ticketLayoutTitles, TicketLayout>>
