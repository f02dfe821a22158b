import type { StaffPerson } from '../../contract.ts'

/** Exam roles whose people are limited to their units: first and second reviewers. */
export const limited: readonly number[] = [2, 3]

/** How much of a unit somebody has. */
export type Cover = 'full' | 'part' | 'none'

/** What a person has of a unit. */
export const coverOf = ({ units, part }: StaffPerson, unit: string): Cover =>
  units.includes(unit) ? 'full' : part.includes(unit) ? 'part' : 'none'
