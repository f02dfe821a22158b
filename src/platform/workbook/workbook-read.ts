import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { advice } from '../files/file-advice.ts'
import { Refusal, refuse } from '../http/server/refusal.ts'
import { limitConcurrency } from '../queue/limit-concurrency.ts'
import type { SheetRow, Wanted } from './workbook-parse.ts'
import { workbookLimits } from './workbook-parts.ts'
import type { ReadAnswer, ReadQuestion } from './workbook-thread.ts'

/** Megabytes of objects one workbook may take, milliseconds for its reading, and after which the thread is not needed. */
const limits = { memory: 384, time: 30_000, idle: 20_000 }

/** One workbook after the other: two of them would take twice the memory and finish no sooner. */
const inTurn = limitConcurrency(1)

let kept: { thread: Worker; end: NodeJS.Timeout } | undefined

async function startThread(): Promise<Worker> {
  const { thread: known, end } = kept ?? {}
  kept = undefined
  clearTimeout(end)
  if (known) {
    known.ref()
    return known
  }
  const { default: code } = await import('./workbook-thread.ts?thread')
  const resourceLimits = { maxOldGenerationSizeMb: limits.memory }
  const thread = new Worker(code, { eval: true, resourceLimits, stdout: true, stderr: true })
  thread.on('error', () => {})
  thread.on('exit', () => {
    if (kept?.thread === thread) kept = undefined
  })
  // A workbook has its time from then on, not while the thread starts.
  await once(thread, 'message')
  return thread
}

/** Keeps the thread for the next workbook, without holding up the end of the process. */
function keep(thread: Worker): void {
  thread.unref()
  const end = setTimeout(() => {
    // Nobody takes it while it is ending.
    kept = undefined
    void thread.terminate()
  }, limits.idle).unref()
  kept = { thread, end }
}

/** What the thread says next; it ends when it says nothing in time or breaks, which is the workbook's fault. */
function answerOf(thread: Worker, due: number): Promise<ReadAnswer> {
  return new Promise((resolve, reject) => {
    const done = (answer?: ReadAnswer) => {
      clearTimeout(timer)
      thread.off('message', done).off('error', broken).off('exit', broken)
      if (answer) resolve(answer)
      else reject(refuse('file.contentInvalid', { 做法: advice.office }))
    }
    const broken = () => done()
    const timer = setTimeout(broken, Math.max(0, due - performance.now()))
    thread.on('message', done).on('error', broken).on('exit', broken)
  })
}

/**
 * The rows of a workbook's first visible sheet, without blank ones at its end or between. It is unpacked and read in a
 * thread with a limit on its memory, one workbook at a time, so that nobody else waits for it; whoever stops asking
 * ends the thread.
 * @throws file.contentInvalid no workbook, or more of it than anybody fills in; workbook.tooManyRows on the row after
 * `maxRows` (20,000)
 */
export async function* readRows(
  buffer: Buffer,
  { maxRows = workbookLimits.rows, heads = 0, columns = workbookLimits.columns }: Partial<Wanted> = {},
): AsyncGenerator<SheetRow, void, undefined> {
  let end = () => {}
  const ended = new Promise<void>(resolve => {
    end = resolve
  })
  const thread = await new Promise<Worker>((resolve, reject) => {
    void inTurn(async () => {
      await startThread().then(resolve, reject)
      await ended
    })
  }).catch(error => {
    end()
    throw error
  })
  const due = performance.now() + limits.time
  let isDone = false
  try {
    let question: ReadQuestion = { bytes: new Uint8Array(buffer), wanted: { maxRows, heads, columns } }
    for (;;) {
      const answer = answerOf(thread, due)
      thread.postMessage(question)
      question = 'more'
      const { rows, refusal, isLast } = await answer
      isDone = Boolean(isLast ?? refusal)
      if (refusal) throw new Refusal(refusal.code, refusal.status, refusal.message, undefined, refusal.values)
      yield* rows
      if (isLast) return
    }
  } finally {
    if (isDone) keep(thread)
    else await thread.terminate()
    end()
  }
}
