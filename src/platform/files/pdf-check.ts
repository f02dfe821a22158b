import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { refuse } from '../http/server/refusal.ts'
import { advice } from './file-advice.ts'

/** Megabytes of objects that one document may take; twenty megabytes of scans take a tenth. */
const memory = 384
/** The parser remembers every name it has read, so its thread is left after so many documents; and when nobody needs it. */
const life = { documents: 100, idle: 30_000 }

interface Thread {
  worker: Worker
  documents: number
  /** Ends it when nothing has come for a while. */
  end?: NodeJS.Timeout
}

let waiting: Thread | undefined
let last: Promise<unknown> = Promise.resolve()

async function startThread(): Promise<Thread> {
  const { default: code } = await import('../pdf/pdf-thread.ts?thread')
  const resourceLimits = { maxOldGenerationSizeMb: memory }
  const worker = new Worker(code, { eval: true, resourceLimits, stdout: true, stderr: true })
  // What breaks it ends it; whoever waits is told.
  worker.on('error', () => {})
  // A document has its time from then on, not while the thread starts.
  await once(worker, 'message')
  return { worker, documents: 0 }
}

/** What the thread says of a document; null when it says nothing in time, or breaks. */
function answerOf({ worker }: Thread, buffer: Buffer, time: number): Promise<boolean | null> {
  const bytes = new Uint8Array(buffer)
  return new Promise(resolve => {
    const broken = () => done(null)
    const done = (answer: boolean | null) => {
      clearTimeout(timer)
      worker.off('message', done).off('exit', broken)
      resolve(answer)
    }
    const timer = setTimeout(broken, time)
    worker.on('message', done).on('exit', broken)
    worker.postMessage(bytes, [bytes.buffer])
  })
}

/** Keeps a thread for the next document, without holding up the end of the process. */
function keep(thread: Thread): void {
  thread.worker.unref()
  thread.end = setTimeout(() => {
    if (waiting === thread) waiting = undefined
    void thread.worker.terminate()
  }, life.idle).unref()
  waiting = thread
}

async function isFit(buffer: Buffer, time: number): Promise<boolean> {
  const thread = waiting ?? (await startThread())
  waiting = undefined
  clearTimeout(thread.end)
  thread.worker.ref()
  const answer = await answerOf(thread, buffer, time)
  thread.documents++
  if (answer === null || thread.documents >= life.documents) await thread.worker.terminate()
  else keep(thread)
  return answer === true
}

/**
 * Refuses (file.contentInvalid) what is no PDF with a page, and a PDF that is encrypted, runs scripts, starts programs,
 * sends forms, leads to other files or carries some, or is an archive as well: none of that is needed to show a
 * certificate. It is read in a thread, one document at a time; what cannot be read, or not in time, is refused.
 * @param time milliseconds it may take; twenty megabytes of scans take a tenth of that
 */
export async function checkPdf(buffer: Buffer, time = 8000): Promise<void> {
  const mine = last.then(() => isFit(buffer, time))
  last = mine.catch(() => {})
  if (!(await mine)) throw refuse('file.contentInvalid', { 做法: advice.pdf })
}
