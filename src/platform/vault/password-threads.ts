import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { PasswordQuestion } from './password-thread.ts'

/**
 * Threads at most. Each calculation takes 12 MiB and a processor: more of them at once than there are processors would finish no
 * sooner.
 */
const most = Math.min(Math.max(availableParallelism(), 2), 16)

/** Milliseconds without work after which a thread ends and gives its memory back. */
const idleTime = 60_000

/** A question that waits for a thread. */
interface Waiting {
  question: PasswordQuestion
  resolve(answer: unknown): void
  reject(error: unknown): void
}

/** A thread without work, and what ends it. */
interface Idle {
  thread: Worker
  timer: NodeJS.Timeout
}

/** The last that had work stands last, so that those which are not needed end. */
const idle: Idle[] = []
/** What takes a millisecond goes before what takes twenty. */
const waiting = { short: [] as Waiting[], long: [] as Waiting[] }
let running = 0
/** How long a password takes a thread, in milliseconds: a mean in which the last ones count most. */
let millis = 20

function forget(thread: Worker): void {
  const place = idle.findIndex(one => one.thread === thread)
  const [gone] = place >= 0 ? idle.splice(place, 1) : []
  clearTimeout(gone?.timer)
}

async function start(): Promise<Worker> {
  const { default: code } = await import('./password-thread.ts?thread')
  const thread = new Worker(code, { eval: true, workerData: { from: import.meta.url } })
  thread.on('exit', () => forget(thread))
  // What breaks a thread ends it; whoever waits is told below.
  thread.on('error', () => {})
  return thread
}

function answerOf(thread: Worker, question: PasswordQuestion): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const broken = () => reject(new Error('The thread that calculates passwords has ended.'))
    thread.once('error', reject).once('exit', broken)
    thread.once('message', (answer: unknown) => {
      thread.off('error', reject).off('exit', broken)
      resolve(answer)
    })
    thread.postMessage(question)
  })
}

function rest(thread: Worker): void {
  // A thread without work does not keep the process from ending.
  thread.unref()
  const timer = setTimeout(() => {
    forget(thread)
    void thread.terminate()
  }, idleTime)
  timer.unref()
  idle.push({ thread, timer })
}

async function takeThread(): Promise<Worker> {
  const free = idle.pop()
  if (!free) return start()
  clearTimeout(free.timer)
  free.thread.ref()
  return free.thread
}

async function work({ question, resolve, reject }: Waiting): Promise<void> {
  try {
    const thread = await takeThread()
    const begun = performance.now()
    resolve(await answerOf(thread, question))
    if ('password' in question) millis += (performance.now() - begun - millis) / 20
    rest(thread)
  } catch (error) {
    reject(error)
  }
}

function next(): void {
  if (running >= most) return
  const one = waiting.short.shift() ?? waiting.long.shift()
  if (!one) return
  running += 1
  void work(one).finally(() => {
    running -= 1
    next()
  })
}

/**
 * Asks a thread that calculates passwords or reads those that were encrypted. The threads of the pool would do, but all of them
 * together leave no processor to the event loop, which then waits with everybody's requests; these have a lower priority. They begin
 * with the first question and end after a minute without one.
 * @throws what broke the thread; the next question gets a new one
 */
export function askPasswordThread<T extends string | boolean | null>(question: PasswordQuestion): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const one: Waiting = { question, resolve: answer => resolve(answer as T), reject }
    waiting['cipher' in question ? 'short' : 'long'].push(one)
    next()
  })
}

/** Milliseconds from one password that is done to the next while all threads work: many at once take that much each. */
export const passwordPace = (): number => millis / most
