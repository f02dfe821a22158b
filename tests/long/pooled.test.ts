import { spawn } from 'node:child_process'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

// Files of the suite with servers behind a pooler in transaction mode: all that they find must be as without it.

const root = path.resolve(import.meta.dirname, '../..')
const files = [
  'src/crud',
  'src/platform/audit',
  'src/platform/auth',
  'src/platform/accounts',
  'src/platform/access',
  'src/platform/queue',
  'src/modules/sign-up',
  'src/modules/payment',
  'src/modules/review',
  'src/modules/tickets',
  'src/modules/jobs',
  'src/modules/notifications',
  'src/modules/messages',
  'src/platform/channels',
  'src/modules/desk',
  'src/modules/archives',
  'src/modules/exams',
  'src/modules/notices',
  'src/modules/privacy',
  'src/modules/publicity',
  'src/modules/reduction',
  'src/modules/results',
  'src/modules/webhooks',
  'tests/server/repeats.test.ts',
  'tests/server/matrix',
]
/** Milliseconds: they are half of the suite, which takes an hour on a slow machine. */
const longest = 3_600_000

test('tests of the server pass through a pooler', { timeout: longest }, async () => {
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'server', ...files]
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, TEST_POOLER: 'relay', VITEST: undefined },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', text => {
      output += text
    })
  const ended = new Promise(done => child.once('close', done))
  // Nobody reads what it finds when the time is over.
  onTestFinished(async () => {
    child.kill()
    await ended
  })
  expect(await ended, output.slice(-6000)).toBe(0)
})
