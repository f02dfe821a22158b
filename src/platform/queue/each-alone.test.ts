import { expect, test, vi } from 'vitest'
import { eachAlone } from './each-alone.ts'

const log = { error: vi.fn() }
const app = { log } as never
const items = ['a', 'b', 'c', 'd'].map(name => ({ name }))

test('what fails holds up no other, and is said when the others have had their turn', async () => {
  const worked: string[] = []
  const work = async ({ name }: { name: string }) => {
    worked.push(name)
    if (name === 'a' || name === 'c') throw new Error(name)
    return 1
  }
  await expect(eachAlone(app, items, work)).rejects.toThrow('a')
  expect(worked).toEqual(['a', 'b', 'c', 'd'])
  expect(log.error.mock.calls.map(([one]) => [one.item.name, one.err.message])).toEqual([['c', 'c']])
})

test('what was done is counted, and an end stops before the next one', async () => {
  expect(await eachAlone(app, items, async () => 2)).toBe(8)
  const ending = new AbortController()
  const worked: string[] = []
  const work = async ({ name }: { name: string }) => {
    worked.push(name)
    if (name === 'b') ending.abort()
    return 1
  }
  await expect(eachAlone(app, items, work, ending.signal)).rejects.toThrow('aborted')
  expect(worked).toEqual(['a', 'b'])
})
