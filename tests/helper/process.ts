import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import path from 'node:path'
import { dataFolder } from './data-folder.ts'
import { testSecretKey } from './secret-key.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** A program of the server in a process of its own, which need not listen yet. */
export interface Launched {
  child: ChildProcess
  /** The address it answers at once it listens. Rejects with its output when it ends before. */
  listening: Promise<string>
  /** Ends with the process: the exit code, null after a signal. */
  ended: Promise<number | null>
  /** Everything it has printed. */
  output(): string
  /** Sends a signal and waits for the end; answers the exit code, null after a signal. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** A server in a process of its own. */
export interface ServerProcess extends Launched {
  /** Address it answers at, for example `http://127.0.0.1:41234`. */
  url: string
}

/**
 * Launches the built server as users do, on a free port and without demo data.
 * @param env what it is told, for example `{ DATABASE_URL: (await testDatabase()).url }` or `{ DATA_DIR: folder }`
 * @param cwd the folder it is started in
 * @param program what is started; the server of this folder by default
 */
export function launchServer(
  env: Record<string, string> = {},
  cwd = root,
  program = path.join(root, 'dist/server/server.js'),
): Launched {
  const own = { PATH: process.env.PATH, PORT: '0', DRAIN_SECONDS: '0', DEMO: 'false', SECRET_KEY: testSecretKey }
  const environment = {
    ...own,
    ...(env.DATABASE_URL && !env.DATA_DIR && { DATA_DIR: dataFolder(env.DATABASE_URL) }),
    ...env,
  }
  const child = spawn(process.execPath, [program], {
    cwd,
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  const ended = new Promise<number | null>(resolve => child.once('close', code => resolve(code)))
  const listening = new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk
      const found = /http:\/\/[\w.:[\]]+/.exec(output)
      if (found) resolve(found[0])
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    void ended.then(code => reject(new Error(`The server ended with ${code}:\n${output}`)))
  })
  // Whoever does not wait for it learns of the end by `ended`.
  listening.catch(() => {})
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return ended
  }
  return { child, listening, ended, output: () => output, stop }
}

/**
 * Launches the built server and waits until it listens.
 * @param env what it is told
 * @param cwd the folder it is started in
 * @param program what is started; the server of this folder by default
 * @throws with its output when it ends before it listens
 */
export async function startServer(
  env: Record<string, string> = {},
  cwd?: string,
  program?: string,
): Promise<ServerProcess> {
  const launched = launchServer(env, cwd, program)
  return { ...launched, url: await launched.listening }
}

/** Builds the server when its sources have changed since the last time. */
export function buildServer(): void {
  execFileSync(process.execPath, ['src/launch.mjs', 'build', 'server'], { cwd: root, stdio: 'pipe' })
}

/**
 * Runs a program of the server to its end, as npm does.
 * @param name for example `backup`
 * @param folder where it was built to
 * @returns what it has printed
 * @throws with all it has printed when it ends with something else than 0
 */
export function runNode(
  name: string,
  args: readonly string[],
  env: Record<string, string> = {},
  folder = path.join(root, 'dist/server'),
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd: root, env: { PATH: process.env.PATH, DEMO: 'false', ...env }, maxBuffer: 1 << 28 }
    execFile(process.execPath, [path.join(folder, `${name}.js`), ...args], options, (error, told, errors) =>
      error ? reject(new Error(`${name} ended with ${error.code}:\n${told}${errors}`)) : resolve(told),
    )
  })
}
