import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Run, runProgram } from './run.ts'

const deploy = path.resolve(import.meta.dirname, '../../deploy')

/** Programs that {@link checkDeployFiles} takes, each with its package of Debian. */
export const needs = { 'systemd-analyze': 'systemd', nginx: 'nginx', haproxy: 'haproxy', openssl: 'openssl' } as const

/** Most that systemd may call the exposure of a unit, of 10. */
const mostExposure = 5

/** Writes a configuration of nginx for this folder: certificates, process number and logs are in it. Answers the file. */
export async function nginxIn(folder: string, change: (text: string) => string = text => text): Promise<string> {
  const tls = path.join(folder, 'tls')
  await mkdir(tls, { recursive: true })
  const certificate = ['-keyout', path.join(tls, 'key.pem'), '-out', path.join(tls, 'fullchain.pem')]
  const options = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=exam.example.org']
  execFileSync('openssl', [...options, ...certificate], { stdio: 'ignore' })
  const text = readFileSync(path.join(deploy, 'nginx.conf'), 'utf8').replaceAll('/etc/nginx/tls', tls)
  const file = path.join(folder, 'nginx.conf')
  const own = `pid ${folder}/nginx.pid;\nerror_log ${folder}/nginx.log;\n`
  const logs = `http {\n  access_log off;\n  client_body_temp_path ${folder}/bodies;\n  proxy_temp_path ${folder}/answers;`
  await writeFile(file, own + change(text).replace('http {', logs))
  return file
}

/** Units and proxies as the programs that read them see them. @throws with what they say against a file */
export async function checkDeployFiles({ folder, figure }: Run): Promise<void> {
  for (const unit of ['juxian.service', 'juxian-backup-watch.service']) {
    const file = path.join(deploy, unit)
    await runProgram('systemd-analyze', ['verify', file])
    const said = await runProgram('systemd-analyze', ['security', '--offline=true', '--no-pager', file])
    const [, exposure] = /exposure level for [^:]+: ([\d.]+)/.exec(said) ?? []
    figure(`exposure of ${unit}`, exposure ?? 'unknown')
    if (!(Number(exposure) <= mostExposure)) throw new Error(`The exposure of ${unit} is ${exposure}.`)
  }
  await runProgram('nginx', ['-t', '-c', await nginxIn(folder)])
  await runProgram('haproxy', ['-c', '-f', path.join(deploy, 'haproxy.cfg')])
}
