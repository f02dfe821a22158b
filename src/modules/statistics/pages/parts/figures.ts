import type { Endpoint, ValuesOf } from '#engine'
import { useEndpoint } from '../../../../screens/parts/use-endpoint.ts'
import { passedByType, plannedByType, signedByType, type TypeLine, waitingByType } from '../../contract.ts'

/**
 * One of the figures of an exam; nothing is asked for while there is none.
 * @param every milliseconds after which it is read again by itself
 */
export const useFigure = <E extends Endpoint>(
  endpoint: E,
  values: ValuesOf<NoInfer<E>> & { readonly examId: string },
  every?: number,
) => useEndpoint(endpoint, values, { enabled: values.examId !== '', every, keep: true })

/** A column of the grouped bars. */
export interface Series {
  name: string
  /** A CSS colour. */
  colour: string
  values: readonly number[]
}

/** The four numbers per type, as series over the same types. */
export function useTypes(examId: string, every?: number): { types: readonly string[]; series: Series[] } {
  const [plan, all, waiting, passed] = [
    useFigure(plannedByType, { examId }, every).data ?? [],
    useFigure(signedByType, { examId }, every).data ?? [],
    useFigure(waitingByType, { examId }, every).data ?? [],
    useFigure(passedByType, { examId }, every).data ?? [],
  ]
  const words = new Map([...plan, ...all, ...waiting, ...passed].map(one => [one.type, one.typeName]))
  const counts = [plan, all, waiting, passed]
  const used = [...words.keys()].filter(type => counts.some(list => list.some(one => one.type === type && one.num > 0)))
  const valuesOf = (lines: readonly TypeLine[]) => used.map(type => lines.find(one => one.type === type)?.num ?? 0)
  return {
    types: used.map(type => words.get(type) ?? type),
    series: [
      { name: '招聘计划数', colour: 'var(--jx-ink-3)', values: valuesOf(plan) },
      { name: '报名人数', colour: 'var(--jx-primary)', values: valuesOf(all) },
      { name: '未审核', colour: 'var(--jx-warn)', values: valuesOf(waiting) },
      { name: '审核通过', colour: 'var(--jx-good)', values: valuesOf(passed) },
    ],
  }
}
