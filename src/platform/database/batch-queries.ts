import { apart } from './request-transaction.ts'

interface Waiting<Item, Answer> {
  item: Item
  answer(value: Answer): void
  fail(error: unknown): void
}

/** Milliseconds after which a question under way no longer holds up those who come after it. */
const maxWait = 50
/** Questions of one group under way at once: while one is answered, the next is on its way. */
const lanes = 2
/** The same when those under way take long. */
const mostAsked = 6
/** Items of one question; more wait for the next. */
const mostItems = 100

class Queue<Item, Answer> {
  readonly #load: (items: readonly Item[]) => Promise<readonly Answer[]>
  readonly #whenIdle: () => void
  #waiting: Waiting<Item, Answer>[] = []
  #asked = 0
  #late = 0
  #isDue = false

  constructor(load: (items: readonly Item[]) => Promise<readonly Answer[]>, whenIdle: () => void) {
    this.#load = load
    this.#whenIdle = whenIdle
  }

  add(one: Waiting<Item, Answer>): void {
    this.#waiting.push(one)
    this.#next()
  }

  #next(): void {
    if (this.#waiting.length === 0 && this.#asked === 0) this.#whenIdle()
    const isBusy = this.#asked - this.#late >= lanes || this.#asked >= mostAsked
    if (this.#isDue || isBusy || this.#waiting.length === 0) return
    this.#isDue = true
    // After the sockets have been read: what arrived with one another is asked with one another.
    apart(() =>
      setImmediate(() => {
        this.#isDue = false
        void this.#ask(this.#waiting.splice(0, mostItems))
      }),
    )
  }

  async #ask(asked: readonly Waiting<Item, Answer>[]): Promise<void> {
    this.#asked += 1
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      this.#late += 1
      this.#next()
    }, maxWait)
    try {
      const answers = await this.#load(asked.map(({ item }) => item))
      for (const [i, one] of asked.entries()) one.answer(answers[i] as Answer)
    } catch (error) {
      for (const one of asked) one.fail(error)
    }
    clearTimeout(timer)
    this.#asked -= 1
    if (isLate) this.#late -= 1
    this.#next()
  }
}

/**
 * Loads items that are asked for at the same moment, or while a query of their group is running, with one query. No item is
 * answered from a query that began before it was asked for; a query that takes long lets the next begin.
 * @param load answers each item, in their order; when it fails, all items of the query fail
 * @param groupOf items of different groups never share a query
 */
export function batchQueries<Item, Answer>(
  load: (items: readonly Item[]) => Promise<readonly Answer[]>,
  groupOf: (item: Item) => string = () => '',
): (item: Item) => Promise<Answer> {
  const queues = new Map<string, Queue<Item, Answer>>()
  return item =>
    new Promise((answer, fail) => {
      const group = groupOf(item)
      let queue = queues.get(group)
      if (!queue) {
        queue = new Queue<Item, Answer>(load, () => queues.delete(group))
        queues.set(group, queue)
      }
      queue.add({ item, answer, fail })
    })
}
