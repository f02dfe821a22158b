import { expect, test } from 'vitest'
import { cronProblem } from './cron.ts'

test.each([
  '0 0 2 * * ?',
  '0 0/5 8-18 ? * MON-FRI',
  '0,30 * * L * ?',
  '0 0 0 LW * ? 2026-2030',
  '0 0 0 15W * ?',
  '0 0 0 ? * 6#3',
  '0 0 0 ? * FRIL',
  '0 0 0 1 jan,JUL ?',
  '*/10 * * * * ?',
  '0 0 2 * * *',
  '0 0 2 15 * *',
  '0 0 2 ? * 2',
  '0 0 2 L-3,15W * ?',
  '0 0 2 LW,15 * ?',
  '0 0 2 ? * L',
])('%s is right', text => expect(cronProblem(text)).toBeNull())

test.each([
  '',
  '0 2 * * *',
  '60 0 2 * * ?',
  '0 0 24 * * ?',
  '0 0 2 32 * ?',
  '0 0 2 * 13 ?',
  '0 0 2 ? * 8',
  '0 0 2 ? * ?',
  '0 0 2 5-1 * ?',
  '0 0/0 2 * * ?',
  '0 0 2 * * ? 1969',
  '0 0 2 * * ? 2026 x',
  '0 0 2 * * MON#6',
  '0 0 2,, * * ?',
  '@daily',
  '* * * * *',
  '? 0 2 * * ?',
  '0 0 2 ?,5 * ?',
  '0 0 2 L-31 * ?',
  '0 0 22-2 * * ?',
  '0 0 2 ? * FRI#L',
])('%s is wrong', text => expect(cronProblem(text)).toMatch(/CRON/))

test.each(['0 0 2 15 * 2', '0 0 2 1-31 * MON', '0 0 2 L * 6L', '0 0 2 */2 * 1'])('%s restricts both days', text =>
  expect(cronProblem(text)).toBe('日和周只能限定一个，另一个填?'),
)
