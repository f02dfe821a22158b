import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { type CopyOut, copyOut, plainRows } from './copy.ts'
import { bytesOfSetting, MayNotReplicate, openReplication } from './take-backup.ts'
import { OtherCluster, WalFolder } from './wal-folder.ts'
import { historyName, lsnOf, lsnText } from './wal-names.ts'

/** How the log is watched. */
export interface WatchOptions {
  /** The folder of the backups; the log goes into its folder `wal`. */
  to: string
  /** The replication slot by which the database keeps what has not arrived yet. */
  slot: string
  /** Ends it. */
  signal: AbortSignal
  /** Called with what an operator should know. */
  say: (sentence: string) => void
  /** Called every now and then with how far it is. */
  report?: (state: WatchState) => void
}

/** How far the log is. */
export interface WatchState {
  /** Up to where it is on the disk. */
  readonly flushed: string
  /** Bytes that the database has written since. */
  readonly behind: number
}

/** Milliseconds: between two times that what has arrived is flushed and confirmed, and before a connection is tried again. */
const every = 1000
const pause = { first: 500, most: 10_000 }

/** Microseconds since 2000, as PostgreSQL counts them. */
const postgresTime = (): bigint => (BigInt(Date.now()) - 946_684_800_000n) * 1000n

function statusOf(wal: WalFolder): Buffer {
  const message = Buffer.alloc(34)
  message.write('r', 0)
  message.writeBigInt64BE(wal.written, 1)
  message.writeBigInt64BE(wal.flushed, 9)
  message.writeBigInt64BE(0n, 17)
  message.writeBigInt64BE(postgresTime(), 25)
  return message
}

/**
 * Receives the log of a cluster without end, from where it has got to: through restarts of the database and of itself. Nothing is
 * missing in between, because the slot has the database keep what has not been flushed here.
 * @throws when the folder holds the log of another cluster or of what was before the database was taken back, or the role may not replicate
 */
export async function watchWal(pool: pg.Pool, options: WatchOptions): Promise<void> {
  const { signal, say } = options
  let wait = pause.first
  while (!signal.aborted) {
    try {
      await receive(pool, options, () => {
        wait = pause.first
      })
    } catch (error) {
      if (error instanceof OtherCluster || error instanceof TakenBack || error instanceof MayNotReplicate) throw error
      if (!signal.aborted) say(`The log is not received: ${(error as Error).message}. It is tried again.`)
    }
    await sleep(wait, undefined, { signal }).catch(() => {})
    wait = Math.min(wait * 2, pause.most)
  }
}

/** One connection, until it ends. */
async function receive(pool: pg.Pool, options: WatchOptions, arrived: () => void): Promise<void> {
  const client = await openReplication(pool)
  const leave = () => void client.end().catch(() => {})
  options.signal.addEventListener('abort', leave)
  let wal: WalFolder | undefined
  try {
    const [identity = []] = await plainRows(client, 'IDENTIFY_SYSTEM')
    const [[size = null] = []] = await plainRows(client, 'SHOW wal_segment_size')
    wal = await WalFolder.open(path.join(options.to, 'wal'), {
      system: identity[0] ?? '',
      segmentSize: bytesOfSetting(size ?? ''),
    })
    let place = await placeToBegin(client, wal, options, Number(identity[1]))
    for (;;) {
      await keepHistories(client, wal, Math.max(place.timeline, Number(identity[1])))
      const next = await stream(client, wal, place, options, arrived)
      if (!next) return
      options.say(`The database has gone over to timeline ${next.timeline}.`)
      place = next
    }
  } finally {
    options.signal.removeEventListener('abort', leave)
    await wal?.close().catch(() => {})
    await client.end().catch(() => {})
  }
}

interface Place {
  readonly timeline: number
  readonly at: bigint
}

const quotedSlot = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Where the log goes on: where the folder ends, or where the slot begins. The slot is made when there is none. */
async function placeToBegin(
  client: pg.ClientBase,
  wal: WalFolder,
  { slot, say }: WatchOptions,
  timeline: number,
): Promise<Place> {
  const size = BigInt(wal.segmentSize)
  const read = async () => (await plainRows(client, `READ_REPLICATION_SLOT ${quotedSlot(slot)}`))[0] ?? []
  let [kind, begins, from] = await read()
  const isLost = kind !== null && kind !== undefined && begins === null
  if (isLost) await plainRows(client, `DROP_REPLICATION_SLOT ${quotedSlot(slot)}`)
  if (isLost || !kind) {
    await plainRows(client, `CREATE_REPLICATION_SLOT ${quotedSlot(slot)} PHYSICAL (RESERVE_WAL true)`)
    ;[kind, begins, from] = await read()
    say(`The replication slot ${slot} was made: from now on the database keeps what has not arrived.`)
  }
  const kept = { timeline: Number(from ?? timeline), at: (lsnOf(begins ?? '0/0') / size) * size }
  const last = await wal.last()
  if (!last) return kept
  const own = { timeline: last.timeline, at: (last.isPartial ? last.number : last.number + 1n) * size }
  const parting = await partingOf(client, own.timeline, timeline)
  if (parting === undefined || own.at > parting)
    throw new TakenBack(
      `The database was taken back: ${wal.folder} holds its log up to ${lsnText(own.at)} of timeline ${own.timeline}, which it has no more. Move that folder away, start this again, and take a new backup.`,
    )
  if (own.at >= kept.at || own.timeline > kept.timeline) return own
  say(
    `There is a gap in the log: it ends at ${lsnText(own.at)}, and the database keeps it from ${lsnText(kept.at)} on. Take a new backup: only times after that can be restored with what comes now.`,
  )
  return kept
}

