import { describe, expect, it } from 'vitest'
import { decisionProblem, placesOf, proposalOf } from './reduction.ts'

describe('what the rule makes of a position', () => {
  it.each([
    [2, 5, '3.00', 1, 2],
    [2, 6, '3.00', 2, 1],
    [2, 2, '3.00', 0, 3],
    [1, 2, '3.00', 0, 3],
    [3, 4, '3.00', 1, 2],
    [2, 4, '3', 1, 2],
    [5, 7, '3.0', 2, 2],
    [2, 3, '1.5', 2, 1],
    [3, 3, '1.5', 2, 2],
    [1, 1, '0.7', 1, 1],
    [7, 7, '1.1', 6, 2],
    [10, 33, '3.3', 10, 1],
    [9, 27, '3.0001', 8, 2],
    [1, 0, '3', 0, 3],
    [1, 900, '3', 1, 1],
    [4, 0, '0', 4, 1],
    [4, 0, '0.0000', 4, 1],
  ])('plan %i, %i people at %s : 1 → %i', (planNum, effectNum, ratio, afterNum, decision) => {
    expect(proposalOf({ planNum, effectNum, ratio })).toEqual({ afterNum, decision })
  })
})

describe('what may be decided', () => {
  const keep = { decision: 1, afterNum: 3 } as const
  const cut = { decision: 2, afterNum: 2 } as const
  const cancel = { decision: 3, afterNum: 0 } as const
  it.each([
    ['keeps what has its people', keep, 1, 3, null],
    ['cuts what has its people', keep, 2, 2, 'reached'],
    ['cancels what has its people', keep, 3, 0, 'reached'],
    ['leaves it open', cut, 0, 2, null],
    ['keeps what has too few', cut, 1, 3, '未达开考比例的岗位须核减、取消或特批保留'],
    ['cuts as proposed', cut, 2, 2, null],
    ['cuts further', cut, 2, 1, null],
    ['cuts to nothing', cut, 2, 0, '核减后计划数须大于0'],
    ['cuts nothing off', cut, 2, 3, '核减后计划数须小于原计划数'],
    ['cancels what could be cut', cut, 3, 0, null],
    ['cancels', cancel, 3, 0, null],
    ['keeps by permission', cancel, 4, 3, null],
    ['keeps more than was planned', cancel, 4, 4, '核减后计划数不能大于原计划数'],
    ['keeps nothing by permission', cancel, 4, 0, '核减后计划数须大于0'],
  ])('%s', (_, proposal, decision, afterNum, problem) => {
    expect(decisionProblem(proposal, 3, { decision, afterNum })).toBe(problem)
  })

  it('leaves the places of the decision', () => {
    const places = [1, 2, 3, 4].map(decision => placesOf(3, { decision, afterNum: 2 }))
    expect(places).toEqual([3, 2, 0, 2])
  })
})
