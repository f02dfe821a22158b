/*
 * The door of every npm script: brings the folder into the state that the command needs (packages, builds), then does it.
 * Only what Node itself has is used here, because nothing may be installed yet. Works from any folder. In a release, which
 * holds what is built and no sources, it stands beside package.json and neither installs nor builds.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const here = import.meta.dirname ?? '.'
const isRelease = existsSync(path.join(here, 'package.json'))
const root = isRelease ? here : path.dirname(here)
const at = (...parts) => path.join(root, ...parts)
const isTerminal = Boolean(process.stdout.isTTY)
const tool = name => at('node_modules', ...tools[name])
const tools = {
  vite: ['vite', 'bin', 'vite.js'],
  vitest: ['vitest', 'vitest.mjs'],
  tsc: ['typescript', 'bin', 'tsc'],
  biome: ['@biomejs', 'biome', 'bin', 'biome'],
  knip: ['knip', 'bin', 'knip.js'],
}

const shared = [
  'package-lock.json',
  'vite.config.ts',
  'tools/build',
  'src/engine',
  'src/platform',
  'src/modules',
  'schemas',
  'resources',
]
/** What is built: what it is made of, which of those files are of the other half or tests, how Vite is told. */
const builds = {
  server: {
    sources: [...shared, 'src/crud', 'src/server', 'src/demo'],
    others: /\/(pages|browser)\/|\.test\./,
    options: ['--mode', 'server'],
  },
  web: {
    sources: [...shared, 'src/screens', 'src/web'],
    others: /\/(server|documents)\/|\.test\./,
    options: [],
  },
}

const commands = {
  async start() {
    await prepare()
    // In this process, so that signals meet the server itself.
    await import(pathToFileURL(at('dist/server/server.js')).href)
  },
  async build(...names) {
    await install()
    await build(names.length > 0 ? names : undefined)
  },
  async demo(...args) {
    await prepare()
    process.exitCode = await run([at('dist/server/demo.js'), ...args])
  },
  async audit() {
    await prepare()
    process.exitCode = await run([at('dist/server/audit.js')])
  },
  async keys(...args) {
    await prepare()
    process.exitCode = await run([at('dist/server/keys.js'), ...args])
  },
  async files(...args) {
    await prepare()
    process.exitCode = await run([at('dist/server/files.js'), ...args])
  },
  async 'leave-demo'(...args) {
    await prepare()
    process.exitCode = await run([at('dist/server/leave-demo.js'), ...args])
  },
  async password(...args) {
    await prepare()
    process.exitCode = await run([at('dist/server/password.js'), ...args])
  },
  async backup(...args) {
    await prepare()
    process.exitCode = await run([at('dist/server/backup.js'), ...args])
  },
  async restore(...args) {
    await prepare()
    process.exitCode = await run([at('dist/server/restore.js'), ...args])
  },
  async schema(...args) {
    await prepare()
    process.exitCode = await run([at('dist/server/schema.js'), ...args])
  },
  async conformance(...args) {
    await prepare()
    process.exitCode = await run([at('dist/server/conformance.js'), ...args])
  },
  async bench(...args) {
    await prepare()
    process.exitCode = await run([tool('vitest'), 'run', '--project', 'bench', ...args])
  },
  async look(kind, ...args) {
    const { values } = parseArgs({
      args,
      options: { variant: { type: 'string' }, page: { type: 'string' }, resume: { type: 'boolean' } },
    })
    await prepare()
    process.env.LOOK_VARIANT = values.variant ?? ''
    process.env.LOOK_PAGE = values.page ?? ''
    process.env.LOOK_RESUME = values.resume ? 'yes' : ''
    process.exitCode = await run([tool('vitest'), 'run', '--project', 'look', '--reporter', 'verbose', kind])
  },
  async release(...args) {
    await prepare()
    process.exitCode = await run([at('tools/release/release.mjs'), ...args])
  },
  async reference() {
    await install()
    process.exitCode = await run([at('tools/reference/reference.mjs')])
  },
  async check() {
    await install()
    process.exitCode = (await check()) > 0 ? 1 : 0
  },
  dev,
  test,
  'test:long': testLong,
  operate,
}

/** What works on sources, which a release lacks. */
const onSources = ['build', 'bench', 'look', 'release', 'reference', 'check', 'dev', 'test', 'test:long', 'operate']

