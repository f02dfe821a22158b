import { connect, createServer, type Socket } from 'node:net'
import { inject } from 'vitest'
import { frames, sqlOf, withSql } from './postgres-frames.ts'

/** A way to the test database that can be frozen, as by SIGSTOP, and cut, as by a server that has ended. */
export interface Relay {
  /** Address of the database by this way. */
  url: string
  freeze(): void
  /** Lets nothing through on the connections that are there, as after a firewall has forgotten them; new ones are led as ever. */
  strand(): void
  /** Keeps back what the database answers to the next statement that holds a text, and all that comes after on its way. */
  holdAfter(text: string): void
  thaw(): void
  /** Ends all connections and takes no new ones until it is opened again. */
  cut(): Promise<void>
  open(): Promise<void>
}

/** PostgreSQL itself says that it does not support this (0A000), and says so before it looks at any value. */
const unsupported = 'SELECT DISTINCT 1 FOR UPDATE'

/**
 * Leads to a database of the test cluster, whose socket is a file.
 * @param refuses statements that the database does not support, as by another kind of server
 */
export async function relayTo(databaseUrl: string, refuses?: RegExp): Promise<Relay> {
  const { host, port, user } = inject('cluster')
  const sockets = new Set<Socket>()
  let isFrozen = false
  let awaited: string | undefined
  const make = () =>
    createServer({ noDelay: true }, near => {
      const far = connect(`${host}/.s.PGSQL.${port}`)
      for (const socket of [near, far]) {
        sockets.add(socket)
        socket
          .on('error', () => {})
          .on('close', () => {
            sockets.delete(socket)
            near.destroy()
            far.destroy()
          })
        if (isFrozen) socket.pause()
      }
      let isHeld = false
      const read = frames(true)
      near.on('data', bytes => {
        if (awaited && bytes.includes(awaited)) {
          isHeld = true
          awaited = undefined
        }
        if (!refuses) return void far.write(bytes)
        for (const one of read(bytes)) far.write(refuses.test(sqlOf(one) ?? '') ? withSql(one, unsupported) : one.bytes)
      })
      far.on('data', bytes => isHeld || near.write(bytes))
      if (isFrozen) for (const socket of [near, far]) socket.pause()
    })
  let server = make()
  const listen = (at: number) => new Promise<void>(done => server.listen(at, '127.0.0.1', done))
  await listen(0)
  const at = (server.address() as { port: number }).port
  const name = new URL(databaseUrl).pathname
  return {
    url: `postgresql://${user}@127.0.0.1:${at}${name}`,
    freeze() {
      isFrozen = true
      for (const socket of sockets) socket.pause()
    },
    strand() {
      for (const socket of sockets) socket.pause()
    },
    holdAfter(text) {
      awaited = text
    },
    thaw() {
      isFrozen = false
      for (const socket of sockets) socket.resume()
    },
    cut: () =>
      new Promise(done => {
        server.close(() => done())
        for (const socket of sockets) socket.destroy()
      }),
    open() {
      server = make()
      return listen(at)
    },
  }
}
