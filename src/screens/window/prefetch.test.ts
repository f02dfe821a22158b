import { afterEach, expect, test, vi } from 'vitest'
import { comeNear, prefetcher } from './prefetch.ts'

const brought: string[] = []
prefetcher.load = (path, what) => brought.push(`${path} ${what}`)

afterEach(() => {
  comeNear([])
  brought.length = 0
  vi.unstubAllGlobals()
})

test('the programs of an opened group come one after the other, and no more of the group before', async () => {
  comeNear(['/a', '/b'])
  await expect.poll(() => brought).toEqual(['/a program', '/b program'])
  comeNear(['/c', '/d'])
  comeNear(['/e'])
  await expect.poll(() => brought.at(-1)).toBe('/e program')
  expect(brought).not.toContain('/c program')
})

test('whoever spares data gets nothing ahead', async () => {
  vi.stubGlobal('navigator', { connection: { saveData: true } })
  comeNear(['/a'])
  await new Promise(done => setTimeout(done, 500))
  expect(brought).toEqual([])
})
