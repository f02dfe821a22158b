import http from 'node:http'
import { connect, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { Listener } from './listener.ts'

const clients: Socket[] = []
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy()
})

async function connectTo(url: string): Promise<Socket> {
  const client = connect(Number(new URL(url).port), '127.0.0.1')
  clients.push(client)
  await new Promise<void>(done => client.once('connect', () => done()))
  return client
}

test('a connection that nothing was ever sent on does not hold the end up', async () => {
  const listener = await Listener.open({ host: '127.0.0.1', port: 0 })
  const client = await connectTo(listener.url)
  const ended = new Promise<void>(done => client.once('close', () => done()))
  client.resume()
  // The server has it, too.
  await (await fetch(`${listener.url}/api/public/live`)).text()
  await listener.close()
  await ended
})

test('a call under way is answered first, and is named meanwhile without what it asks', async () => {
  const listener = await Listener.open({ host: '127.0.0.1', port: 0 })
  let answer: http.ServerResponse | undefined
  const routing: http.RequestListener = (_request, response) => {
    answer = response
  }
  listener.handOver({ routing } as unknown as FastifyInstance)
  const read = new Promise<string>((resolve, reject) => {
    http
      .get(`${listener.url}/api/public/site?token=secret`, { agent: false }, response => {
        let body = ''
        response.on('data', chunk => {
          body += chunk
        })
        response.on('end', () => resolve(body))
      })
      .on('error', reject)
  })
  await expect.poll(() => answer).toBeDefined()
  let isClosed = false
  const closed = listener.close().then(() => {
    isClosed = true
  })
  expect(listener.underWay).toEqual(['GET /api/public/site (0 s)'])
  expect(isClosed).toBe(false)
  answer!.end('done')
  expect(await read).toBe('done')
  await closed
  expect(listener.underWay).toEqual([])
})
