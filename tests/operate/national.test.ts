import { expect } from 'vitest'
import { startNationalBench } from '../helper/national-bench.ts'
import { trial } from '../helper/trial.ts'

/** Sign-ups of the large exam. Fewer, while one works on the trial, by `OPERATE_ROWS`. */
const rows = Number(process.env.OPERATE_ROWS ?? 2_000_000)

/** What the bench says, by the words of its lines. */
const said = {
  made: /^.* sign-ups made in .*$/gm,
  rate: /^.* a second with .* ratio of the time .*$/m,
  'processor time': /^processor time of Node .*$/m,
  'log of the database': /^log of the database .*$/m,
  'last places': /^.* people for the last .*$/m,
} as const

trial(
  'an exam of two million sign-ups takes them as fast as one of twenty thousand, and never one too many',
  { needs: [], disk: Math.ceil(rows / 100_000), minutes: 120 },
  async run => {
    const bench = startNationalBench(rows, { TMPDIR: run.folder })
    run.after(() => bench.stop())
    const code = await bench.ended
    for (const [name, words] of Object.entries(said))
      for (const [at, line] of (bench.output().match(words) ?? []).entries())
        run.figure(at === 0 ? name : `${name} (${at + 1})`, line)
    expect(code, bench.output()).toBe(0)
  },
)
