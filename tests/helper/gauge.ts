import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import path from 'node:path'

/** What a server is told in its environment so that it can be asked; see `gauge.mjs`. */
export const withGauge = { NODE_OPTIONS: `--import ${path.resolve(import.meta.dirname, 'gauge.mjs')}` }

/** Asks a server that was started with the gauge. */
export function askGauge<T>(child: ChildProcess, question: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const id = randomUUID()
    const hear = (message: { id?: string; answer?: never }) => {
      if (message.id !== id) return
      child.off('message', hear as never)
      resolve(message.answer as never)
    }
    child.on('message', hear as never)
    child.send({ id, question }, error => error && reject(error))
  })
}
