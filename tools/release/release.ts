import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, open, rename, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { paddingOf, tarEnd, tarHeader } from '../../src/platform/backup/tar.ts'
import { fontPackages } from '../../src/platform/pdf/font-packages.ts'
import { type Lock, restrictLock, type Wanted } from './lock.ts'

interface Manifest extends Wanted {
  devDependencies: Record<string, string>
  overrides: Record<string, string>
  scripts: Record<string, string>
}

/** What a release made is. */
export interface Release {
  file: string
  /** In hexadecimal; also in `<file>.sha256`, as `sha256sum -c` reads it. */
  sha256: string
  bytes: number
}

/** Files and folders that a release has from the project as they are; what is not there is left out. */
const parts = [
  'dist/server',
  'dist/web',
  'deploy',
  'docs',
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'LICENSE',
  'NOTICE.md',
]
/** What of them is for those who build: source maps and the marks by which a build knows its sources. */
const leftOut = /\.map$|\/\.mark$/

const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T

/**
 * Names of the packages that a built program asks for when it runs, statically, dynamically or through `createRequire`, also in the
 * texts of its threads. Those that the build has put into it are not asked for any more.
 * @param folder that of the built program
 * @param known names of packages that are looked for
 */
export function packagesAskedFor(folder: string, known: readonly string[]): string[] {
  // Built files have double quotes, escaped in the text of a thread; comments of packages in them have others.
  const asked = /(?:\b(?:from|import)\s*|\()\\?"((?:@[\w.-]+\/)?[\w.-]+)(?:\/[^"\\]*)?\\?"/g
  const found = new Set<string>()
  for (const file of readdirSync(folder).filter(name => name.endsWith('.js')))
    for (const [, name = ''] of readFileSync(path.join(folder, file), 'utf8').matchAll(asked)) found.add(name)
  return known.filter(name => found.has(name) && !(name in fontPackages)).toSorted()
}

const only = <T>(all: Readonly<Record<string, T>>, isMeant: (name: string, value: T) => boolean): Record<string, T> =>
  Object.fromEntries(Object.entries(all).filter(([name, value]) => isMeant(name, value)))

/**
 * The package.json of a release: the packages that its program asks for, and the commands by the launcher that stands beside it.
 * @throws when the program asks for a package that only developers have
 */
export function releaseManifest(manifest: Manifest, folder: string): Wanted {
  const {
    devDependencies,
    dependencies,
    optionalDependencies,
    overrides,
    scripts,
    imports: _imports,
    ...others
  } = manifest
  const asked = packagesAskedFor(folder, Object.keys({ ...devDependencies, ...dependencies, ...optionalDependencies }))
  const strange = asked.filter(name => name in devDependencies)
  if (strange.length > 0)
    throw new Error(`The server asks for ${strange.join(', ')}: move it from devDependencies to dependencies.`)
  return {
    ...others,
    scripts: {
      postinstall: 'node trim.mjs',
      ...Object.fromEntries(
        Object.entries(scripts).map(([name, text]) => [name, text.replace('src/launch.mjs', 'launch.mjs')]),
      ),
    },
    dependencies: only(dependencies, name => asked.includes(name)),
    optionalDependencies,
    // An override that takes the version from a package of the pages means nothing without it.
    overrides: only(overrides, (_name, version) => !version.startsWith('$') || asked.includes(version.slice(1))),
  }
}

/** Names of the files that a release has from the project as they are, by `/`. */
export function filesAsTheyAre(root: string): string[] {
  return parts
    .filter(one => existsSync(path.join(root, one)))
    .flatMap(part => {
      const isFile = statSync(path.join(root, part)).isFile()
      const inside = isFile ? [''] : readdirSync(path.join(root, part), { recursive: true, encoding: 'utf8' })
      return inside.map(one => path.posix.join(part, one.replaceAll('\\', '/')))
    })
    .filter(name => !leftOut.test(name) && statSync(path.join(root, name)).isFile())
}

/** The files of a release: name in the archive → the file itself, or its text. */
function filesOf(root: string): Map<string, string | Buffer> {
  const manifest = readJson<Manifest>(path.join(root, 'package.json'))
  const own = releaseManifest(manifest, path.join(root, 'dist/server'))
  const lock = restrictLock(readJson<Lock>(path.join(root, 'package-lock.json')), own)
  const json = (value: object) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
  const found = new Map<string, string | Buffer>([
    ['package.json', json(own)],
    ['npm-shrinkwrap.json', json(lock)],
    ['launch.mjs', path.join(root, 'src/launch.mjs')],
    ['trim.mjs', path.join(root, 'tools/release/trim.mjs')],
  ])
  for (const name of filesAsTheyAre(root)) found.set(name, path.join(root, name))
  return new Map([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

async function* archive(folder: string, files: ReadonlyMap<string, string | Buffer>, time: number) {
  for (const [name, content] of files) {
    const size = Buffer.isBuffer(content) ? content.length : (await stat(content)).size
    yield tarHeader({ name: `${folder}/${name}`, type: 'file', mode: 0o644, time, size, target: '' })
    yield* Buffer.isBuffer(content) ? [content] : createReadStream(content)
    yield Buffer.alloc(paddingOf(size))
  }
  yield tarEnd
}

/**
 * Makes a release of what was built: an archive that needs Node and `npm ci --omit=dev`, and its digest beside it.
 * @param root the project's folder
 * @param folder where the archive goes
 */
export async function makeRelease(root: string, folder: string): Promise<Release> {
  const { version } = readJson<Manifest>(path.join(root, 'package.json'))
  const name = `juxian-${version}`
  const file = path.join(folder, `${name}.tar.gz`)
  // Not a fixed moment: browsers tell by time and size whether a page has changed.
  const time = Number(process.env.SOURCE_DATE_EPOCH) || Math.floor(Date.now() / 1000)
  await mkdir(folder, { recursive: true })
  const hash = createHash('sha256')
  let bytes = 0
  const output = await open(`${file}.part`, 'w')
  await pipeline(
    Readable.from(archive(name, filesOf(root), time)),
    createGzip({ level: 9 }),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk)
        bytes += chunk.length
        yield chunk
      }
    },
    output.createWriteStream(),
  )
  const sha256 = hash.digest('hex')
  await rename(`${file}.part`, file)
  await writeFile(`${file}.sha256`, `${sha256}  ${path.basename(file)}\n`)
  return { file, sha256, bytes }
}
