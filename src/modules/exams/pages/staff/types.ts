/** A unit of the exam and what it lacks in the role shown. */
export interface StaffUnit {
  unit: string
  unitName: string
  posts: number
  /** Sign-ups that wait for this role. */
  waiting: number
  /** Codes of positions without anybody. */
  lacking: string[]
}

/** Somebody with the role in the exam, and which units he has. */
export interface StaffPerson {
  userId: string
  name: string
  /** False when the account is out of use: it covers nothing. */
  usable: boolean
  /** Appointments that are switched off or over. */
  idle: number
  all: boolean
  units: string[]
  part: string[]
  timed: Record<string, { startTime: string; endTime: string }>
}

/** Who covers which unit of an exam in a role. */
export interface Matrix {
  exam: { id: string; examName: string; examStatus: number; examineMode: number }
  examRole: number
  units: StaffUnit[]
  people: StaffPerson[]
}

/** Somebody who may be appointed. */
export interface Choice {
  id: string
  name: string
  account: string
  roleNames: string
}

/** What copying from another exam answers. */
export interface Copied {
  copied: number
  same: number
  left: { userName: string; examRole: number; msg: string }[]
}

/** The calls of the staff page. */
export const base = '/blade-examUser/examuser'

/** The read that every change makes stale. */
export const matrixPath = `${base}/getStaffMatrix`

/** Exam roles whose people are limited to their units: first and second reviewers. */
export const limited: readonly number[] = [2, 3]

/** How much of a unit somebody has. */
export type Cover = 'full' | 'part' | 'none'

/** What a person has of a unit. */
export const coverOf = ({ units, part }: StaffPerson, unit: string): Cover =>
  units.includes(unit) ? 'full' : part.includes(unit) ? 'part' : 'none'
