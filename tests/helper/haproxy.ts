import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { findCommand } from './commands.ts'
import { freePort, isOpen } from './free-port.ts'
import { startProgram } from './program.ts'
import { soon } from './soon.ts'
import type { Trial } from './trial.ts'

/**
 * Starts HAProxy with the part of `deploy/haproxy.cfg` that stands before servers.
 * @param urls of the servers
 * @returns where it listens, `127.0.0.1:41234`
 */
export async function startDeployedHaproxy(run: Trial, urls: readonly string[]): Promise<string> {
  const address = `127.0.0.1:${await freePort()}`
  const whole = await readFile(path.resolve(import.meta.dirname, '../../deploy/haproxy.cfg'), 'utf8')
  const [before = ''] = whole.split(/\n\n# DATABASE_URL=.*/)
  const servers = urls.map((url, at) => `  server s${at} ${new URL(url).host} check`).join('\n')
  const text = before.replace('bind :80', `bind ${address}`).replace('  server a 127.0.0.1:8000 check', servers)
  if (!text.includes(address) || !text.includes(servers)) throw new Error('deploy/haproxy.cfg is not as expected.')
  await begin(run, `${text}\n`, [address])
  return address
}

/**
 * Starts HAProxy for a trial.
 * @param listeners what stands under `listen`, below the line of its address
 * @returns where each listens, `127.0.0.1:41234`
 */
export async function startHaproxy(run: Trial, listeners: readonly string[]): Promise<string[]> {
  const addresses: string[] = []
  for (const _ of listeners) addresses.push(`127.0.0.1:${await freePort()}`)
  const sections = listeners.map((lines, at) => `listen l${at}\n  bind ${addresses[at]}\n${lines}`)
  const defaults = 'defaults\n  timeout connect 3s\n  timeout client 10m\n  timeout server 10m\n'
  await begin(run, `global\n  maxconn 1000\n${defaults}${sections.join('')}`, addresses)
  return addresses
}

async function begin(run: Trial, text: string, addresses: readonly string[]): Promise<void> {
  const file = path.join(run.folder, `haproxy-${await freePort()}.cfg`)
  await writeFile(file, text)
  const program = startProgram(findCommand('haproxy')!, ['-db', '-f', file])
  run.after(() => program.stop())
  await soon(async () => {
    for (const address of addresses) await isOpen(address)
  }).catch(error => {
    throw new Error(`HAProxy does not answer: ${program.output()}`, { cause: error })
  })
}
