import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoPassword } from '../../src/platform/config/config.ts'
import { makeRelease, type Release } from '../../tools/release/release.ts'
import { pdfText } from '../helper/pdf-text.ts'
import { buildServer } from '../helper/process.ts'
import { signInAt } from '../helper/sign-in-at.ts'

const root = path.resolve(import.meta.dirname, '../..')
/** Most bytes of an unpacked release with its packages. */
const mostBytes = 170_000_000
/** Seconds of a start after the first: six times what it may take on an idle machine. */
const mostSeconds = 60

let folder: string
let made: Release
/** The unpacked release. */
let at: string

const filesIn = (place: string): string[] =>
  readdirSync(place, { recursive: true, encoding: 'utf8' }).filter(
    name => !statSync(path.join(place, name)).isDirectory(),
  )

/** Puts the packages that the release names, and no others, into it: those of this machine, so that no network is needed. */
function bringPackages(): void {
  const { packages } = JSON.parse(readFileSync(path.join(at, 'npm-shrinkwrap.json'), 'utf8'))
  for (const place of Object.keys(packages).filter(Boolean)) {
    // What is for other systems is not here.
    if (!existsSync(path.join(root, place))) continue
    const inner = path.join(root, place, 'node_modules')
    const filter = (file: string) => file !== inner
    cpSync(path.join(root, place), path.join(at, place), { recursive: true, verbatimSymlinks: true, filter })
  }
  execFileSync(process.execPath, ['trim.mjs'], { cwd: at })
}

interface Started {
  url: string
  /** Sends SIGTERM and waits for the end. @throws with its output when it ends with anything but 0 */
  stop(): Promise<void>
}

/** Starts the release by its launcher with nothing in the environment but what is said here. */
async function start(): Promise<Started> {
  const env = { PATH: '/usr/bin:/bin', PORT: '0', DATA_DIR: path.join(folder, 'data'), CAPTCHA_MODE: 'false' }
  const child = spawn(process.execPath, [path.join(at, 'launch.mjs'), 'start'], { cwd: '/', env })
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk
      const found = /http:\/\/[\w.:]+/.exec(output)
      if (found) resolve(found[0])
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    void ended.then(code => reject(new Error(`The release ended with ${code}:\n${output}`)))
  })
  const stop = async () => {
    child.kill('SIGTERM')
    const code = await ended
    if (code !== 0) throw new Error(`The release, told to stop, ended with ${code}:\n${output}`)
  }
  return { url, stop }
}

beforeAll(async () => {
  buildServer()
  folder = await mkdtemp(path.join(os.tmpdir(), 'juxian-release-'))
  // User nobody, who runs PostgreSQL when root runs the tests, must get in.
  await chmod(folder, 0o755)
  made = await makeRelease(root, folder)
  execFileSync('tar', ['-xzf', made.file, '-C', folder])
  at = path.join(folder, path.basename(made.file, '.tar.gz'))
  bringPackages()
})

afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))

test('a release holds what is built and what it runs with, and no sources', () => {
  expect(readFileSync(`${made.file}.sha256`, 'utf8')).toBe(`${made.sha256}  ${path.basename(made.file)}\n`)
  expect(createHash('sha256').update(readFileSync(made.file)).digest('hex')).toBe(made.sha256)
  for (const name of ['src', 'tests', 'tools', 'schemas', 'resources', 'vite.config.ts', 'package-lock.json'])
    expect([name, existsSync(path.join(at, name))]).toEqual([name, false])
  for (const name of [
    'LICENSE',
    'NOTICE.md',
    'dist/web/LICENCES.md',
    'dist/server/LICENCES.md',
    'dist/server/LICENCES-pdf-thread.md',
    'docs/operate.md',
  ])
    expect([name, existsSync(path.join(at, name))]).toEqual([name, true])
  expect(filesIn(path.join(at, 'dist')).filter(name => name.endsWith('.map'))).toEqual([])
  const own = JSON.parse(readFileSync(path.join(at, 'package.json'), 'utf8'))
  expect(own.devDependencies).toBeUndefined()
  expect(Object.keys(own.dependencies)).toEqual(expect.arrayContaining(['fastify', 'pg', 'pdfkit', 'sharp']))
  expect(Object.keys(own.dependencies).filter(name => /^(react|antd|kysely|vite|hanamin)/.test(name))).toEqual([])
  expect(filesIn(at).reduce((sum, name) => sum + lstatSync(path.join(at, name)).size, 0)).toBeLessThan(mostBytes)
})

test('npm takes its package.json and its lock file as they belong together', () => {
  const npm = process.env.npm_execpath
  const options = ['ci', '--omit=dev', '--dry-run', '--offline', '--ignore-scripts', '--no-audit', '--no-fund']
  const { status, stderr } = npm
    ? spawnSync(process.execPath, [npm, ...options], { cwd: at, encoding: 'utf8' })
    : spawnSync('npm', options, { cwd: at, encoding: 'utf8' })
  expect([status, status === 0 ? '' : stderr]).toEqual([0, ''])
})

test('commands that need sources are refused in words', () => {
  const { status, stderr } = spawnSync(process.execPath, ['launch.mjs', 'test'], { cwd: at, encoding: 'utf8' })
  expect([status, stderr]).toEqual([1, 'test needs the sources of Juxian: this is a release, which has none.\n'])
})

/** Asks a release for its page, signs in and has a document printed. */
async function use(url: string): Promise<void> {
  const health = await fetch(`${url}/api/public/health`)
  expect(await health.json()).toMatchObject({ code: 200 })
  expect(await (await fetch(`${url}/`)).text()).toContain('<script type="module"')
  const headers = await signInAt(url, 'kaosheng', demoPassword)
  const calls = `${url}/api/blade-signup/signup`
  const mine = await (await fetch(`${calls}/myExamList`, { headers })).json()
  const { id: signupId, examName } = mine.data.records[0]
  // Each answer is read to its end: one that is not holds its connection, and the server with it.
  const print = async () => {
    const answer = await fetch(`${calls}/exportPDFView`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ signupId }),
    })
    return { status: answer.status, type: answer.headers.get('content-type'), body: await answer.arrayBuffer() }
  }
  // The first document waits for its fonts, on a loaded machine longer than a call may.
  await expect.poll(async () => (await print()).status).toBe(200)
  const { type, body } = await print()
  expect(type).toContain('application/pdf')
  expect(pdfText(Buffer.from(body)).join('')).toContain(examName)
}

test('it starts without anything else, serves the page, prints Chinese, and starts again', async () => {
  const first = await start()
  await use(first.url).catch(async error => {
    // What went wrong first is what is told.
    await first.stop().catch(() => {})
    throw error
  })
  await first.stop()
  const began = performance.now()
  const second = await start()
  const seconds = (performance.now() - began) / 1000
  await second.stop()
  expect(seconds).toBeLessThan(mostSeconds)
})

test.each([
  ['schema', ['check'], 0],
  ['keys', [], 0],
  ['files', [], 0],
  ['audit', [], 0],
  // It ran, and somebody should take a first backup.
  ['backup', ['status'], 2],
] as const)('%s works without sources', async (name, args, code) => {
  const env = { PATH: '/usr/bin:/bin', DATA_DIR: path.join(folder, 'data') }
  const { status, stderr } = spawnSync(process.execPath, ['launch.mjs', name, ...args], {
    cwd: at,
    env,
    encoding: 'utf8',
  })
  expect([status, status === code ? '' : stderr]).toEqual([code, ''])
})
