import { execFileSync } from 'node:child_process'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')

/** Runs once before all tests: builds the pages when their sources have changed since the last time. */
export function setup(): void {
  execFileSync(process.execPath, ['src/launch.mjs', 'build', 'web'], { cwd: root, stdio: 'pipe' })
}
