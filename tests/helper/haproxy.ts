import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { findCommand } from './commands.ts'
import { freePort, isOpen } from './free-port.ts'
import { startProgram } from './program.ts'
import { soon } from './soon.ts'
import type { Trial } from './trial.ts'

/**
 * Starts HAProxy for a trial.
 * @param listeners what stands under `listen`, below the line of its address
 * @returns where each listens, `127.0.0.1:41234`
 */
export async function startHaproxy(run: Trial, listeners: readonly string[]): Promise<string[]> {
  const file = path.join(run.folder, `haproxy-${await freePort()}.cfg`)
  const addresses: string[] = []
  for (const _ of listeners) addresses.push(`127.0.0.1:${await freePort()}`)
  const sections = listeners.map((lines, at) => `listen l${at}\n  bind ${addresses[at]}\n${lines}`)
  const defaults = 'defaults\n  timeout connect 3s\n  timeout client 10m\n  timeout server 10m\n'
  await writeFile(file, `global\n  maxconn 1000\n${defaults}${sections.join('')}`)
  const program = startProgram(findCommand('haproxy')!, ['-db', '-f', file])
  run.after(() => program.stop())
  await soon(async () => {
    for (const address of addresses) await isOpen(address)
  }).catch(error => {
    throw new Error(`HAProxy does not answer: ${program.output()}`, { cause: error })
  })
  return addresses
}
