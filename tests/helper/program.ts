import { type ChildProcess, execFileSync, spawn } from 'node:child_process'

/** Whom programs that refuse root run as; undefined where the tests are not run by root. */
export const nobody: { uid: number; gid: number } | undefined =
  process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined

/** A program of others in a process of its own. */
export interface Program {
  readonly pid: number
  isRunning(): boolean
  /** Everything it has printed. */
  output(): string
  /** Ends with the process: the exit code, null after a signal. */
  readonly ended: Promise<number | null>
  /** Ends it, by force when it takes longer than ten seconds, with all it has begun. */
  stop(signal?: NodeJS.Signals): Promise<void>
}

/** How a program is run. */
export interface ProgramOptions {
  env?: Record<string, string>
  cwd?: string
  /** By root instead of {@link nobody}. */
  asRoot?: boolean
  /** What it reads; nothing by default. */
  input?: string
}

/** A process and all that it and its children have begun, as far as they are known. */
export function processTree(pid: number): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const pairs = lines.map(line => line.trim().split(/\s+/).map(Number))
  const all = [pid]
  for (const one of all) for (const [child = 0, parent] of pairs) if (parent === one) all.push(child)
  return all
}

/** Sends a signal to processes; those that have ended by themselves are passed over. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
}

/** Starts a program of others, which is killed when this process ends. */
export function startProgram(command: string, args: readonly string[], options: ProgramOptions = {}): Program {
  const { env = {}, cwd = '/', asRoot = false, input } = options
  const user = nobody && !asRoot ? [`--reuid=${nobody.uid}`, `--regid=${nobody.gid}`, '--clear-groups'] : []
  const child: ChildProcess = spawn('setpriv', [...user, '--pdeathsig', 'KILL', command, ...args], {
    cwd,
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  // What ends without reading it all is no fault by itself.
  child.stdin?.on('error', () => {}).end(input)
  let output = ''
  const hear = (text: Buffer) => {
    output += text
  }
  child.stdout?.on('data', hear)
  child.stderr?.on('data', hear)
  const ended = new Promise<number | null>((resolve, reject) => {
    // Of the process, not of its pipes, which what it has begun may hold.
    child.once('exit', code => resolve(code))
    child.once('error', reject)
  })
  ended.catch(() => {})
  const pid = child.pid ?? 0
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  return {
    pid,
    isRunning: () => !isOver(),
    output: () => output,
    ended,
    async stop(signal = 'SIGTERM') {
      if (isOver()) return
      const all = processTree(pid)
      child.kill('SIGCONT')
      child.kill(signal)
      await Promise.race([ended, new Promise(done => setTimeout(done, 10_000).unref())])
      if (!isOver()) signalAll(all, 'SIGKILL')
      await ended
    },
  }
}

/**
 * Runs a program of others to its end.
 * @returns what it has printed
 * @throws with its output when it ends with something else than 0
 */
export async function runProgram(
  command: string,
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<string> {
  const program = startProgram(command, args, options)
  const code = await program.ended
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${program.output()}`)
  return program.output()
}
