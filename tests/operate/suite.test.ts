import { appendFile, readFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { expect } from 'vitest'
import { postgresFolder } from '../helper/commands.ts'
import { startPooler } from '../helper/pooler.ts'
import { runProgram, startProgram } from '../helper/program.ts'
import { soon } from '../helper/soon.ts'
import { type Trial, trial } from '../helper/trial.ts'

const root = path.resolve(import.meta.dirname, '../..')
/** As the embedded one has it: tests come by the socket of a folder. */
const user = 'juxian'

/** Starts a PostgreSQL of Debian as the tests want it. @returns the folder of its socket */
async function startCluster(run: Trial): Promise<string> {
  const data = path.join(run.folder, 'postgres')
  const at = (command: string) => path.join(postgresFolder, command)
  await runProgram(at('initdb'), ['-D', data, '-U', user, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'])
  const quick = 'fsync = off\nfull_page_writes = off\nmax_connections = 300\njit = off\nmax_slot_wal_keep_size = 8GB\n'
  const socket = `listen_addresses = ''\nport = 5432\nunix_socket_directories = '${run.folder}'\nunix_socket_permissions = 0700\n`
  await appendFile(path.join(data, 'postgresql.conf'), quick + socket)
  const program = startProgram(at('postgres'), ['-D', data])
  run.after(() => program.stop('SIGINT'))
  await soon(async () => {
    const client = new pg.Client({ host: run.folder, user, database: 'postgres' })
    await client.connect()
    await client.end()
  })
  return run.folder
}

/** Runs the tests of the server. Which of them can be said by `OPERATE_TESTS`, as Vitest takes it. */
async function runSuite(run: Trial, env: Record<string, string>): Promise<void> {
  const file = path.join(run.folder, 'tests.json')
  const names = process.env.OPERATE_TESTS?.split(' ') ?? []
  const options = ['--mode', 'test', '--project=server', '--reporter=json', `--outputFile=${file}`]
  const given = { ...(process.env as Record<string, string>), ...env }
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs')
  const begun = performance.now()
  const program = startProgram(process.execPath, [vitest, 'run', ...options, ...names], {
    cwd: root,
    env: given,
    asRoot: true,
  })
  run.after(() => program.stop())
  await program.ended
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error(program.output())
  })
  const { numPassedTests: passed, numTotalTests: all, testResults } = JSON.parse(text) as Results
  run.figure('passed of all', `${passed} of ${all}`)
  run.figure('seconds', Math.round((performance.now() - begun) / 1000))
  const failed = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const own = assertionResults.filter(one => one.status === 'failed')
    const broken = status === 'failed' && own.length === 0 ? [`${name}: ${message}`] : []
    return [...broken, ...own.map(one => `${name} > ${one.fullName}: ${one.failureMessages[0]?.slice(0, 500)}`)]
  })
  expect(failed).toEqual([])
  expect(passed).toBeGreaterThan(0)
}

/** What Vitest writes down. */
interface Results {
  numPassedTests: number
  numTotalTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

trial('the tests of the server pass on PostgreSQL 15', { needs: ['postgres'], minutes: 60 }, async run => {
  await runSuite(run, { TEST_CLUSTER: await startCluster(run) })
})

trial(
  'the tests of the server pass through PgBouncer in transaction mode',
  { needs: ['pgbouncer', 'postgres'], minutes: 60 },
  async run => {
    const cluster = await startCluster(run)
    const url = `postgresql://${user}@localhost/postgres?host=${encodeURIComponent(cluster)}`
    // Each file has a database of its own.
    const pooler = await startPooler(url, { default_pool_size: 4, server_idle_timeout: 5, max_client_conn: 2000 })
    run.after(() => pooler.stop())
    await runSuite(run, { TEST_CLUSTER: cluster, TEST_POOLER: new URL(pooler.url).host })
  },
)
