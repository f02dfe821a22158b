import path from 'node:path'
import { type Program, startProgram } from './program.ts'

const root = path.resolve(import.meta.dirname, '../..')

/**
 * Starts the bench of a national exam, which ends with 0 when what it measured is as it has to be.
 * @param rows sign-ups of its large exam
 * @param env further variables of the environment
 */
export const startNationalBench = (rows: number, env: Record<string, string> = {}): Program =>
  startProgram(process.execPath, ['src/launch.mjs', 'bench', 'national'], {
    cwd: root,
    env: { ...(process.env as Record<string, string>), NATIONAL_ROWS: String(rows), ...env },
    asRoot: true,
  })
