import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { build } from 'vite'
import { demoPassword } from '../../src/platform/config/config.ts'
import { signInAt } from '../../tests/helper/sign-in-at.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** A server in a process of its own. */
export interface Running {
  url: string
  pid: number
  /** Seconds from the start of the process until it listened. */
  seconds: number
  stop(): Promise<void>
}

/**
 * Starts a program that prints its address, and waits for that. What it prints goes into a file, as for use: who measures must not be
 * the one that reads a line for each call.
 * @throws with its output when it ends before
 */
export async function run(file: string, env: Record<string, string>, node: readonly string[] = []): Promise<Running> {
  const begun = performance.now()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'juxian-output-'))
  const log = path.join(folder, 'output.txt')
  const output = await open(log, 'w')
  const stdio: StdioOptions = ['ignore', output.fd, output.fd]
  const child = spawn(process.execPath, [...node, file], { cwd: root, env: { PATH: process.env.PATH, ...env }, stdio })
  await output.close()
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
  void ended.then(() => rm(folder, { recursive: true, force: true }))
  const url = await address(child, log)
  const seconds = (performance.now() - begun) / 1000
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { url, pid: child.pid ?? 0, seconds, stop }
}

/** Milliseconds between two looks for the address. */
const pause = 20

async function address(child: ChildProcess, log: string): Promise<string> {
  for (;;) {
    const hasEnded = child.exitCode !== null || child.signalCode !== null
    const output = await readFile(log, 'utf8').catch(() => '')
    const [found] = /http:\/\/[\w.:[\]]+/.exec(output) ?? []
    if (found) return found
    if (hasEnded) throw new Error(`${child.spawnargs.at(-1)} ended:\n${output}`)
    await sleep(pause)
  }
}

/**
 * The product as people start it, on a free port, with its own database, without captcha.
 * @param demo with the demo data
 * @param more options of Node, and further variables of the environment
 */
export const startProduct = (
  dataDir: string,
  demo = true,
  { node = [], env = {} }: { node?: readonly string[]; env?: Record<string, string> } = {},
): Promise<Running> => {
  const own = { PORT: '0', DRAIN_SECONDS: '0', DATA_DIR: dataDir, DEMO: String(demo), CAPTCHA_MODE: 'false' }
  return run('dist/server/server.js', { ...own, ...env }, node)
}

/** Signs in to a product, one with the demo data where no password is given. @returns headers for its calls */
export const signInAs = ({ url }: Running, username: string, plain = demoPassword): Promise<Record<string, string>> =>
  signInAt(url, username, plain)

/** A program that does nothing, to tell what the machine does from what the server does. */
export function startIdle({
  node,
  env,
}: {
  node: readonly string[]
  env: Record<string, string>
}): Pick<Running, 'pid' | 'stop'> {
  const child = spawn(process.execPath, [...node, '-e', 'setInterval(() => {}, 1000)'], {
    env: { PATH: process.env.PATH, ...env },
  })
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { pid: child.pid ?? 0, stop }
}

/**
 * A yardstick on the same database.
 * @param name its file in this folder, without the ending
 */
export async function startByHand(
  connection: object,
  name = 'by-hand',
  env: Record<string, string> = {},
): Promise<Running> {
  const outDir = path.join(root, 'dist/bench', name)
  const input = path.join(root, 'tools/bench', `${name}.ts`)
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: { ssr: true, outDir, target: 'node20', rolldownOptions: { input, output: { entryFileNames: '[name].js' } } },
  })
  const settings = { CONNECTION: JSON.stringify(connection), NODE_ENV: 'production', ...env }
  return run(path.join(outDir, 'by-hand.js'), settings)
}
