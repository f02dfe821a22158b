import { ApiError, newKey } from '../../../../platform/http/browser/http.ts'
import type { Bundle, SentMark, Synced } from '../../check-in/contract.ts'
import type { DoorStore } from './door-store.ts'
import type { KeptBundle, Noted, OwnMark } from './types.ts'

/** The calls of a door. */
export interface DoorCalls {
  bundle(roomId: string, rehearsal: boolean): Promise<Bundle>
  sync(roomId: string, events: readonly SentMark[], rehearsal: boolean): Promise<Synced>
}

/** Which door, whose, and whether for a rehearsal: the page of a door is for one or the other, never for both. */
export interface DoorPlace {
  readonly roomId: string
  readonly userId: string
  readonly rehearsal: boolean
}

/** What the page of a door shows. */
export interface DoorState {
  /** False until it is known what the device keeps. */
  ready: boolean
  bundle: KeptBundle | null
  /** Notes of this person that were not settled yet, of all rooms. */
  queue: readonly OwnMark[]
  /** False when the last exchange did not reach the server. */
  online: boolean
  busy: boolean
  /** What the server said instead of answering; null for nothing. */
  refusal: { code: number; text: string } | null
}

/** Notes sent in one call. */
const PORTION = 200

/** Refusals after which a roster is not the person's any more: not their room, nothing released, not the time. */
const LOST: readonly number[] = [
  REFUSAL.row.notFound,
  REFUSAL.tickets.notReleased,
  REFUSAL.tickets.checkInClosed,
  REFUSAL.tickets.rehearsalOver,
  403,
]

/**
 * The door of a room: notes are kept on the device first and sent when they can be; what was not answered is sent again,
 * after any interruption. The server counts a note once, so sending too often is harmless and losing one is not possible.
 */
export class Door {
  #state: DoorState = { ready: false, bundle: null, queue: [], online: true, busy: false, refusal: null }
  #last: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined
  readonly #listeners = new Set<() => void>()

  constructor(
    readonly place: DoorPlace,
    readonly store: DoorStore,
    readonly calls: DoorCalls,
    readonly clock: () => number = Date.now,
  ) {}

  /** How things are: the same object until something changes. */
  readonly get = (): DoorState => this.#state

