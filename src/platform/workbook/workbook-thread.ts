import os from 'node:os'
import { parentPort } from 'node:worker_threads'
import { advice } from '../files/file-advice.ts'
import { Refusal, refuse } from '../http/server/refusal.ts'
import type { SheetRow } from './workbook-parse.ts'
import { parseRows, type Wanted } from './workbook-parse.ts'

/** What `workbook-read.ts` asks: a workbook first, then more of its rows. */
export type ReadQuestion = { bytes: Uint8Array; wanted: Wanted } | 'more'

/** Some rows, or why there are none. */
export interface ReadAnswer {
  rows: SheetRow[]
  isLast?: true
  refusal?: Pick<Refusal, 'code' | 'status' | 'message' | 'values'>
}

/** Rows of one answer; those at the top come by themselves, because they say whether anybody wants the rest. */
const atOnce = { first: 2, later: 500 }

// Linux gives each thread a priority of its own: whoever answers requests goes first.
if (process.platform === 'linux') os.setPriority(5)

let rows: AsyncGenerator<SheetRow> | undefined

async function next(most: number): Promise<ReadAnswer> {
  const found: SheetRow[] = []
  try {
    while (rows && found.length < most) {
      const { value, done } = await rows.next()
      if (done) return { rows: found, isLast: true }
      found.push(value)
    }
    return { rows: found }
  } catch (error) {
    const { code, status, message, values } =
      error instanceof Refusal ? error : refuse('file.contentInvalid', { 做法: advice.office })
    return { rows: found, refusal: { code, status, message, values } }
  }
}

parentPort?.on('message', async (question: ReadQuestion) => {
  if (question === 'more') return parentPort?.postMessage(await next(atOnce.later))
  const { buffer, byteOffset, byteLength } = question.bytes
  rows = parseRows(Buffer.from(buffer, byteOffset, byteLength), question.wanted)
  parentPort?.postMessage(await next(atOnce.first))
})
parentPort?.postMessage('started')
