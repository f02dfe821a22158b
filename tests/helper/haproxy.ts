import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { findCommand } from './commands.ts'
import { freePort, isOpen } from './free-port.ts'
import { startProgram } from './program.ts'
import { soon } from './soon.ts'
import type { Trial } from './trial.ts'

/** `deploy/haproxy.cfg`: what stands before servers, and what stands before a primary and its standbys. */
async function deployed(): Promise<{ defaults: string; servers: string; primary: string }> {
  const whole = await readFile(path.resolve(import.meta.dirname, '../../deploy/haproxy.cfg'), 'utf8')
  const [before = '', primary = ''] = whole.split(/\n\n# DATABASE_URL=.*?(?=\nlisten primary)/s)
  const [defaults = ''] = before.split('\n\nfrontend web')
  return { defaults, servers: before, primary }
}

/** A text with other words in their place. @throws when it does not have them */
const replaced = (text: string, words: readonly (readonly [from: string | RegExp, to: string])[]): string =>
  words.reduce((now, [from, to]) => {
    const next = now.replace(from, to)
    if (next === now) throw new Error(`deploy/haproxy.cfg has no ${from}.`)
    return next
  }, text)

/**
 * Starts HAProxy with the part of `deploy/haproxy.cfg` that stands before servers.
 * @param urls of the servers
 * @returns where it listens, `127.0.0.1:41234`
 */
export async function startDeployedHaproxy(run: Trial, urls: readonly string[]): Promise<string> {
  const address = `127.0.0.1:${await freePort()}`
  const lines = urls.map((url, at) => `  server s${at} ${new URL(url).host} check`).join('\n')
  const words = [
    ['bind :80', `bind ${address}`],
    ['  server a 127.0.0.1:8000 check', lines],
  ] as const
  return begin(run, replaced((await deployed()).servers, words), address)
}

/**
 * Starts HAProxy with the part of `deploy/haproxy.cfg` that stands before a primary and its standbys.
 * @param members of the cluster, each with the port of its database and that of Patroni
 * @returns where it listens, `127.0.0.1:41234`
 */
export async function startPrimaryHaproxy(
  run: Trial,
  members: readonly { name: string; port: number; api: number }[],
): Promise<string> {
  const address = `127.0.0.1:${await freePort()}`
  const lines = members.map(({ name, port, api }) => `  server ${name} 127.0.0.1:${port} check port ${api}`).join('\n')
  const words = [
    ['bind 127.0.0.1:5000', `bind ${address}`],
    [/ {2}server n1 .*/s, `${lines}\n`],
  ] as const
  const { defaults, primary } = await deployed()
  return begin(run, `${defaults}\n${replaced(primary, words)}`, address)
}

async function begin(run: Trial, text: string, address: string): Promise<string> {
  const file = path.join(run.folder, `haproxy-${await freePort()}.cfg`)
  await writeFile(file, `${text}\n`)
  const program = startProgram(findCommand('haproxy')!, ['-db', '-f', file])
  run.after(() => program.stop())
  await soon(() => isOpen(address)).catch(error => {
    throw new Error(`HAProxy does not answer: ${program.output()}`, { cause: error })
  })
  return address
}
