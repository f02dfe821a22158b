import { expect, onTestFinished, test } from 'vitest'
import { startNationalBench } from '../helper/national-bench.ts'

test('an exam of 20,000 sign-ups takes them as fast as a small one, and never one too many', async () => {
  // How many a second is asked of a machine that does nothing else.
  const bench = startNationalBench(20_000, { NATIONAL_RATE: '0' })
  onTestFinished(() => bench.stop())
  expect(await bench.ended, bench.output()).toBe(0)
})
