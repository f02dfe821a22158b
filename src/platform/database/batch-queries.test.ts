import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { batchQueries } from './batch-queries.ts'

/** A slow register that notes how it was asked; one of its groups is very slow. */
function register() {
  const asked: string[][] = []
  const ask = batchQueries<string, string | undefined>(
    async keys => {
      asked.push([...keys])
      await pause(keys.includes('slow') ? 300 : 5)
      if (keys.includes('broken')) throw new Error('broken')
      return keys.map(key => (key === 'nobody' ? undefined : key.toUpperCase()))
    },
    key => (key.startsWith('other') ? 'other' : ''),
  )
  return { asked, ask }
}

test('those who come at once are asked together; of those who come meanwhile, two questions are under way', async () => {
  const { asked, ask } = register()
  const answers: Promise<string | undefined>[] = []
  for (const keys of [['a', 'b', 'a', 'nobody'], ['c', 'd'], ['e'], ['f']]) {
    answers.push(...keys.map(ask))
    await new Promise(setImmediate)
  }
  expect(await Promise.all(answers)).toEqual(['A', 'B', 'A', undefined, 'C', 'D', 'E', 'F'])
  expect(asked).toEqual([
    ['a', 'b', 'a', 'nobody'],
    ['c', 'd'],
    ['e', 'f'],
  ])
})

test('no item is answered from a query that began before it was asked for', async () => {
  const { asked, ask } = register()
  const first = ask('a')
  await pause(2)
  await Promise.all([first, ask('a')])
  expect(asked).toEqual([['a'], ['a']])
})

test('groups never share a question nor wait for one another', async () => {
  const { asked, ask } = register()
  await Promise.all(['a', 'other 1', 'b', 'other 2'].map(ask))
  expect(asked).toEqual([
    ['a', 'b'],
    ['other 1', 'other 2'],
  ])
})

test('a question that takes long does not hold up those who come after it', async () => {
  const { ask } = register()
  const order: string[] = []
  const note = (key: string) => ask(key).then(() => order.push(key))
  const slow: Promise<number>[] = []
  for (let i = 0; i < 2; i++) {
    slow.push(note('slow'))
    await pause(2)
  }
  await Promise.all([...slow, note('a'), pause(120).then(() => note('b'))])
  expect(order).toEqual(['a', 'b', 'slow', 'slow'])
})

test('more than a hundred are asked a hundred at a time', async () => {
  const { asked, ask } = register()
  const answers = await Promise.all(Array.from({ length: 250 }, (_, i) => ask(`k${i}`)))
  expect(answers).toEqual(Array.from({ length: 250 }, (_, i) => `K${i}`))
  expect(asked.map(keys => keys.length)).toEqual([100, 100, 50])
})

test('a failure reaches those who asked, and the next question is asked again', async () => {
  const { ask } = register()
  const both = [ask('a'), ask('broken')]
  await pause(2)
  const [first, second, third] = await Promise.allSettled([...both, ask('b')])
  expect([first?.status, second?.status, third?.status]).toEqual(['rejected', 'rejected', 'fulfilled'])
  expect(await ask('b')).toBe('B')
})