await main()

async function main() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    return fail(`Juxian needs Node.js 20.19 or newer; this is ${process.versions.node}.`)
  }
  const [name = '', ...args] = process.argv.slice(2)
  const command = commands[name]
  const offered = Object.keys(commands).filter(one => !isRelease || !onSources.includes(one))
  if (!command) return fail(`Say what to do: ${offered.join(', ')}.`)
  if (!offered.includes(name)) return fail(`${name} needs the sources of Juxian: this is a release, which has none.`)
  try {
    await command(...args)
  } catch (error) {
    fail(error.message)
  }
}

function fail(sentence) {
  console.error(sentence)
  process.exitCode = 1
}

async function prepare() {
  await install()
  await build()
}

/** Runs a Node program in the project's folder; answers its exit code. */
function run(args, command = process.execPath, env = process.env) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', env })
    child.on('error', reject)
    child.on('close', code => resolve(code ?? 1))
  })
}

/** Installs the packages when they are not what package-lock.json says. @throws in a release that has no packages yet */
async function install() {
  if (isRelease && !existsSync(at('node_modules')))
    throw new Error(`The packages are missing: run npm ci --omit=dev in ${root}.`)
  if (isRelease || isInstalled()) return
  console.log('Installing packages (npm ci) …')
  const npm = process.env.npm_execpath
  // Whatever the environment says: what builds is among the packages for developers.
  const options = ['ci', '--include=dev', '--no-audit', '--no-fund']
  const code = npm ? await run([npm, ...options]) : await run(options, 'npm')
  if (code !== 0) throw new Error('The packages could not be installed: see the messages of npm above.')
}

/** npm writes what it has installed into node_modules when it is done; that must be what the lock file wants. */
function isInstalled() {
  const found = readLock('node_modules/.package-lock.json')
  const wanted = readLock('package-lock.json')
  if (!found || !wanted) return false
  return Object.entries(wanted).every(([place, { version, optional, devOptional }]) => {
    if (place === '') return true
    const installed = found[place]
    return installed ? installed.version === version : Boolean(optional || devOptional)
  })
}

function readLock(file) {
  if (!existsSync(at(file))) return undefined
  return JSON.parse(readFileSync(at(file), 'utf8')).packages
}

/** Builds, side by side, what is missing or older than its sources. */
async function build(names = Object.keys(builds)) {
  if (isRelease) return
  const open = names
    .map(name => ({ name, mark: fingerprint(name) }))
    .filter(({ name, mark }) => readMark(name) !== mark)
  if (open.length === 0) return
  console.log(`Building ${open.map(({ name }) => name).join(' and ')} …`)
  const results = await Promise.all(open.map(buildOne))
  const failed = open.filter((_, i) => results[i] !== 0).map(({ name }) => name)
  if (failed.length > 0) throw new Error(`The build of ${failed.join(' and ')} failed: see the messages above.`)
}

/** Builds beside the old files and then changes places, so that a running server never meets half a build. */
async function buildOne({ name, mark }) {
  const draft = at('dist', `.${name}-${process.pid}`)
  const args = [
    tool('vite'),
    'build',
    ...builds[name].options,
    '--logLevel',
    'warn',
    '--outDir',
    draft,
    '--emptyOutDir',
  ]
  // A build asked for by a test is the build that users get.
  const built = await run(args, process.execPath, { ...process.env, NODE_ENV: 'production' })
  // What types cannot see of the definitions stops the build, not the server that is started with it.
  const code = built === 0 && name === 'server' ? await run([path.join(draft, 'check.js')]) : built
  if (code !== 0) {
    rmSync(draft, { recursive: true, force: true })
    return code
  }
  writeFileSync(path.join(draft, '.mark'), mark)
  rmSync(at('dist', name), { recursive: true, force: true })
  renameSync(draft, at('dist', name))
  return 0
}

function readMark(name) {
  const file = at('dist', name, '.mark')
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

function fingerprint(name) {
  const hash = createHash('sha256')
  const { sources, others } = builds[name]
  for (const source of sources) {
    for (const file of filesOf(source).filter(one => !others.test(one)))
      hash.update(`${file}\n`).update(readFileSync(at(file)))
  }
  return hash.digest('hex')
}

function filesOf(source) {
  if (!existsSync(at(source))) return []
  if (/\.\w+$/.test(source)) return [source]
  const entries = readdirSync(at(source), { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile())
    .map(entry => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)))
    .sort()
}

