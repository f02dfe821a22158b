import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:net'

/** A port that nobody listens at. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await new Promise(done => server.close(done))
  return port
}

/** Whether somebody listens at an address. @throws when nobody does */
export function isOpen(address: string): Promise<void> {
  const [host, port] = address.split(':')
  return new Promise((done, fail) => {
    const socket = connect(Number(port), host, () => {
      socket.destroy()
      done()
    }).on('error', fail)
  })
}
