import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { limitConcurrency } from '../queue/limit-concurrency.ts'
import type { PasswordQuestion } from './password-thread.ts'

// Each calculation takes 19 MiB and a processor: more of them at once than there are processors would finish no sooner.
const inTurn = limitConcurrency(Math.min(Math.max(availableParallelism(), 2), 4))

/** Threads that wait for a question. */
const idle: Worker[] = []

async function start(): Promise<Worker> {
  const { default: code } = await import('./password-thread.ts?thread')
  const thread = new Worker(code, { eval: true, workerData: { from: import.meta.url } })
  thread.on('exit', () => {
    const place = idle.indexOf(thread)
    if (place >= 0) idle.splice(place, 1)
  })
  // What breaks a thread ends it; whoever waits is told below.
  thread.on('error', () => {})
  return thread
}

function answerOf<T>(thread: Worker, question: PasswordQuestion): Promise<T> {
  return new Promise((resolve, reject) => {
    const broken = () => reject(new Error('The thread that calculates passwords has ended.'))
    thread.once('error', reject).once('exit', broken)
    thread.once('message', (answer: T) => {
      thread.off('error', reject).off('exit', broken)
      resolve(answer)
    })
    thread.postMessage(question)
  })
}

/**
 * Asks a thread that calculates passwords. The threads of the pool would do, but all of them together leave no processor to
 * the event loop, which then waits with everybody's requests; these have a lower priority. They begin with the first question.
 * @throws what broke the thread; the next question gets a new one
 */
export function askPasswordThread<T extends string | boolean>(question: PasswordQuestion): Promise<T> {
  return inTurn(async () => {
    const thread = idle.pop() ?? (await start())
    thread.ref()
    const answer = await answerOf<T>(thread, question)
    // A thread without work does not keep the process from ending.
    thread.unref()
    idle.push(thread)
    return answer
  })
}