/** Server and pages with reload, from their sources. */
async function dev() {
  await install()
  process.exitCode = await run([at('tools/dev/dev.mjs')])
}

/**
 * The whole suite. Ends with the plain line `N passed, N failed`; a check that fails counts as one failed test. What must not
 * compile is among what the check of types compiles.
 */
function test(...args) {
  return counted(check, ['server', 'web', 'web-isolated', 'e2e'], args)
}

/** What takes longer than the suite may: servers that are killed by the dozen, soak. Ends as the suite does. */
function testLong(...args) {
  return counted(async () => 0, ['long'], args)
}

/**
 * Trials with the programs of others, all or those whose files are named. Ends with what each has measured or why it was
 * skipped, and with `N passed, N failed, N skipped`.
 */
async function operate(...names) {
  await prepare()
  const { passed, failed, tests } = await runTests(['operate'], names)
  const skipped = tests.filter(({ status }) => status === 'skipped')
  for (const { status, title, duration = 0, meta } of tests) {
    const figures = Object.entries(meta.figures ?? {}).map(([name, value]) => `  ${name.padEnd(44)} ${value}`)
    const seconds = meta.skipped ? '' : ` (${Math.round(duration / 1000)} s)`
    console.log([`${status} ${title}${seconds}`, ...(meta.skipped ? [`  ${meta.skipped}`] : figures)].join('\n'))
  }
  console.log(`${passed} passed, ${failed} failed, ${skipped.length} skipped`)
  process.exitCode = failed > 0 ? 1 : 0
}

async function counted(checks, projects, args) {
  const totals = { passed: 0, failed: 0 }
  try {
    await prepare()
    totals.failed += await checks()
    const suite = await runTests(projects, args)
    totals.passed += suite.passed
    totals.failed += suite.failed
  } catch (error) {
    console.error(error.message)
    totals.failed += 1
  }
  console.log(`${totals.passed} passed, ${totals.failed} failed`)
  process.exitCode = totals.failed > 0 ? 1 : 0
}

/** Types, lint and unused code, side by side; answers how many of the three found something. */
async function check() {
  const checks = {
    // Each checker works the shared types out anew: two are the fastest on two cores and need half the memory of four.
    types: [tool('tsc'), '--checkers', '2', '--pretty', String(isTerminal)],
    'lint and format': [tool('biome'), 'check', '.', `--colors=${isTerminal ? 'force' : 'off'}`],
    'unused code': [tool('knip')],
  }
  const codes = await Promise.all(Object.values(checks).map(runWhole))
  const failed = Object.keys(checks).filter((_, i) => codes[i] !== 0)
  for (const name of failed) console.error(`The check of ${name} failed.`)
  return failed.length
}

/** Runs a Node program beside others: what it writes is shown when it is done, so that their lines do not mix. */
function runWhole(args) {
  return new Promise((resolve, reject) => {
    // The compiler is a Go program: with more room before it collects garbage it needs a sixth less of the processors.
    const env = { GOGC: '300', ...process.env }
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const written = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', bytes => written.push(bytes))
    child.on('error', reject)
    child.on('close', code => {
      process.stdout.write(Buffer.concat(written))
      resolve(code ?? 1)
    })
  })
}

async function runTests(projects, args) {
  const file = at('test-results', 'vitest.json')
  mkdirSync(path.dirname(file), { recursive: true })
  rmSync(file, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const code = await run([tool('vitest'), 'run', ...projects.map(name => `--project=${name}`), ...reporters, ...args])
  if (!existsSync(file)) return { passed: 0, failed: 1, tests: [] }
  const { numPassedTests: passed, numFailedTests, testResults } = JSON.parse(readFileSync(file, 'utf8'))
  // A file that cannot even be loaded has no failed test, and neither has an error outside of all tests.
  const broken = testResults.filter(({ status, assertionResults }) => {
    return status === 'failed' && !assertionResults.some(result => result.status === 'failed')
  })
  const failed = numFailedTests + broken.length
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  return { passed, failed: failed === 0 && code !== 0 ? 1 : failed, tests }
}
