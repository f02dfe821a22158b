import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { expect } from 'vitest'
import { findCommand } from '../helper/commands.ts'
import { freePort, isOpen } from '../helper/free-port.ts'
import { startNginx, writeNginx } from '../helper/nginx.ts'
import { role, startPostgres } from '../helper/outside-postgres.ts'
import { runProgram, startProgram } from '../helper/program.ts'
import { startServers } from '../helper/servers.ts'
import { soon } from '../helper/soon.ts'
import { trial } from '../helper/trial.ts'

// Whether Kubernetes takes the objects, and whether the program knows every variable, is seen without it: tests/deploy.test.ts.

const deploy = path.resolve(import.meta.dirname, '../../deploy')
const fileOf = (name: string) => path.join(deploy, name)
const read = (name: string) => readFile(fileOf(name), 'utf8')

/** Most that systemd may call the exposure of a unit, of 10. */
const mostExposure = 5

trial('systemd takes the units, and finds little that they may do', { needs: ['systemd-analyze'] }, async run => {
  const units = (await readdir(deploy)).filter(name => name.endsWith('.service'))
  expect(units.length).toBeGreaterThan(1)
  const command = findCommand('systemd-analyze')!
  for (const unit of units) {
    expect(await runProgram(command, ['verify', fileOf(unit)], { asRoot: true })).toBe('')
    const said = await runProgram(command, ['security', '--offline=true', '--no-pager', fileOf(unit)], { asRoot: true })
    const [, exposure] = /exposure level for [^:]+: ([\d.]+)/.exec(said) ?? []
    run.figure(`exposure of ${unit}`, exposure ?? said)
    expect(Number(exposure)).toBeLessThanOrEqual(mostExposure)
  }
})

trial('nginx takes its file', { needs: ['nginx', 'openssl'] }, async run => {
  const said = await runProgram(findCommand('nginx')!, ['-t', '-c', await writeNginx(run)], { asRoot: true })
  expect(said).not.toMatch(/\[(warn|emerg)\]/)
})

trial('HAProxy takes its file', { needs: ['haproxy'] }, async () => {
  expect(await runProgram(findCommand('haproxy')!, ['-c', '-f', fileOf('haproxy.cfg')])).not.toMatch(/WARNING|ALERT/)
})

trial(
  'HAProxy and nginx with their files tell callers when to come again while no server is there',
  { needs: ['haproxy', 'nginx', 'openssl'] },
  async run => {
    const [web, nobody] = [await freePort(), await freePort()]
    const [servers = ''] = (await read('haproxy.cfg')).split('\nlisten primary')
    const file = path.join(run.folder, 'haproxy.cfg')
    const text = servers.replace('bind :80', `bind 127.0.0.1:${web}`).replace('127.0.0.1:8000', `127.0.0.1:${nobody}`)
    await writeFile(file, `${text.trimEnd()}\n`)
    const program = startProgram(findCommand('haproxy')!, ['-db', '-f', file])
    run.after(() => program.stop())
    await soon(() => isOpen(`127.0.0.1:${web}`))
    const nginx = await startNginx(run, `http://127.0.0.1:${nobody}`)
    const answers = {
      haproxy: () => fetch(`http://127.0.0.1:${web}/api/public/health`),
      nginx: () => nginx.ask(`${nginx.url}/api/public/health`),
    }
    for (const ask of Object.values(answers)) {
      const answer = await ask()
      expect(answer.status).toBe(503)
      expect(answer.headers.get('retry-after')).toBe('2')
      expect(await answer.json()).toMatchObject({ code: 503, success: false, msg: expect.any(String) })
    }
  },
)

