import os from 'node:os'
import { parentPort } from 'node:worker_threads'
import { finalListPdf } from '../../modules/results/documents/final-list-pdf.ts'
import { signFormPdf } from '../../modules/sign-up/documents/sign-form-pdf.ts'
import { doorListPdf, seatLabelsPdf, signInSheetPdf } from '../../modules/tickets/documents/room-pdf.ts'
import { ticketPdf, ticketsPdf } from '../../modules/tickets/documents/ticket-pdf.ts'
import { unprintable } from './fonts.ts'

const makers = {
  unprintable,
  doorListPdf,
  finalListPdf,
  seatLabelsPdf,
  signInSheetPdf,
  signFormPdf,
  ticketPdf,
  ticketsPdf,
}

/** What `drawing.ts` can ask for, by name, with what each takes. */
export type Makers = typeof makers

/** One document to be made. */
export interface DrawQuestion {
  name: keyof Makers
  document: unknown
}

/** Its bytes, or what went wrong. */
export type DrawAnswer = { bytes: Uint8Array } | { problem: string }

// Linux gives each thread a priority of its own: whoever answers requests goes first.
if (process.platform === 'linux') os.setPriority(5)

/** Bytes arrive in another form than they were sent in; pictures are wanted as they were. */
function withBuffers(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  if (Array.isArray(value)) return value.map(withBuffers)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withBuffers(one)]))
}

parentPort?.on('message', async ({ name, document }: DrawQuestion) => {
  const make = makers[name] as (document: unknown) => Promise<Buffer>
  try {
    const bytes = new Uint8Array(await make(withBuffers(document)))
    parentPort?.postMessage({ bytes } satisfies DrawAnswer, [bytes.buffer])
  } catch (error) {
    parentPort?.postMessage({ problem: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
})
