import os from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { DrawAnswer, DrawQuestion, Makers } from './drawing.ts'

/** Bytes arrive in another form than they were sent in; pictures are wanted as they were. */
function withBuffers(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  if (Array.isArray(value)) return value.map(withBuffers)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withBuffers(one)]))
}

/** Makes documents as they are asked for, in the thread that calls it. @param makers all that can be asked for */
export function serveDrawings(makers: Makers): void {
  // Linux gives each thread a priority of its own: whoever answers requests goes first.
  if (process.platform === 'linux') os.setPriority(5)
  parentPort?.on('message', async ({ name, document }: DrawQuestion) => {
    const make = makers[name] as (document: unknown) => Promise<Buffer>
    try {
      const bytes = new Uint8Array(await make(withBuffers(document)))
      parentPort?.postMessage({ bytes } satisfies DrawAnswer, [bytes.buffer])
    } catch (error) {
      parentPort?.postMessage({ problem: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  })
}
