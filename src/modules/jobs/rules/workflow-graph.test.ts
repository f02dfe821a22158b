import { expect, test } from 'vitest'
import { graphProblems, nodeNames } from './workflow-graph.ts'

/** Nodes as `name: those before`. */
const nodes = (given: Record<string, string | null>) =>
  Object.entries(given).map(([nodeName, afterNodes]) => ({ nodeName, afterNodes }))
const said = (given: Record<string, string | null>) => graphProblems(nodes(given)).map(one => one.msg)

test('a fork that joins again is right', () => {
  expect(said({ A: null, B: 'A', C: 'A', D: 'B,C', E: '' })).toEqual([])
  expect(said({})).toEqual([])
})

test('names are read with spaces and either comma, each once', () => {
  expect(nodeNames(' A，B, A ,')).toEqual(['A', 'B'])
})

test.each([
  [{ A: 'A' }, ['节点“A”不能是自己的前置节点']],
  [{ A: null, B: 'X,A' }, ['节点“B”的前置节点“X”不存在']],
  [{ A: 'B', B: 'A' }, ['前置节点形成循环：B → A → B']],
  [{ A: null, B: 'A,D', C: 'B', D: 'C', E: 'D' }, ['前置节点形成循环：C → D → B → C']],
])('%j is refused in words', (given, words) => {
  expect(said(given as Record<string, string | null>)).toEqual(words)
})

test('a name that two nodes have is said at the second', () => {
  const twice = [...nodes({ A: null }), ...nodes({ A: null })]
  expect(graphProblems(twice)).toEqual([{ nodeName: 'A', field: 'nodeName', msg: '节点名称“A”重复' }])
})

test('a long row of nodes is looked through at once', () => {
  const many = Array.from({ length: 200 }, (_, n) => [`N${n}`, n === 0 ? null : `N${n - 1}`] as const)
  expect(said(Object.fromEntries(many))).toEqual([])
  expect(said({ ...Object.fromEntries(many), N0: 'N199' })[0]).toContain('循环')
})
