import { useQueries } from '@tanstack/react-query'
import type { AnswerOf } from '#engine'
import { isBlank } from '../../../../engine/blank.ts'
import { call } from '../../../../platform/http/browser/call.ts'
import type { Position } from '../../../exams/contract.ts'
import { precheckSignup } from '../../contract.ts'

/** What the pre-check says of one rule: level 1 fits, 2 look at it, 3 does not fit. */
export type RuleResult = AnswerOf<typeof precheckSignup>[number]

/** What positions are compared with: what the candidate has filled in so far. */
export interface Compare {
  examId: string
  content: Record<string, unknown>
}

/** What the server's pre-check says of a position. @throws as `call` */
export const askPrecheck = (
  { examId, content }: Compare,
  { unit, code }: Pick<Position, 'unit' | 'code'>,
  signal?: AbortSignal,
): Promise<RuleResult[]> => call(precheckSignup, { examId, unit, code, content }, { signal, pass: 'all' })

/** Items a rule is judged by. Rules that are not here look at the ID number. */
const judgedBy: Readonly<Record<string, readonly string[]>> = {
  education: ['education'],
  degree: ['degree'],
  major: ['major'],
  title: ['title'],
  certificate: ['certificates'],
  fresh: ['freshGraduate'],
  region: ['householdRegion', 'studentOrigin'],
  experience: ['workStart'],
}

/** Whether a result excludes a position; what was not filled in yet excludes none. */
function isAgainst({ rule, level }: RuleResult, content: Compare['content']): boolean {
  const codes = judgedBy[rule]
  return level > 2 && (!codes || codes.some(code => !isBlank(content[code])))
}

/**
 * The positions that nothing excludes, after the server's own pre-check; all of them without `compare`. Rules about
 * things not filled in yet do not exclude a position. `left` counts those still being compared.
 */
export function useFitting(positions: readonly Position[], compare: Compare | undefined) {
  const asked = compare ? positions.filter(one => one.selectable) : []
  const answers = useQueries({
    queries: asked.map(one => ({
      queryKey: ['precheck', compare?.examId, one.code, compare?.content],
      staleTime: 60_000,
      retry: false,
      queryFn: ({ signal }: { signal: AbortSignal }) => inTurn(() => askPrecheck(compare as Compare, one, signal)),
    })),
  })
  if (!compare) return { list: positions, left: 0 }
  const list = asked.filter((_, at) => answers[at]?.data?.every(result => !isAgainst(result, compare.content)))
  return { list, left: answers.filter(answer => answer.isPending).length }
}

/** Calls under way at once: a phone's connection serves other things as well. */
const LANES = 4
let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= LANES) await new Promise<void>(go => waiting.push(go))
  running++
  try {
    return await work()
  } finally {
    running--
    waiting.shift()?.()
  }
}
