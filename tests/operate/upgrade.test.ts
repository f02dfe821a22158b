import path from 'node:path'
import { expect } from 'vitest'
import { startPostgres } from '../helper/outside-postgres.ts'
import { launchServer, runNode } from '../helper/process.ts'
import { testSecretKey } from '../helper/secret-key.ts'
import { administrator, startServers } from '../helper/servers.ts'
import { signInAt } from '../helper/sign-in-at.ts'
import { trial } from '../helper/trial.ts'
import { backUpRows } from '../helper/whole.ts'

/** Milliseconds that backup and restore of the demonstration may take together. */
const most = 60_000

trial(
  'the demo goes from PostgreSQL 15 to the embedded one of the program by a logical backup',
  { needs: ['postgres'], minutes: 10 },
  async run => {
    const database = await startPostgres(run)
    const env = { DATABASE_URL: database.url, DEMO: 'true', SECRET_KEY: testSecretKey }
    const old = await startServers(run, 1, env)
    await old.all[0]!.now.stop()
    const [version] = await database.query<{ server_version: string }>('SHOW server_version')
    const counted = await database.query<{ n: number }>('SELECT count(*)::int AS n FROM "user"')

    const begun = performance.now()
    const file = await backUpRows(run, env)
    const taken = performance.now()
    const into = path.join(run.folder, 'new')
    await runNode('restore', [file, '--into', into], { SECRET_KEY: testSecretKey })
    const restored = performance.now()
    run.figure('from', version!.server_version)
    run.figure('backup, ms', Math.round(taken - begun))
    run.figure('restore, ms', Math.round(restored - taken))
    expect(restored - begun).toBeLessThan(most)
    const told = await runNode('restore', ['--check', '--json', file], { SECRET_KEY: testSecretKey })
    const { findings } = JSON.parse(told.trim().split('\n').at(-1)!)
    expect(findings.filter((one: { isRight: boolean }) => !one.isRight)).toEqual([])

    const server = launchServer({ DATA_DIR: into, DEMO: 'true', CAPTCHA_MODE: 'false' })
    run.after(() => server.stop())
    const url = await server.listening
    const headers = await signInAt(url, 'admin', administrator)
    const answer = await fetch(`${url}/api/blade-system/user/page?size=1`, { headers })
    const { data } = (await answer.json()) as { data: { total: number } }
    run.figure('accounts', data.total)
    expect(data.total).toBeGreaterThan(100)
    expect(data.total).toBeLessThanOrEqual(counted[0]!.n)
  },
)
