import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Milliseconds for which a ticket keeps its place. */
const lifetime = 30 * 60_000
/** Seconds after which whoever waits is to ask again: so few that a place is taken soon, so many that asking is no load. */
const asking = { least: 2, most: 30 }
/** Milliseconds beyond what was said after which somebody who has not asked again has given up. */
const patience = 5000
/** People who are remembered as waiting in one line. More are told to come again all the same. */
const mostRemembered = 50_000

/** The lines, each with places of its own: however many candidates come, staff get in. */
export type Line = 'staff' | 'others'

/** Where somebody stands who has to wait. */
export interface Turn {
  /** Signed by the server; given back at the next call it keeps the place, at any process. */
  ticket: string
  /** About how many are ahead. */
  ahead: number
  /** About how many seconds until the turn comes. */
  seconds: number
  /** Seconds after which to ask again. */
  retryAfter: number
}

/** Somebody who asks for a place. */
export interface Comer {
  /** By what the room knows who asks again without a ticket: one has one place. */
  who: string
  /** The account that is named: a ticket is for no other. */
  account: string
  /** What was answered before, if anything. */
  ticket: string | undefined
}

/** What a ticket says. */
interface Ticket {
  id: string
  /** When it was given, in milliseconds since 1970. */
  since: number
}

/** Somebody with a ticket. */
interface Waiter extends Ticket {
  /** Who it is, as far as the room is told: one person has one place. */
  who: string
  /** When the waiter has given up unless asking again before. */
  until: number
}

/** Those who wait in a line, the oldest first, each once. */
class Waiters {
  #all: Waiter[] = []
  #byWho = new Map<string, Waiter>()
  #sweep = 0

