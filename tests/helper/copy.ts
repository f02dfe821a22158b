import { execFileSync } from 'node:child_process'
import { appendFile, cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')
const parts = [
  'src',
  'tools',
  'schemas',
  'resources',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'vite.config.ts',
]

/** A copy of the program that may be changed. */
export interface Copy {
  folder: string
  remove(): Promise<void>
}

/**
 * Copies the program into a temporary folder.
 * @param files new files: path → text
 * @param lines what existing files get at their end: path → line
 */
export async function copyProgram(files: Record<string, string>, lines: Record<string, string>): Promise<Copy> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'juxian-copy-'))
  for (const part of parts) await cp(path.join(root, part), path.join(folder, part), { recursive: true })
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  for (const [file, text] of Object.entries(files)) await writeFile(path.join(folder, file), text, { flag: 'wx' })
  for (const [file, line] of Object.entries(lines)) await appendFile(path.join(folder, file), `${line}\n`)
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Builds the server of a copy: `dist/server/server.js` in its folder. */
export function buildCopy({ folder }: Copy): void {
  const vite = path.join(root, 'node_modules/vite/bin/vite.js')
  execFileSync(process.execPath, [vite, 'build', '--mode', 'server', '--logLevel', 'warn'], { cwd: folder })
}
