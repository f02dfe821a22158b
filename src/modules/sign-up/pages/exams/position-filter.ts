import { FreshReq, SexReq } from '#schemas/dictionaries/exam'
import type { Position } from '../../../exams/contract.ts'

/** What a candidate narrows the positions down by; empty texts leave everything. */
export interface Wanted {
  text: string
  unit: string
  type: string
  edu: string
  /** Only those that can be chosen now. */
  free: boolean
}

/** Nothing narrowed down. */
export const everything: Wanted = { text: '', unit: '', type: '', edu: '', free: false }

const searched = (one: Position): string =>
  [one.code, one.postName, one.unitName, one.typeName, one.majorReq, one.otherReq].join(' ').toLowerCase()

/** The positions that fit; every word of the text must be found in code, names or demands. */
export function filterPositions<T extends Position>(positions: readonly T[], wanted: Wanted): T[] {
  const words = wanted.text.toLowerCase().split(/\s+/).filter(Boolean)
  return positions.filter(
    one =>
      (!wanted.unit || one.unit === wanted.unit) &&
      (!wanted.type || one.type === wanted.type) &&
      (!wanted.edu || one.eduReq === wanted.edu) &&
      (!wanted.free || one.selectable) &&
      (words.length === 0 || words.every(word => searched(one).includes(word))),
  )
}

/** The distinct keys of a field with their words, in the order in which they appear. */
export function choicesOf(
  positions: readonly Position[],
  key: 'unit' | 'type' | 'eduReq',
  word: 'unitName' | 'typeName' | 'eduReqName',
): { key: string; value: string }[] {
  const found = new Map(positions.filter(one => one[key]).map(one => [one[key], one[word] || one[key]]))
  return [...found].map(([id, value]) => ({ key: id, value }))
}

type Words = (text: string, vars?: Record<string, unknown>) => string

/** What a position demands, in words; empty when it demands nothing. */
export function demandsOf(one: Position, t: Words): string[] {
  return [
    one.eduReqName && t('{{edu}}及以上', { edu: t(one.eduReqName) }),
    one.degreeReqName,
    one.majorReq && t('专业：{{major}}', { major: one.majorReq }),
    one.ageMax !== '' && one.ageMax && t('{{n}} 周岁及以下', { n: one.ageMax }),
    Number(one.sexReq) === SexReq.male && t('限男性'),
    Number(one.sexReq) === SexReq.female && t('限女性'),
    Number(one.freshReq) === FreshReq.currentYear && t('限应届毕业生'),
    Number(one.freshReq) === FreshReq.earlierYears && t('限往届毕业生'),
    one.titleReqName,
    one.certReq,
    one.expYears !== '' && Number(one.expYears) > 0 && t('{{n}} 年以上工作经历', { n: one.expYears }),
    one.otherReq,
  ].filter((word): word is string => typeof word === 'string' && word !== '')
}

/** How crowded a position is, 0 (nobody) to 4, from the people for each place. */
export function heatOf(ratio: string): 0 | 1 | 2 | 3 | 4 {
  const value = Number(ratio)
  if (!(value > 0)) return 0
  if (value < 3) return 1
  if (value < 10) return 2
  return value < 30 ? 3 : 4
}