  /** How many came before a moment and still wait. */
  before({ since, id }: Ticket): number {
    let [low, high] = [0, this.#all.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const one = this.#all[middle]!
      if (one.since < since || (one.since === since && one.id < id)) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The ticket of somebody who waits. */
  of(who: string): Ticket | undefined {
    return this.#byWho.get(who)
  }

  remove(one: Ticket): void {
    const place = this.before(one)
    const found = this.#all[place]
    if (found?.id !== one.id) return
    this.#all.splice(place, 1)
    if (this.#byWho.get(found.who) === found) this.#byWho.delete(found.who)
  }

  /** Keeps a place for somebody who has none. */
  keep(one: Waiter): void {
    if (this.#all.length >= mostRemembered) return
    this.#all.splice(this.before(one), 0, one)
    this.#byWho.set(one.who, one)
  }

  /** The oldest, at most so many. */
  first(count: number): readonly Waiter[] {
    return this.#all.slice(0, count)
  }

  /** Forgets those who have given up. @returns false where that was done less than a second ago */
  sweep(now: number): boolean {
    if (Math.abs(now - this.#sweep) < 1000) return false
    this.#sweep = now
    this.#all = this.#all.filter(one => one.until > now)
    this.#byWho = new Map(this.#all.map(one => [one.who, one]))
    return true
  }
}

/** What a room is told. */
export interface RoomOptions {
  /** Signs tickets; the same in all processes. */
  key: string
  /** Seconds of work that may wait; who comes later than that is told to come again. */
  seconds: number
  /** Milliseconds from one sign-in that is done to the next while all threads work. */
  pace(): number
  /** Places however slow the work is. */
  least: number
  /** Uses a ticket up. @returns false when it was used before, in whatever process */
  spend(mark: string, until: Date): Promise<boolean>
  /** Which of some tickets were used up, in whatever process. */
  spent(marks: readonly string[]): Promise<readonly string[]>
}

/** What is kept of a ticket that was used up. */
const markOf = ({ id }: Pick<Ticket, 'id'>) => `queue.${id}`

/**
 * Lets in as many people as can be signed in within a few seconds, and tells the others where they stand and when to ask again. First
 * come, first served: whoever asks again with the ticket goes before all who came later, and whoever asks the same process without it
 * has the place from before. Each process counts its own work, and orders
 * those that ask it by the age of their tickets, which any process reads. Only used tickets are in the database, so a process that ends
 * loses nobody's place.
 */
export class WaitingRoom {
  readonly #options: RoomOptions
  readonly #inside = { staff: 0, others: 0 }
  readonly #waiting = { staff: new Waiters(), others: new Waiters() }

  constructor(options: RoomOptions) {
    this.#options = options
  }

  /** Places of a line: staff have a quarter of the others' for themselves. */
  #places(line: Line): number {
    const { seconds, pace, least } = this.#options
    const places = Math.max(least, Math.floor((seconds * 1000) / pace()))
    return line === 'staff' ? Math.ceil(places / 4) : places
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#options.key).update(`queue ${text}`).digest('base64url').slice(0, 22)
  }

  /** Reads a ticket; undefined for one that is none of ours, for another account or too old. */
  #read({ ticket, account }: Comer, now: number): Ticket | undefined {
    const [time = '', id = '', signature = ''] = (ticket ?? '').slice(0, 100).split('.')
    const [wanted, given] = [Buffer.from(this.#sign(`${time}.${id} ${account}`)), Buffer.from(signature)]
    if (wanted.length !== given.length || !timingSafeEqual(wanted, given)) return undefined
    const since = Number.parseInt(time, 36)
    return Math.abs(now - since) < lifetime ? { id, since } : undefined
  }

  /**
   * Asks for a place.
   * @returns what gives the place back, to be called once when the sign-in has ended; or where one stands
   */
  async enter(line: Line, comer: Comer, time: Date): Promise<(() => void) | Turn> {
    const now = time.getTime()
    const waiting = this.#waiting[line]
    if (waiting.sweep(now)) await this.#forgetServed(line)
    const ticket = this.#read(comer, now)
    const before = waiting.of(comer.who)
    if (before) waiting.remove(before)
    if (ticket) waiting.remove(ticket)
    // Whoever has no ticket gets one of the time of the first, and not that one, which may be in other hands.
    const me = ticket ?? { id: randomBytes(9).toString('base64url'), since: before?.since ?? now }
    const ahead = waiting.before(me)
    const free = this.#places(line) - this.#inside[line]
    if (ahead >= free) return this.#turn(line, me, comer, { ahead, free, now })
    this.#inside[line] += 1
    if (ticket && !(await this.#spend(ticket).catch(error => this.#failed(line, error)))) {
      this.#inside[line] -= 1
      return this.enter(line, { ...comer, ticket: undefined }, time)
    }
    let isIn = true
    return () => {
      if (isIn) this.#inside[line] -= 1
      isIn = false
    }
  }

  /** Of those who are next, forgets the ones whom another process has let in: nobody waits for them. */
  async #forgetServed(line: Line): Promise<void> {
    const next = this.#waiting[line].first(2 * this.#places(line))
    if (next.length === 0) return
    const spent = new Set(await this.#options.spent(next.map(markOf)))
    for (const one of next) if (spent.has(markOf(one))) this.#waiting[line].remove(one)
  }

  #spend(me: Ticket): Promise<boolean> {
    return this.#options.spend(markOf(me), new Date(me.since + 2 * lifetime))
  }

  #failed(line: Line, error: unknown): never {
    this.#inside[line] -= 1
    throw error
  }

  #turn(
    line: Line,
    me: Ticket,
    { who, account }: Comer,
    { ahead, free, now }: { ahead: number; free: number; now: number },
  ): Turn {
    const pace = this.#options.pace()
    // The others are served meanwhile, too, as long as they have work.
    const untilIn = ((ahead - free + 1) * pace) / 1000
    const retryAfter = Math.min(asking.most, Math.max(asking.least, Math.ceil(untilIn)))
    this.#waiting[line].keep({ ...me, who, until: now + retryAfter * 1000 + patience })
    const text = `${me.since.toString(36)}.${me.id}`
    const before = ahead + this.#inside[line]
    return {
      ticket: `${text}.${this.#sign(`${text} ${account}`)}`,
      ahead: before,
      seconds: Math.max(retryAfter, Math.ceil((before * pace) / 1000)),
      retryAfter,
    }
  }
}
