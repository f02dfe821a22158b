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
])('%s is wrong', text => expect(cronProblem(text)).toMatch(/CRON/))
