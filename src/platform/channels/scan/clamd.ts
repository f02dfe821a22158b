import { once } from 'node:events'
import { connect } from 'node:net'
import { limits } from '../../config/limits.ts'

/** Bytes of one piece as it is handed over. */
const piece = 64 * 1024

/** A piece with its length before it, as the scanner reads a stream; an empty one ends it. */
function framed(bytes: Uint8Array): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32BE(bytes.length)
  return Buffer.concat([size, bytes])
}

/**
 * Asks a ClamAV daemon about a file (command INSTREAM).
 * @param address `host:port`
 * @returns what it found, null when it found nothing
 * @throws when it does not answer, or answers something else
 */
export async function scanWithClamd(address: string, bytes: Buffer): Promise<string | null> {
  const [, host = '', port = ''] = /^(.+):(\d+)$/.exec(address) ?? []
  const socket = connect({ host, port: Number(port), signal: AbortSignal.timeout(limits.scan) })
  let answer = ''
  socket.setEncoding('utf8').on('data', text => {
    answer += text
  })
  socket.write('zINSTREAM\0')
  for (let at = 0; at < bytes.length; at += piece) socket.write(framed(bytes.subarray(at, at + piece)))
  socket.end(framed(Buffer.alloc(0)))
  await once(socket, 'close')
  const [, said = ''] = /^stream: (.+?)\0?$/s.exec(answer.trim()) ?? []
  if (said === 'OK') return null
  const [, found] = /^(.+) FOUND$/s.exec(said) ?? []
  if (!found) throw new Error(`the scanner said ${JSON.stringify(answer)}`)
  return found
}
