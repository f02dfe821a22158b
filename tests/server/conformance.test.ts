import { spawn } from 'node:child_process'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { featurePlaces } from '../../tools/build/feature-places.ts'
import { type TestDatabase, testDatabase } from '../helper/app.ts'
import { buildServer } from '../helper/process.ts'
import { type Relay, relayTo } from '../helper/relay.ts'
import { structureOf } from '../helper/structure.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** Milliseconds of a whole run: four times what it may take on an idle machine. */
const mostTime = 80_000

let database: TestDatabase
const relays: Relay[] = []
beforeAll(async () => {
  buildServer()
  database = await testDatabase()
})
afterAll(async () => {
  for (const one of relays) await one.cut()
  await database?.drop()
})

/** Starts it as `npm run conformance` does. */
function start(...args: string[]) {
  const child = spawn(process.execPath, ['dist/server/conformance.js', ...args], { cwd: root })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      output += chunk
    })
  const end = new Promise<{ code: number | null; output: string }>(resolve =>
    child.once('close', code => resolve({ code, output })),
  )
  return { child, end, output: () => output }
}

/** The same against a database that refuses some statements. */
async function without(refuses: RegExp) {
  const relay = await relayTo(database.url, refuses)
  relays.push(relay)
  return start(relay.url).end
}

interface Told {
  engine: string
  fit: boolean
  findings: { feature: string; need: string; state: string; says?: string; places: Record<string, number> }[]
}

test('PostgreSQL has everything, and an installation that is in the database stays as it was', async () => {
  const before = await structureOf(database.url)
  const began = performance.now()
  const { code, output } = await start(database.url, '--json').end
  expect(performance.now() - began).toBeLessThan(mostTime)
  const told: Told = JSON.parse(output)
  expect(told.findings.filter(one => one.state !== 'works')).toEqual([])
  expect(told.findings.length).toBeGreaterThan(30)
  expect([code, told.fit, told.engine]).toEqual([0, true, expect.stringMatching(/^PostgreSQL \d/)])
  expect(await structureOf(database.url)).toEqual(before)
  const places = Object.fromEntries(told.findings.map(one => [one.feature, one.places]))
  expect(places).toEqual(featurePlaces(root))
})

test('each feature names its places in the sources, and what is used nowhere is no feature', () => {
  const places = featurePlaces(root)
  const unused = Object.keys(places).filter(name => Object.keys(places[name]!).length === 0)
  expect(unused).toEqual(['values', 'schema'])
  expect(places.notifications).toEqual({ 'src/platform/vault/key-follow.ts': 2 })
  expect(Object.keys(places.sessionLocks!)).toContain('src/platform/database/migrate.ts')
})

test('without LISTEN a database will do', async () => {
  const { code, output } = await without(/^LISTEN\b/)
  expect(output).toMatch(/\noptional lacking: LISTEN$/m)
  expect(output).toMatch(/lacking +optional +2 in 1 file +LISTEN\n +without it .*\n +! .*\(0A000\)\n/)
  expect([code, output]).toEqual([0, expect.stringContaining('All that is needed works.')])
})

test('without SKIP LOCKED it will not', async () => {
  const { code, output } = await without(/SKIP LOCKED/i)
  expect([code, output]).toEqual([1, expect.stringMatching(/^needed lacking: .*SKIP LOCKED/m)])
})

test('called off in the middle it leaves nothing', async () => {
  const run = start(database.url)
  await expect.poll(run.output).toContain('arrays')
  run.child.kill('SIGINT')
  expect(await run.end).toEqual({ code: 1, output: expect.stringMatching(/Called off/) })
  const left = (await structureOf(database.url)).filter(line => line.includes('juxian_check'))
  expect(left).toEqual([])
})

test.each([[[]], [['mysql://a/b']]])('an address that is none is told how to be said: %j', async args => {
  expect(await start(...args).end).toEqual({ code: 1, output: expect.stringContaining('npm run conformance --') })
})

test('a database that is not there is told', async () => {
  const { code, output } = await start('postgresql://me@127.0.0.1:9/x').end
  expect([code, output]).toEqual([1, expect.stringContaining('ECONNREFUSED')])
})
