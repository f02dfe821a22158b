import { connect, createServer, type Socket } from 'node:net'
import { inject } from 'vitest'
import { errorFrame, type Frame, frame, frames } from './postgres-frames.ts'

/** A pooler in transaction mode before a database of the test cluster: each transaction meets another session than the one before. */
export interface TransactionRelay {
  /** Address of the database by this way. */
  url: string
  close(): Promise<void>
}

/** Sessions that all clients share. */
const most = 4

const ok = Buffer.alloc(4)

/** A session of the database, which one client has at a time. */
class Session {
  readonly socket: Socket
  readonly #read = frames(false)
  /** What a client is told of the database when it connects. */
  readonly greeting: Promise<Buffer>
  client: Client | undefined

  constructor(database: string, freed: (session: Session) => void) {
    const { host, port, user } = inject('cluster')
    this.socket = connect(`${host}/.s.PGSQL.${port}`)
    const version = Buffer.from([0, 3, 0, 0])
    this.socket.write(frame('', version, `user\0${user}\0database\0${database}\0client_encoding\0UTF8\0\0`))
    this.greeting = new Promise((resolve, reject) => {
      const said: Buffer[] = []
      let isReady = false
      this.socket.on('data', bytes => {
        for (const one of this.#read(bytes)) {
          if (isReady) this.#hear(one, freed)
          else if (one.type === 'S' || one.type === 'K') said.push(one.bytes)
          else if (one.type === 'E') reject(new Error(one.bytes.toString()))
          else if (one.type === 'Z') {
            isReady = true
            resolve(Buffer.concat([frame('R', ok), ...said, one.bytes]))
          }
        }
      })
      this.socket.on('error', reject)
    })
    this.greeting.catch(() => {})
    this.socket.on('close', () => this.client?.socket.destroy())
  }

  #hear(one: Frame, freed: (session: Session) => void): void {
    const { client } = this
    client?.socket.write(one.bytes)
    if (!client || one.type !== 'Z') return
    client.unanswered--
    if (client.unanswered > 0 || one.bytes.toString('latin1', 5, 6) !== 'I') return
    this.client = undefined
    client.session = undefined
    freed(this)
    client.pump()
  }
}

/** A connection of the server under test. */
class Client {
  readonly socket: Socket
  readonly #waiting: Frame[] = []
  readonly #take: (client: Client) => Session | undefined
  session: Session | undefined
  /** Statements that the session has not answered yet. */
  unanswered = 0

  constructor(socket: Socket, take: (client: Client) => Session | undefined) {
    this.socket = socket
    this.#take = take
  }

  send(one: Frame): void {
    this.#waiting.push(one)
    this.pump()
  }

  /** Sends on what waits, with the session it has or the next that is free. */
  pump(): void {
    if (this.#waiting.length === 0) return
    this.session ??= this.#take(this)
    if (!this.session) return
    for (const one of this.#waiting.splice(0)) {
      if (one.type === 'Q' || one.type === 'S') this.unanswered++
      this.session.socket.write(one.bytes)
    }
  }
}

/**
 * Starts a pooler in transaction mode.
 * @param takesOptions whether clients may set a session at its start; PgBouncer before 1.20 refuses them
 */
export async function relayTransactions(databaseUrl: string, takesOptions = false): Promise<TransactionRelay> {
  const database = new URL(databaseUrl).pathname.slice(1)
  const sessions = new Set<Session>()
  const free: Session[] = []
  const queue: Client[] = []

  const freed = (session: Session) => {
    free.push(session)
    queue.shift()?.pump()
  }
  const open = () => {
    const session = new Session(database, freed)
    sessions.add(session)
    session.socket.on('close', () => {
      sessions.delete(session)
      const at = free.indexOf(session)
      if (at >= 0) free.splice(at, 1)
    })
    session.greeting.then(
      () => freed(session),
      () => session.socket.destroy(),
    )
    return session
  }
  /** The session that has been free for longest, which is never the one of the transaction before. */
  const take = (client: Client): Session | undefined => {
    const session = free.length > 1 || sessions.size >= most ? free.shift() : undefined
    if (!session) {
      if (!queue.includes(client)) queue.push(client)
      if (sessions.size < most) open()
      return undefined
    }
    session.client = client
    return session
  }

  const clients = new Set<Socket>()
  // Messages go out at once: each would otherwise wait for the answer to the one before, 40 ms and more.
  const server = createServer({ noDelay: true }, socket => {
    clients.add(socket)
    const client = new Client(socket, take)
    const read = frames(true)
    socket.on('error', () => {})
    socket.on('close', () => {
      clients.delete(socket)
      const at = queue.indexOf(client)
      if (at >= 0) queue.splice(at, 1)
      // Nobody else may meet what a client has left half done.
      if (client.session) client.session.socket.destroy()
    })
    socket.on('data', bytes => {
      for (const one of read(bytes)) {
        if (one.type === 'X') socket.end()
        else if (one.type !== '') client.send(one)
        else if (!takesOptions && one.bytes.includes('options\0'))
          socket.end(errorFrame('08P01', 'unsupported startup parameter: options'))
        else
          ([...sessions][0] ?? open()).greeting.then(
            greeting => socket.write(greeting),
            error => socket.end(errorFrame('08006', String(error))),
          )
      }
    })
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  return {
    url: `postgresql://${inject('cluster').user}@127.0.0.1:${port}/${database}`,
    close: () =>
      new Promise(done => {
        server.close(() => done())
        for (const socket of [...clients, ...[...sessions].map(one => one.socket)]) socket.destroy()
      }),
  }
}
