import { spawn } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'

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
  'tests/server/repeats.test.ts',
  'tests/server/matrix',
]

test('tests of the server pass through a pooler', async () => {
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
  const code = await new Promise(done => child.once('close', done))
  expect(code, output.slice(-6000)).toBe(0)
})
