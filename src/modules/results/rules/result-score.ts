import { ResultFlag } from '#schemas/dictionaries/exam'

/** What a result says: a score, or why there is none. Scores are decimal texts, empty or null for none. */
export interface Mark {
  score: string | null
  addScore: string | null
  /** 1 normal, 2 absent, 3 cheated, 4 zero by decision. */
  resultFlag: number
}

/** What is wrong with a mark, by field. */
export interface MarkProblem {
  field: keyof Mark
  msg: string
}

/** A decimal of the database without the zeros at its end, on the wire: `72.5000` is `72.5`. */
export const shortDecimal = (text: string | null): string | null =>
  text?.includes('.') ? text.replace(/\.?0+$/, '') : text

const form = /^\d{1,5}(\.\d{1,2})?$/

/**
 * The rules of one result, in the order of its fields: a normal one has a score within the full mark, an absent one and
 * one that was struck for cheating has none, and one by decision has 0.
 * @param fullScore most points of the stage; null for no limit
 */
export function markProblems({ score, addScore, resultFlag }: Mark, fullScore: string | null): MarkProblem[] {
  const found: MarkProblem[] = []
  const ask = (field: keyof Mark, holds: boolean, msg: string) => void (holds || found.push({ field, msg }))
  const given = score !== null && score !== ''
  if (given) {
    ask('score', form.test(score), '成绩应为不小于 0 的数字，最多两位小数')
    const isFull = fullScore !== null && form.test(score) && Number(score) > Number(fullScore)
    ask('score', !isFull, `成绩不能超过满分 ${Number(fullScore)}`)
  }
  ask('score', given || resultFlag !== ResultFlag.normal, '请输入成绩，缺考、违纪的请选择成绩标记')
  ask(
    'score',
    !given || (resultFlag !== ResultFlag.absent && resultFlag !== ResultFlag.misconduct),
    '缺考、违纪的不能有成绩',
  )
  ask('score', !given || resultFlag !== ResultFlag.zero || Number(score) === 0, '零分的成绩只能是 0')
  ask('addScore', !addScore || form.test(addScore), '加分应为不小于 0 的数字，最多两位小数')
  return found
}

/** A mark as it is kept: a zero by decision has the score 0, an addition of nothing is none. */
export const keptMark = ({ score, addScore, resultFlag }: Mark): Mark => ({
  score: resultFlag === ResultFlag.zero ? '0' : score || null,
  addScore: addScore || null,
  resultFlag,
})
