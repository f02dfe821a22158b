import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { root } from './config.ts'
import { limits } from './limits.ts'

test.each(['docs/operate.md', 'docs/handbook.zh-CN.md'])('%s tells every limit as the code has it', file => {
  const text = readFileSync(path.join(root, file), 'utf8')
  const told = [...text.matchAll(/^\| (\w+) \| (\d+) (s|min|秒|分钟) \|/gm)].map(([, name = '', number, unit = '']) => [
    name,
    Number(number) * (['min', '分钟'].includes(unit) ? 60_000 : 1000),
  ])
  expect(Object.fromEntries(told)).toEqual(limits)
})

test('no channel has a time of its own for a call', () => {
  const channels = path.join(root, 'src/platform/channels')
  const files = readdirSync(channels, { recursive: true, encoding: 'utf8' }).filter(
    file => file.endsWith('.ts') && !/\.test\.ts$|sandbox/.test(file),
  )
  expect(files.length).toBeGreaterThan(20)
  const own = /AbortSignal\.timeout\((?!limits\.|this\.#around\.timeout \?\? limits\.|time\))|const patience\b/
  expect(files.filter(file => own.test(readFileSync(path.join(channels, file), 'utf8')))).toEqual([])
})

test('proxies before the server have callers come again when it does', () => {
  const said = ['nginx.conf', 'haproxy.cfg'].map(file => {
    const text = readFileSync(path.join(root, 'deploy', file), 'utf8')
    return /Retry-After (\d+)/.exec(text)?.[1]
  })
  expect(said).toEqual([String(limits.retry / 1000), String(limits.retry / 1000)])
})