  /** Calls back after every change; answers how to stop. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Milliseconds since 1970, by the server's clock as far as it is known. */
  now(): number {
    return this.clock() + (this.#state.bundle?.ahead ?? 0)
  }

  /** Begins with what the device keeps, then asks the server. */
  async open(): Promise<void> {
    const { roomId, userId } = this.place
    await this.tidy()
    const [kept, all] = await Promise.all([this.store.bundle(roomId), this.store.marks()])
    const bundle = kept && this.#isOfSort(kept) ? kept : null
    this.#set({ bundle, queue: all.filter(mark => mark.userId === userId), ready: bundle !== null })
    await this.refresh()
    this.#set({ ready: true })
    await this.flush()
  }

  /** Asks for the roster again; what is kept stays when there is no network. */
  async refresh(): Promise<void> {
    this.#set({ busy: true })
    try {
      const bundle = await this.calls.bundle(this.place.roomId, this.place.rehearsal)
      const { roomId, userId } = this.place
      const kept = { ...bundle, roomId, userId, ahead: bundle.serverTime - this.clock() }
      await this.store.keepBundle(kept)
      this.#set({ bundle: kept, online: true, refusal: null })
    } catch (error) {
      this.#failed(error)
      if (error instanceof ApiError && LOST.includes(error.code)) await this.#lose()
    } finally {
      this.#set({ busy: false })
    }
  }

  /** Notes something: kept on the device before it shows. @throws when the device cannot keep it */
  async note(noted: readonly Noted[]): Promise<void> {
    const { rehearsal, ...place } = this.place
    const marks = noted.map(({ code: _, ...one }) => ({
      ...one,
      ...place,
      id: newKey(),
      at: this.now(),
      ...(rehearsal && { rehearsal }),
    }))
    const codes = marks.flatMap(({ id }, i) => (noted[i]?.code ? [[id, noted[i].code] as const] : []))
    await this.store.keepMarks(marks, Object.fromEntries(codes))
    this.#set({ queue: [...this.#state.queue, ...marks] })
  }

  /**
   * Sends what waits and receives what other devices noted. One exchange runs at a time; whoever asks meanwhile gets the next.
   */
  flush(): Promise<void> {
    this.#next ??= this.#last.then(() => {
      this.#next = undefined
      this.#last = this.#exchange()
      return this.#last
    })
    return this.#next
  }

  /** Rosters that are past their day, or somebody else's, do not stay on the device. */
  async tidy(): Promise<void> {
    for (const one of await this.store.bundles()) if (!this.#isGood(one)) await this.store.dropBundle(one.roomId)
    const { bundle } = this.#state
    if (bundle && !this.#isGood(bundle)) this.#set({ bundle: null })
  }

  /** Takes conflicts off the list that somebody has read. */
  async dismiss(ids: readonly string[]): Promise<void> {
    await this.store.dropMarks(ids)
    this.#set({ queue: this.#state.queue.filter(mark => !ids.includes(mark.id)) })
  }

  #set(change: Partial<DoorState>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }

  #isGood(bundle: KeptBundle): boolean {
    return bundle.userId === this.place.userId && this.clock() + bundle.ahead < bundle.validUntil
  }

  /** What an exchange says of the network, and of what is refused. */
  #failed(error: unknown): void {
    if (error instanceof ApiError) this.#set({ online: true, refusal: { code: error.code, text: error.message } })
    else this.#set({ online: false })
  }

  /** True for a roster, or a note, of what this door is for: the rehearsal or the real check-in. */
  #isOfSort({ rehearsal = false }: { rehearsal?: boolean }): boolean {
    return rehearsal === this.place.rehearsal
  }

  async #lose(): Promise<void> {
    const kept = await this.store.bundle(this.place.roomId)
    if (kept && this.#isOfSort(kept)) await this.store.dropBundle(this.place.roomId)
    this.#set({ bundle: null })
  }

  async #exchange(): Promise<void> {
    this.#set({ busy: true })
    try {
      await this.#send()
      // Why there is no roster stays to be read.
      this.#set(this.#state.bundle ? { online: true, refusal: null } : { online: true })
    } catch (error) {
      this.#failed(error)
    } finally {
      this.#set({ busy: false })
    }
  }

  async #send(): Promise<void> {
    const waiting = this.#state.queue.filter(mark => mark.conflict === undefined)
    const codes = waiting.length ? await this.store.codes() : {}
    for (const { roomId, rehearsal } of this.#doorsOf(waiting)) {
      const own = waiting.filter(mark => mark.roomId === roomId && (mark.rehearsal ?? false) === rehearsal)
      for (let at = 0; at === 0 || at < own.length; at += PORTION) {
        const events = own.slice(at, at + PORTION).map(({ userId: _, roomId: __, rehearsal: ___, ...mark }) => ({
          ...mark,
          ...(codes[mark.id] ? { code: codes[mark.id] } : {}),
        }))
        await this.#settle({ roomId, rehearsal }, await this.calls.sync(roomId, events, rehearsal))
      }
    }
  }

  /** The doors at which some notes were made, and this one: those of a rehearsal are never sent together with real ones. */
  #doorsOf(waiting: readonly OwnMark[]): { roomId: string; rehearsal: boolean }[] {
    const all = [...waiting, this.place].map(({ roomId, rehearsal = false }) => ({ roomId, rehearsal }))
    return [...new Map(all.map(one => [`${one.roomId} ${one.rehearsal}`, one])).values()]
  }

  /** Settles what was answered: first the roster says so, then the notes go. */
  async #settle({ roomId, rehearsal }: { roomId: string; rehearsal: boolean }, answer: Synced): Promise<void> {
    const isHere = roomId === this.place.roomId && this.#isOfSort({ rehearsal })
    const kept = isHere ? this.#state.bundle : await this.store.bundle(roomId)
    if (kept && answer.marks && (kept.rehearsal ?? false) === rehearsal) {
      const { marks } = answer
      const told = { ...kept, roster: kept.roster.map(one => ({ ...one, marks: marks[one.ticketId] ?? [] })) }
      await this.store.keepBundle(told)
      if (isHere) this.#set({ bundle: told })
    }
    await this.#takeOff(answer)
    if (isHere && answer.marks === '') await this.#lose()
  }

  /** Takes what was accepted off the queue; what clashed stays there with its reason. */
  async #takeOff({ accepted, conflicts }: Synced): Promise<void> {
    const reasons = new Map(conflicts.map(({ id, ...conflict }) => [id, conflict]))
    const marked = (mark: OwnMark): OwnMark => {
      const conflict = reasons.get(mark.id)
      return conflict ? { ...mark, conflict } : mark
    }
    await this.store.keepMarks(this.#state.queue.filter(mark => reasons.has(mark.id)).map(marked))
    await this.store.dropMarks(accepted)
    this.#set({ queue: this.#state.queue.filter(mark => !accepted.includes(mark.id)).map(marked) })
  }
}