/** A folder holds the log of what was before the database was taken back to a moment; trying again does not help. */
class TakenBack extends Error {
  override name = 'TakenBack'
}

/**
 * Up to where a database that is on one timeline has the log of another: without end for its own.
 * @returns undefined when it never was on that timeline
 */
async function partingOf(client: pg.ClientBase, timeline: number, now: number): Promise<bigint | undefined> {
  if (timeline === now) return 2n ** 63n
  if (timeline > now) return undefined
  const [[, text = null] = []] = await plainRows(client, `TIMELINE_HISTORY ${now}`)
  const lines = (text ?? '').split('\n').map(line => line.split('\t'))
  const [, place] = lines.find(([one]) => Number(one) === timeline) ?? []
  return place === undefined ? undefined : lsnOf(place)
}

/** Keeps what says where timelines part, which a restore over such a place needs. */
async function keepHistories(client: pg.ClientBase, wal: WalFolder, newest: number): Promise<void> {
  for (let timeline = 2; timeline <= newest; timeline++) {
    if (await wal.has(historyName(timeline))) continue
    const [[, text = null] = []] = await plainRows(client, `TIMELINE_HISTORY ${timeline}`).catch(() => [])
    if (text !== null) await wal.keep(historyName(timeline), text)
  }
}

/** Receives a timeline until it ends. @returns where the next one begins; undefined when the database has ended the stream */
async function stream(
  client: pg.Client,
  wal: WalFolder,
  { timeline, at }: Place,
  options: WatchOptions,
  arrived: () => void,
): Promise<Place | undefined> {
  await wal.begin(timeline, at)
  const copy = copyOut(
    client,
    `START_REPLICATION SLOT ${quotedSlot(options.slot)} PHYSICAL ${lsnText(at)} TIMELINE ${timeline}`,
  )
  // The end of a timeline is agreed on by both sides.
  client.connection.once('copyDone', () => copy.finish())
  let [head, told] = [at, 0]
  const confirm = async () => {
    await wal.flush()
    copy.send(statusOf(wal))
    if (performance.now() - told < 60_000 && told > 0) return
    told = performance.now()
    options.report?.({ flushed: lsnText(wal.flushed), behind: Number(head > wal.flushed ? head - wal.flushed : 0n) })
  }
  const timer = new Confirming(confirm)
  try {
    for await (const message of copy) head = await take(message, wal, copy, timer, head, arrived)
  } finally {
    await timer.end()
  }
  const [next, begins] = copy.rows.at(-1) ?? []
  if (!next || !begins) return undefined
  const size = BigInt(wal.segmentSize)
  return { timeline: Number(next), at: (lsnOf(begins) / size) * size }
}

/** Takes one message. @returns up to where the database has written its log */
async function take(
  message: Buffer,
  wal: WalFolder,
  copy: CopyOut,
  timer: Confirming,
  head: bigint,
  arrived: () => void,
): Promise<bigint> {
  arrived()
  if (message[0] === 0x77) {
    const begins = message.readBigInt64BE(1)
    if (begins !== wal.written)
      throw new Error(`the log goes on at ${lsnText(begins)} instead of ${lsnText(wal.written)}`)
    await timer.alone(() => wal.write(message.subarray(25)))
    return message.readBigInt64BE(9)
  }
  if (message[0] !== 0x6b) return head
  if (message[17] === 1) copy.send(statusOf(wal))
  return message.readBigInt64BE(1)
}

/** Confirms again and again what has arrived, and never while more is being written. */
class Confirming {
  #work: Promise<void> = Promise.resolve()
  #failure: unknown
  readonly #timer: NodeJS.Timeout

  constructor(confirm: () => Promise<void>) {
    const turn = () =>
      this.alone(confirm).catch(error => {
        this.#failure ??= error
      })
    this.#timer = setInterval(turn, every)
    void turn()
  }

  /** Does something when nothing else is being done. @throws what confirming threw before */
  alone(work: () => Promise<void>): Promise<void> {
    const done = this.#work.then(() => {
      if (this.#failure) throw this.#failure
      return work()
    })
    this.#work = done.catch(() => {})
    return done
  }

  async end(): Promise<void> {
    clearInterval(this.#timer)
    await this.#work
  }
}
