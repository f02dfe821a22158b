import { expect, test } from 'vitest'
import { readModel } from '../rules/read-model.ts'
import { chosenIn } from './chosen.ts'
import { expenseModel } from './expense-model.ts'
import { knownToModels } from './known.ts'

test('people are picked in the order of the steps, whatever the order in which the database keeps them', () => {
  const { graph } = readModel(expenseModel, knownToModels)
  const nodes = Object.fromEntries(Object.entries(graph.nodes).toSorted(([a], [b]) => a.length - b.length))
  expect(chosenIn({ ...graph, nodes }).map(one => one.taskName)).toEqual(['审批', '会签'])
})
