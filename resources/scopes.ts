import { scope } from '#engine'

/** Roles that meet every row of their tenant, whatever its scope. */
export const wideRoles: readonly string[] = ['administrator', 'admin']

/** What somebody is appointed to an exam for: keys of dictionary `exam_role`. */
export const duty = { manager: 1, reviewer: 2, rechecker: 3, finance: 4, proctor: 5, observer: 6 } as const

/** Which appointments to an exam count for rows of a kind. */
export interface ExamDuties extends Readonly<Record<string, unknown>> {
  /** Duties that meet the rows. */
  readonly meet: readonly number[]
  /** Duties that change them, too; all that meet them where nothing is said. */
  readonly change?: readonly number[]
  /** Duties that meet only rows of the units and positions they are appointed for, and the columns that hold these. */
  readonly limited?: {
    readonly duties: readonly number[]
    readonly unit: readonly string[]
    readonly code: readonly string[]
  }
}

/** Rows of an exam: met by staff who are appointed to it for one of some duties, by administrators without. */
export const byExam = scope<ExamDuties>('exam', 'examination')

const { manager, reviewer, rechecker, finance, proctor, observer } = duty

/** What an exam is made of: whoever has a part in it knows it, its manager alone changes it. */
export const settings: ExamDuties = {
  meet: [manager, reviewer, rechecker, finance, proctor, observer],
  change: [manager],
}

/** What the manager arranges and nobody else works on: tickets, results, reductions, notices, messages, staff. */
export const arranged: ExamDuties = { meet: [manager, observer], change: [manager] }

/** Money of an exam: its finance and its manager. */
export const money: ExamDuties = { meet: [manager, finance] }

/** Sign-ups: reviewers meet those of their units and positions. */
export const signUps: ExamDuties = {
  meet: [manager, reviewer, rechecker, observer],
  change: [manager, reviewer, rechecker],
  limited: { duties: [reviewer, rechecker], unit: ['finalUnit', 'unit'], code: ['finalCode', 'code'] },
}
