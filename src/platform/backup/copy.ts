import { once } from 'node:events'
import type pg from 'pg'

// COPY and the streams of replication, which node-postgres leaves to whoever submits a query of its own kind.

/** What node-postgres tells a query that was submitted. */
interface Wire extends pg.Connection {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

interface RowMessage {
  fields: readonly (string | Buffer | null)[]
}

/** Bytes that wait to be read: with more, the connection is not read from until there are fewer. */
const waiting = { most: 4 * 1024 ** 2, few: 1024 ** 2 }
/** Bytes of rows that are sent at once, and that are gathered of rows which arrive one by one. */
const atOnce = 64 * 1024

/** What the handlers of any submitted query need. */
abstract class Submitted implements pg.Submittable {
  readonly #sql: string
  protected wire!: Wire
  /** Rows that the statement answered, as texts. */
  readonly rows: (string | null)[][] = []
  readonly #done: Promise<void>
  protected settle!: (error?: Error) => void

  constructor(sql: string) {
    this.#sql = sql
    this.#done = new Promise((resolve, reject) => {
      this.settle = error => (error ? reject(error) : resolve())
    })
    this.#done.catch(() => {})
  }

  /** Ends with the statement. */
  get done(): Promise<void> {
    return this.#done
  }

  submit(connection: pg.Connection): void {
    this.wire = connection as Wire
    connection.query(this.#sql)
  }
  handleRowDescription(): void {}
  handleDataRow({ fields }: RowMessage): void {
    this.rows.push(fields.map(field => (field === null ? null : String(field))))
  }
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyInResponse(connection: pg.Connection): void {
    ;(connection as Wire).sendCopyFail('nothing is sent')
  }
  handleCopyData(_message: { chunk: Buffer }): void {}
  handleError(error: Error): void {
    this.settle(error)
  }
  handleReadyForQuery(): void {
    this.settle()
  }
}

/** A statement of replication that answers rows; node-postgres knows no prepared ones there. */
class Plain extends Submitted {}

/** What a statement sends, as it is read. A connection that sends faster than that waits. */
export class CopyOut extends Submitted implements AsyncIterable<Buffer> {
  #chunks: Buffer[] = []
  #bytes = 0
  #isOver = false
  #error: Error | undefined
  #wake: () => void = () => {}
  readonly #gathers: boolean
  #gathered: Buffer | undefined
  #used = 0

  constructor(sql: string, gathers: boolean) {
    super(sql)
    this.#gathers = gathers
  }

  override handleCopyData({ chunk }: { chunk: Buffer }): void {
    // The parser uses its buffer again for what arrives next.
    if (!this.#gathers) this.#take(Buffer.from(chunk))
    else if (chunk.length > atOnce) {
      this.#takeGathered()
      this.#take(Buffer.from(chunk))
    } else {
      if (this.#used + chunk.length > atOnce) this.#takeGathered()
      this.#gathered ??= Buffer.allocUnsafe(atOnce)
      chunk.copy(this.#gathered, this.#used)
      this.#used += chunk.length
    }
  }
  override handleError(error: Error): void {
    this.#error = error
    this.#wake()
    super.handleError(error)
  }
  override handleReadyForQuery(): void {
    this.#takeGathered()
    this.#isOver = true
    // A connection that stays paused keeps no process alive: it would end without a word.
    this.wire.stream.resume()
    this.#wake()
    super.handleReadyForQuery()
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes > waiting.most) this.wire.stream.pause()
    this.#wake()
  }
  #takeGathered(): void {
    if (this.#gathered && this.#used > 0) this.#take(this.#gathered.subarray(0, this.#used))
    this.#gathered = undefined
    this.#used = 0
  }

  /** Answers the other side while it sends, as replication wants it. */
  send(bytes: Buffer): void {
    this.wire.sendCopyFromChunk(bytes)
  }
  /** Tells the other side that nothing is wanted any more. */
  finish(): void {
    this.wire.endCopyFrom()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for (;;) {
      const chunk = this.#chunks.shift()
      if (chunk) {
        this.#bytes -= chunk.length
        if (this.#bytes < waiting.few) this.wire.stream.resume()
        yield chunk
      } else if (this.#error) throw this.#error
      else if (this.#isOver) return
      else
        await new Promise<void>(resolve => {
          this.#wake = resolve
        })
    }
  }
}

class CopyIn extends Submitted {
  #begin!: () => void
  readonly begun = new Promise<void>(resolve => {
    this.#begin = resolve
  })

  override handleCopyInResponse(): void {
    this.#begin()
  }
  async write(bytes: Buffer): Promise<void> {
    this.wire.sendCopyFromChunk(bytes)
    const { stream } = this.wire
    if (stream.writableNeedDrain) await Promise.race([once(stream, 'drain'), this.done])
  }
  end(): void {
    this.wire.endCopyFrom()
  }
  fail(): void {
    this.wire.sendCopyFail('the source failed')
  }
}

/** Sends a statement by the simple protocol and answers its rows, all values as texts. */
export async function plainRows(client: pg.ClientBase, sql: string): Promise<(string | null)[][]> {
  const query = client.query(new Plain(sql))
  await query.done
  return query.rows
}

/** Begins a statement that sends a stream, such as `BASE_BACKUP`. */
export const copyOut = (client: pg.ClientBase, sql: string): CopyOut => client.query(new CopyOut(sql, false))

/** Begins `COPY … TO STDOUT`, whose rows arrive one by one and are given many at a time. */
export const copyRowsOut = (client: pg.ClientBase, sql: string): CopyOut => client.query(new CopyOut(sql, true))

/**
 * Sends bytes to `COPY … FROM STDIN`.
 * @throws what the database says to them; nothing of them is kept then
 */
export async function copyIn(client: pg.ClientBase, sql: string, bytes: AsyncIterable<Buffer>): Promise<void> {
  const query = client.query(new CopyIn(sql))
  await Promise.race([query.begun, query.done])
  try {
    for await (const chunk of bytes)
      for (let at = 0; at < chunk.length; at += atOnce) await query.write(chunk.subarray(at, at + atOnce))
  } catch (error) {
    query.fail()
    await query.done.catch(() => {})
    throw error
  }
  query.end()
  await query.done
}
