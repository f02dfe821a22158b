import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** What a trial of the deployment files is given: a folder of its own, a list of what is undone, and a table of figures. */
export interface Run {
  readonly folder: string
  /** What is undone when the trial is over, however it ends. */
  after(undo: () => unknown): void
  /** Notes something measured. */
  figure(name: string, value: string | number): void
}

const execute = promisify(execFile)

/**
 * Runs a program to its end and answers what it has printed, errors included.
 * @throws with that when it ends with another code than 0
 */
export async function runProgram(
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
  cwd = '/',
): Promise<string> {
  try {
    const { stdout, stderr } = await execute(command, args, {
      cwd,
      env: { ...process.env, ...env },
      maxBuffer: 64 * 1024 * 1024,
    })
    return stdout + stderr
  } catch (error) {
    const { stdout = '', stderr = '', code } = error as { stdout?: string; stderr?: string; code?: number }
    throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`)
  }
}
