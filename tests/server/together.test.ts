import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { together } from '../../src/server/plugins/together.ts'

/** A slow register that notes how it was asked. */
function register() {
  const asked: string[][] = []
  const ask = together<string>(async keys => {
    asked.push([...keys])
    await pause(5)
    if (keys.includes('broken')) throw new Error('broken')
    return new Map(keys.filter(key => key !== 'nobody').map(key => [key, key.toUpperCase()]))
  })
  return { asked, ask }
}

test('the first asks alone, those who come meanwhile together, each key once', async () => {
  const { asked, ask } = register()
  const answers = await Promise.all(['a', 'b', 'c', 'b', 'nobody'].map(ask))
  expect(answers).toEqual(['A', 'B', 'C', 'B', undefined])
  expect(asked).toEqual([['a'], ['b', 'c', 'nobody']])
})

test('nobody is answered from a question asked before he came', async () => {
  const { asked, ask } = register()
  const first = ask('a')
  const second = ask('a')
  await Promise.all([first, second])
  expect(asked).toEqual([['a'], ['a']])
})

test('a failure reaches those who asked, and the next question is asked again', async () => {
  const { ask } = register()
  const [first, second, third] = await Promise.allSettled([ask('a'), ask('broken'), ask('b')])
  expect([first?.status, second?.status, third?.status]).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(await ask('b')).toBe('B')
})
