import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { memoryOf } from './memory.ts'
import { startProduct } from './servers.ts'

/** Seconds in which the first start tells the people of the demonstration what has happened, so that the second has nothing to send. */
const telling = 40
/** Seconds in which a process gives back what its start needed. */
const settling = 100
/** MiB that such a process may hold. */
const most = 120

test('memory of a process that nobody calls, of a second start', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'juxian-bench-'))
  try {
    // User nobody, who runs PostgreSQL when root runs this, must get in.
    await chmod(folder, 0o755)
    const data = path.join(folder, 'data')
    const first = await startProduct(data)
    await pause(telling * 1000)
    await first.stop()
    const product = await startProduct(data)
    await pause(settling * 1000)
    const used = await memoryOf(product.pid)
    await product.stop()
    console.log(`\nidle for ${settling} s: ${used.toFixed(0)} MiB resident\n`)
    expect(used).toBeGreaterThan(0)
    expect(used).toBeLessThanOrEqual(most)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}, 600_000)
