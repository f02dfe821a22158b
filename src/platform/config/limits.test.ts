import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { root } from './config.ts'
import { limits } from './limits.ts'

test('the handbook tells every limit as the code has it', () => {
  const handbook = readFileSync(path.join(root, 'docs/operate.md'), 'utf8')
  const told = [...handbook.matchAll(/^\| (\w+) \| (\d+) (s|min) \|/gm)].map(([, name = '', number, unit]) => [
    name,
    Number(number) * (unit === 'min' ? 60_000 : 1000),
  ])
  expect(Object.fromEntries(told)).toEqual(limits)
})