for (const name of ['pgbouncer.ini', 'pgbouncer.compose.ini'])
  trial(`PgBouncer with ${name} leads to the database`, { needs: ['pgbouncer', 'postgres'] }, async run => {
    const database = await startPostgres(run)
    const port = await freePort()
    const { user, password } = role
    const users = path.join(run.folder, 'userlist.txt')
    await writeFile(users, `"${user}" "${password}"\n`)
    const text = (await read(name))
      .replace(/^\w+ = host=.*$/m, `${role.database} = host=127.0.0.1 port=${database.port} dbname=${role.database}`)
      .replace('listen_addr = *', 'listen_addr = 127.0.0.1')
      .replace('listen_port = 6432', `listen_port = ${port}\nunix_socket_dir =`)
      .replace('/etc/pgbouncer/userlist.txt', users)
    const file = path.join(run.folder, 'pgbouncer.ini')
    await writeFile(file, text)
    const program = startProgram(findCommand('pgbouncer')!, [file])
    run.after(() => program.stop('SIGINT'))
    await soon(() => isOpen(`127.0.0.1:${port}`))
    const ask = async (name: string, sql: string) => {
      const client = new pg.Client({ host: '127.0.0.1', port, user, password, database: name })
      await client.connect()
      try {
        return (await client.query(sql)).rows
      } finally {
        await client.end()
      }
    }
    expect(await ask(role.database, 'SELECT current_user AS who')).toEqual([{ who: user }])
    const settings = (await ask('pgbouncer', 'SHOW CONFIG')) as { key: string; value: string }[]
    const told = Object.fromEntries(settings.map(({ key, value }) => [key, value]))
    expect(told).toMatchObject({ pool_mode: 'transaction', default_pool_size: '40', max_client_conn: '2000' })
    expect(program.output()).not.toMatch(/WARNING|ERROR/)
  })

trial('Docker Compose takes its file, and asks for the secrets', { needs: ['docker-compose'] }, async run => {
  // That of Debian knows no name in the file.
  const file = path.join(run.folder, 'compose.yaml')
  await writeFile(file, (await read('compose.yaml')).replace(/^name: .*$/m, ''))
  const secrets = { DATABASE_PASSWORD: 'a', SECRET_KEY: 'b', PUBLIC_URL: 'https://exam.example.org' }
  const services = (env: Record<string, string>) =>
    runProgram(findCommand('docker-compose')!, ['-f', file, 'config', '--services'], { env, cwd: run.folder })
  expect((await services(secrets)).trim().split('\n')).toEqual(
    expect.arrayContaining(['server-1', 'server-2', 'nginx', 'postgres', 'backup-watch', 'pgbouncer', 'store']),
  )
  for (const name of Object.keys(secrets)) {
    const { [name as keyof typeof secrets]: _, ...others } = secrets
    await expect(services(others)).rejects.toThrow(name)
  }
})

trial('kubectl takes the files of Kubernetes together, with another image', { needs: ['kubectl'] }, async run => {
  const files = await readdir(fileOf('kubernetes'))
  await cp(fileOf('kubernetes'), run.folder, { recursive: true })
  const text = JSON.stringify({ resources: files, images: [{ name: 'juxian', newTag: 'another' }] })
  await writeFile(path.join(run.folder, 'kustomization.yaml'), text)
  const all = await runProgram(findCommand('kubectl')!, ['kustomize', run.folder], { env: { HOME: run.folder } })
  const objects = all.split('\n---\n')
  expect(objects.flatMap(object => /^kind: (.*)$/m.exec(object)?.[1] ?? []).toSorted()).toEqual([
    'ConfigMap',
    'Deployment',
    'Job',
    'PodDisruptionBudget',
    'Secret',
    'Service',
  ])
  expect(all.match(/image: .*/g)).toEqual(['image: juxian:another', 'image: juxian:another'])
})

trial('promtool takes the alarms', { needs: ['promtool'] }, async () => {
  await runProgram(findCommand('promtool')!, ['check', 'rules', fileOf('alerts.yml')])
})

trial('promtool takes what a server that was called exposes', { needs: ['postgres', 'promtool'] }, async run => {
  const database = await startPostgres(run)
  const port = await freePort()
  const env = { DATABASE_URL: database.url, METRICS_PORT: String(port) }
  const { urls, headers } = await startServers(run, 1, env)
  for (const call of ['blade-system/param/page', 'blade-system/user/info', 'blade-system/nothing-here'])
    await fetch(`${urls[0]}/api/${call}`, { headers })
  const input = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  run.figure('series', input.split('\n').filter(line => line && !line.startsWith('#')).length)
  expect(input).toContain('/param/page')
  expect(await runProgram(findCommand('promtool')!, ['check', 'metrics'], { input })).toBe('')
})
