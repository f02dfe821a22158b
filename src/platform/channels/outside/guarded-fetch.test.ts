import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { guardedFetch, HostUnreachable } from './guarded-fetch.ts'

let server: http.Server
let port: number
let connections = 0

beforeAll(async () => {
  server = http.createServer((request, answer) => {
    if (request.url === '/away') answer.writeHead(302, { location: 'http://169.254.169.254/' }).end()
    else if (request.url === '/endless') answer.end('x'.repeat(1024 * 1024 + 1))
    else request.pipe(answer.writeHead(200, { 'content-type': 'text/plain' }))
  })
  server.on('connection', () => connections++)
  await new Promise<void>(done => server.listen(0, done))
  port = (server.address() as AddressInfo).port
})
afterAll(() => server.close())

const listed = guardedFetch((host, at) => `${host}:${at}` === `localhost:${port}`)
const unlisted = guardedFetch(() => false)

test('B29 · asks a listed host as it is told to, also inside and without TLS', async () => {
  const answer = await listed(`http://localhost:${port}/`, { method: 'POST', body: new URLSearchParams({ a: '1 2' }) })
  expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([200, 'text/plain', 'a=1+2'])
})

test.each([
  ['a name that leads inside', () => `https://localhost:${port}/`, 'private'],
  ['an address inside', () => `https://127.0.0.1:${port}/`, 'private'],
  ['the same written otherwise', () => `https://2130706433:${port}/`, 'private'],
  ['an IPv6 address inside', () => `https://[::ffff:127.0.0.1]:${port}/`, 'private'],
  ['a host without TLS', () => `http://localhost:${port}/`, 'not https'],
])('B29 · does not connect to %s that is not listed', async (_what, address, reason) => {
  const before = connections
  const asked = unlisted(address(), { method: 'GET' })
  await expect(asked).rejects.toThrow(HostUnreachable)
  await expect(asked).rejects.toThrow(reason)
  expect(connections).toBe(before)
})

test('B29 · follows nobody elsewhere, and reads no more than a megabyte', async () => {
  const away = await listed(`http://localhost:${port}/away`, { method: 'GET' })
  expect(away.status).toBe(302)
  await expect(listed(`http://localhost:${port}/endless`, { method: 'GET' })).rejects.toThrow(/too long/)
})

test('B29 · reads as much as it is told to, and says whether anything was sent', async () => {
  const longer = await listed(`http://localhost:${port}/endless`, { method: 'GET', size: 2 * 1024 * 1024 })
  expect((await longer.text()).length).toBe(1024 * 1024 + 1)
  await expect(listed(`http://localhost:${port}/endless`, { method: 'GET' })).rejects.toMatchObject({ isUnsent: false })
  const closed = http.createServer()
  await new Promise<void>(done => closed.listen(0, done))
  const { port: free } = closed.address() as AddressInfo
  await new Promise(done => closed.close(done))
  const nobody = guardedFetch(() => true)(`http://localhost:${free}/`, { method: 'GET' })
  await expect(nobody).rejects.toMatchObject({ isUnsent: true })
})

test('B29 · gives up a host that takes too long to connect, before its whole time is over', async () => {
  // Takes connections, and never begins the TLS that is asked for.
  const silent = net.createServer(() => undefined)
  await new Promise<void>(done => silent.listen(0, done))
  const { port: at } = silent.address() as AddressInfo
  const asked = guardedFetch(() => true)(`https://localhost:${at}/`, { method: 'GET', time: 60_000, connectTime: 100 })
  await expect(asked).rejects.toMatchObject({ isUnsent: true, message: expect.stringContaining('does not connect') })
  silent.close()
})

test('B29 · asks a name that is listed inside only at addresses that are listed too, where it is told to be strict', async () => {
  const before = connections
  const asked = listed(`http://localhost:${port}/`, { method: 'GET', isStrict: true })
  await expect(asked).rejects.toThrow('private')
  expect(connections).toBe(before)
  const both = guardedFetch((host, at) => ['localhost', '127.0.0.1', '::1'].includes(host) && at === String(port))
  expect((await both(`http://localhost:${port}/`, { method: 'GET', isStrict: true })).status).toBe(200)
})
