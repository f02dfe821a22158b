import { chmod, mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { findCommand } from '../helper/commands.ts'
import { type OutsidePostgres, startPostgres } from '../helper/outside-postgres.ts'
import { runProgram } from '../helper/program.ts'
import { startServers } from '../helper/servers.ts'
import { lostOf, steadyLoad } from '../helper/steady-load.ts'
import { type Trial, trial } from '../helper/trial.ts'
import { expectWhole } from '../helper/whole.ts'

/** Runs pgBackRest for a cluster. */
interface Rest {
  command: string
  (what: string, ...more: string[]): Promise<string>
}

/** Makes the configuration of pgBackRest for a cluster. */
async function configure(run: Trial, { data, port }: OutsidePostgres): Promise<Rest> {
  const file = path.join(run.folder, 'pgbackrest.conf')
  const folders = ['repo', 'log', 'lock', 'spool'].map(name => path.join(run.folder, name))
  for (const folder of folders) await mkdir(folder).then(() => chmod(folder, 0o777))
  const [repo, log, lock, spool] = folders
  await writeFile(
    file,
    `[global]
repo1-path=${repo}
log-path=${log}
lock-path=${lock}
spool-path=${spool}
log-level-console=warn
start-fast=y
compress-type=lz4
[exam]
pg1-path=${data}
pg1-port=${port}
pg1-socket-path=${run.folder}
pg1-user=postgres
`,
    { mode: 0o644 },
  )
  const command = `${findCommand('pgbackrest')} --config=${file} --stanza=exam`
  const [program = '', ...fixed] = command.split(' ')
  const rest = (what: string, ...more: string[]) => runProgram(program, [...fixed, ...more, what])
  return Object.assign(rest, { command })
}

trial(
  'pgBackRest: a full backup and the log bring back the second before a table was dropped',
  { needs: ['pgbackrest', 'postgres'], minutes: 10 },
  async run => {
    // Its own connections come by the socket and know no password.
    const database = await startPostgres(run, { trustsSocket: true })
    const rest = await configure(run, database)
    await database.change({ archive_mode: 'on', archive_command: `${rest.command} archive-push %p` })
    const { all, urls, headers } = await startServers(run, 1, { DATABASE_URL: database.url })
    await rest('stanza-create')
    const load = steadyLoad({ urls, headers })
    const begun = performance.now()
    await rest('backup', '--type=full')
    run.figure('full backup under load, ms', Math.round(performance.now() - begun))
    await sleep(3000)
    const { faults } = await load.end()
    expect(faults).toEqual([])
    await sleep(1100)
    const [{ moment, n }] = (await database.query(
      'SELECT clock_timestamp()::text AS moment, (SELECT count(*)::int FROM param) AS n',
    )) as [{ moment: string; n: number }]
    await sleep(1100)
    await database.query('DELETE FROM param WHERE "paramKey" LIKE \'load.%\'')
    await database.query('DROP TABLE signup CASCADE')
    await database.query('SELECT pg_switch_wal()')
    await all[0]!.now.stop()
    await database.stop()

    const restored = performance.now()
    await rename(database.data, `${database.data}.lost`)
    await rest('restore', '--type=time', `--target=${moment}`, '--target-action=promote')
    run.figure('restore, ms', Math.round(performance.now() - restored))
    await database.start()
    await expect.poll(() => database.query('SELECT pg_is_in_recovery() AS is')).toEqual([{ is: false }])
    run.figure('restore and recovery, ms', Math.round(performance.now() - restored))
    expect(await database.query('SELECT count(*)::int AS n FROM param')).toEqual([{ n }])
    expect(await lostOf(load, database.query)).toEqual([])
    run.figure('rows saved before that second, all there', load.saved.length)
    await all[0]!.start()
    await expectWhole(run, { DATABASE_URL: database.url })
  },
)
