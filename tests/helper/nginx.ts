import { readFile, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { request as secureRequest } from 'node:https'
import path from 'node:path'
import { findCommand } from './commands.ts'
import { freePort, isOpen } from './free-port.ts'
import { runProgram, startProgram } from './program.ts'
import { soon } from './soon.ts'
import type { Trial } from './trial.ts'

/** The name by which nginx is called in trials, as in the file of the project. */
export const publicName = 'exam.example.org'

const given = path.resolve(import.meta.dirname, '../../deploy/nginx.conf')

/** Folders in which nginx keeps bodies and answers for a while. */
const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

/**
 * Writes the project's configuration of nginx for a trial: certificate, number of the process, logs and what is temporary are in its
 * folder.
 * @param change what else is other than in the project's file
 * @returns the file
 */
export async function writeNginx(run: Trial, change: (text: string) => string = text => text): Promise<string> {
  const { folder } = run
  const [key, certificate] = [path.join(folder, 'key.pem'), certificateOf(run)]
  const name = ['-subj', `/CN=${publicName}`, '-addext', `subjectAltName=DNS:${publicName}`]
  const form = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...name]
  await runProgram(findCommand('openssl')!, [...form, '-keyout', key, '-out', certificate])
  const own = `pid ${folder}/nginx.pid;\nerror_log ${folder}/nginx.log;\n`
  const places = temporary.map(what => `  ${what}_temp_path ${folder}/nginx-${what};\n`).join('')
  const text = await readFile(given, 'utf8')
  const file = path.join(folder, 'nginx.conf')
  const here = text.replaceAll('/etc/nginx/tls', folder).replaceAll('fullchain.pem', path.basename(certificate))
  await writeFile(file, own + change(here).replace('http {\n', `http {\n  access_log off;\n${places}`))
  return file
}

const certificateOf = ({ folder }: Trial): string => path.join(folder, 'certificate.pem')

/** What is asked of nginx. */
export interface Question {
  method?: string
  headers?: Record<string, string>
  body?: Buffer | string
  /** The address of this machine that the call comes from. */
  from?: string
}

/** An nginx that stands before servers. */
export interface Nginx {
  /** Where it is called, by its public name. */
  readonly url: string
  /** The same without TLS. */
  readonly plainUrl: string
  /** Calls it as whoever knows its name does; redirects are not followed. */
  ask(url: string, question?: Question): Promise<Response>
}

/**
 * Starts nginx with the project's file before a server.
 * @param server its address, `http://127.0.0.1:41234`
 */
export async function startNginx(run: Trial, server: string): Promise<Nginx> {
  const [port, plain] = [await freePort(), await freePort()]
  const file = await writeNginx(run, text =>
    text
      .replace('server 127.0.0.1:8000', `server ${new URL(server).host}`)
      .replace('listen 443', `listen 127.0.0.1:${port}`)
      .replace('listen 80;', `listen 127.0.0.1:${plain};`),
  )
  const program = startProgram(findCommand('nginx')!, ['-c', file, '-g', 'daemon off;'], { asRoot: true })
  run.after(() => program.stop())
  await soon(() => isOpen(`127.0.0.1:${port}`)).catch(error => {
    throw new Error(`nginx does not answer: ${program.output()}`, { cause: error })
  })
  const ca = await readFile(certificateOf(run), 'utf8')
  return {
    url: `https://${publicName}:${port}`,
    plainUrl: `http://${publicName}:${plain}`,
    ask: (url, question) => ask(url, ca, question),
  }
}

/** Calls an address at this machine, whatever its name is, over TLS with a certificate that is known. */
function ask(url: string, ca: string, question: Question = {}): Promise<Response> {
  const { method = 'GET', headers = {}, body, from } = question
  const { protocol, port, pathname, search } = new URL(url)
  const options = {
    host: '127.0.0.1',
    port,
    path: pathname + search,
    method,
    headers: { host: publicName, ...headers },
    localAddress: from,
    agent: false as const,
  }
  return new Promise((resolve, reject) => {
    const call = protocol === 'https:' ? secureRequest({ ...options, ca, servername: publicName }) : request(options)
    call.on('error', reject)
    call.on('response', answer => {
      const parts: Buffer[] = []
      answer.on('error', reject)
      answer.on('data', part => parts.push(part))
      answer.on('end', () => {
        const told = Object.entries(answer.headers).flatMap(([name, value]) => (value ? [[name, String(value)]] : []))
        resolve(
          new Response(Buffer.concat(parts), { status: answer.statusCode ?? 0, headers: Object.fromEntries(told) }),
        )
      })
    })
    call.end(body)
  })
}
