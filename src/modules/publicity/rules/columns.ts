import { PublicityKind } from '#schemas/dictionaries/publicity'
import type { publicityCells } from '#schemas/publicity/publicityrow'

/** What a public list says of a line. */
export type CellName = keyof typeof publicityCells

/** A kind of list that has lines of its own; a correction has those of the list it replaces. */
export type OwnKind = Exclude<(typeof PublicityKind)[keyof typeof PublicityKind], 8>

interface Columns {
  preset: readonly CellName[]
  /** May be chosen besides. */
  more: readonly CellName[]
}

const post = ['unit', 'postName', 'code'] as const

const byKind: Readonly<Record<OwnKind, Columns>> = {
  [PublicityKind.qualification]: { preset: ['signNo', 'name', ...post], more: [] },
  [PublicityKind.reduction]: { preset: [...post, 'planNum', 'effectNum', 'afterNum'], more: ['decision'] },
  [PublicityKind.payment]: { preset: [...post, 'paidNum'], more: ['planNum'] },
  [PublicityKind.scores]: { preset: ['ticketNo', 'code', 'postName', 'score', 'rankNo'], more: ['unit'] },
  [PublicityKind.shortlist]: {
    preset: ['ticketNo', 'name', 'code', 'postName', 'score', 'rankNo'],
    more: ['unit', 'signNo'],
  },
  [PublicityKind.examination]: {
    preset: ['ticketNo', 'name', 'code', 'postName', 'outcome'],
    more: ['unit', 'signNo'],
  },
  [PublicityKind.hiring]: {
    preset: ['name', 'sex', 'education', 'degree', 'major', 'ticketNo', ...post, 'totalScore', 'rankNo'],
    more: ['birthMonth', 'signNo'],
  },
}

/** The columns of lists of a kind. */
export const columnsFor = (kind: OwnKind): Columns => byKind[kind]

/** Names are public in full only of those who are to be hired. */
export const showsFullNames = (kind: OwnKind): boolean => kind === PublicityKind.hiring

/** The columns of lists of one kind that others of the same kind may not have, in the order in which lists have them. */
export const knownColumns = (kind: OwnKind): readonly CellName[] => [...byKind[kind].preset, ...byKind[kind].more]

/** Whether lists of this kind are made of the results of one stage. */
export const isOfStage = (kind: OwnKind): boolean =>
  kind === PublicityKind.scores || kind === PublicityKind.shortlist || kind === PublicityKind.examination

/** Whether each line of a list of this kind is somebody's; the others are about positions. */
export const isAboutPeople = (kind: OwnKind): boolean =>
  kind !== PublicityKind.reduction && kind !== PublicityKind.payment

/**
 * Numbers that share digits with anybody's by chance: ours are made from nobody's. All other cells are looked through for parts of ID
 * and phone numbers. A month of birth is asked for by name.
 */
const numbers: readonly CellName[] = [
  'signNo',
  'ticketNo',
  'code',
  'birthMonth',
  'planNum',
  'effectNum',
  'afterNum',
  'paidNum',
  'score',
  'totalScore',
  'rankNo',
]

/** Whether a cell is looked through for parts of ID and phone numbers. */
export const isFreeCell = (name: CellName | 'remark'): boolean => !(numbers as readonly string[]).includes(name)

/** Reads the work days for which lists of each kind are public, `1=3,7=7`; 0 for kinds that are not named. */
export function workdaysFor(list: string, kind: OwnKind): number {
  const found = list.split(',').find(one => one.startsWith(`${kind}=`))
  return Number(found?.split('=')[1] ?? 0)
}
