import { useQuery } from '@tanstack/react-query'
import { call } from '../../platform/http/browser/http.ts'

/** Where the figures are. */
export const base = '/blade-signup/statistics'

/** Figures of a position; the last line of a list is their sum, without a code and with the time of counting. */
export interface PositionLine {
  unit: string
  unitName: string
  type: string
  typeName: string
  code: string
  postName: string
  planNum: number
  curPlanNum: number
  /** Handed in; the five after it add up to it. */
  bmrs: number
  wshrs: number
  shtgrs: number
  shbtgrs: number
  thrs: number
  fszrs: number
  /** Paid or exempt. */
  jfrs: number
  openRatio: string
  ratio: string
  reach: 0 | 1 | ''
  time?: string
}

/** One type of position. */
export interface TypeLine {
  type: string
  typeName: string
  num: number
}

/** A day or an hour. */
export interface LinePoint {
  time: string
  num: number
  total: number
}

/** One sex. */
export interface SexLine {
  sex: number
  num: number
  percent: number
}

/** One state of payment; amounts in fen. */
export interface PayLine {
  payState: number
  label: string
  num: number
  amount: number
}

/** A unit with its positions. */
export interface UnitNode {
  unit: string
  unitName: string
  codes: { code: string; postName: string }[]
}

/** What narrows figures down; `limit` takes the fullest positions only. */
export interface Narrowing {
  item?: string
  unit?: string
  code?: string
  limit?: number
  step?: 'day' | 'hour'
}

/**
 * One of the figures of an exam.
 * @param every milliseconds after which it is read again by itself
 */
export function useFigure<T>(name: string, examId: string, params: Narrowing = {}, every?: number) {
  const path = `${base}/${name}`
  const query = { examId, ...params }
  return useQuery({
    queryKey: [path, query],
    queryFn: ({ signal }) => call<T>('GET', path, { params: query, signal }),
    enabled: examId !== '',
    refetchInterval: every ?? false,
    placeholderData: before => before,
  })
}

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
    useFigure<TypeLine[]>('getZpjhForType', examId, {}, every).data ?? [],
    useFigure<TypeLine[]>('getBmrsForType', examId, {}, every).data ?? [],
    useFigure<TypeLine[]>('getWshrsByType', examId, {}, every).data ?? [],
    useFigure<TypeLine[]>('getShtgrsByType', examId, {}, every).data ?? [],
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
