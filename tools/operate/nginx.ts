import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { request } from 'node:https'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../tests/helper/free-port.ts'
import { signInAt } from '../../tests/helper/sign-in-at.ts'
import { nginxIn } from './deploy-files.ts'
import type { Run } from './run.ts'

/** Programs that {@link checkNginx} takes, each with its package of Debian. */
export const needs = { nginx: 'nginx', openssl: 'openssl' } as const

const administrator = 'Shan7-Hai9-Guan'

interface Answer {
  status: number
  headers: Record<string, unknown>
  body: string
}

/** Asks nginx over TLS, whose certificate is made for the trial. */
function ask(
  port: number,
  way: string,
  options: { method?: string; headers?: Record<string, string>; body?: Buffer; from?: string } = {},
): Promise<Answer> {
  const { method = 'GET', headers = {}, body, from } = options
  return new Promise((resolve, reject) => {
    const call = request(
      {
        host: '127.0.0.1',
        port,
        path: way,
        method,
        headers: { host: 'exam.example.org', ...headers },
        rejectUnauthorized: false,
        localAddress: from,
      },
      response => {
        const parts: Buffer[] = []
        response.on('data', part => parts.push(part))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(parts).toString(),
          }),
        )
      },
    )
    call.on('error', reject)
    call.end(body)
  })
}

/** Starts the built server, of a new installation without demo data, and waits until it answers. */
async function startServer(
  { folder, after }: Pick<Run, 'folder' | 'after'>,
  host: string,
  databaseUrl?: string,
): Promise<void> {
  const env = {
    PATH: process.env.PATH,
    PORT: host.split(':')[1],
    DEMO: 'false',
    DATA_DIR: path.join(folder, 'data'),
    TRUST_PROXY: 'loopback',
    CAPTCHA_MODE: 'false',
    ADMIN_PASSWORD: administrator,
    SECRET_KEY: randomBytes(32).toString('hex'),
    PUBLIC_URL: 'https://exam.example.org',
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  }
  const program = path.resolve(import.meta.dirname, '../../dist/server/server.js')
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = new Promise(resolve => child.once('close', resolve))
  after(async () => {
    child.kill('SIGTERM')
    await ended
  })
  while (!(await fetch(`http://${host}/api/public/health`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}.`)
    await sleep(100)
  }
}

function expectThat(isTrue: boolean, sentence: string): void {
  if (!isTrue) throw new Error(sentence)
}

/** A form with one file of so many bytes, as browsers send it. */
function formOf(bytes: number): { body: Buffer; headers: Record<string, string> } {
  const boundary = '----juxian-trial'
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n`
  const body = Buffer.concat([Buffer.from(head), Buffer.alloc(bytes, 'a'), Buffer.from(`\r\n--${boundary}--\r\n`)])
  return {
    body,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': String(body.length) },
  }
}

/**
 * nginx with the project's file before a built server: pages, login, logout, the addresses of callers, the name they call by, and a file of 20 MB.
 * @param databaseUrl an empty database; without it the server brings its own
 * @throws with what is not as it should be
 */
export async function checkNginx({ folder, after, figure }: Run, databaseUrl?: string): Promise<void> {
  const [port, plain] = [await freePort(), await freePort()]
  const host = `127.0.0.1:${await freePort()}`
  await startServer({ folder, after }, host, databaseUrl)
  const file = await nginxIn(folder, text =>
    text
      .replace('server 127.0.0.1:8000', `server ${host}`)
      .replace('listen 443 ssl http2', `listen 127.0.0.1:${port} ssl http2`)
      .replace('listen 80;', `listen 127.0.0.1:${plain};`),
  )
  const nginx = spawn('nginx', ['-c', file, '-g', 'daemon off;'], { stdio: 'inherit' })
  const ended = new Promise(resolve => nginx.once('close', resolve))
  after(async () => {
    nginx.kill('SIGTERM')
    await ended
  })
  while (!(await ask(port, '/').catch(() => undefined))) await sleep(50)

  const page = await ask(port, '/')
  expectThat(page.status === 200 && page.body.includes('<script type="module"'), `The page: ${page.status}`)
  const moved = await fetch(`http://127.0.0.1:${plain}/login?a=1`, {
    redirect: 'manual',
    headers: { host: 'exam.example.org' },
  })
  expectThat(moved.headers.get('location')?.endsWith('/login?a=1') ?? false, 'Plain HTTP is not led to HTTPS.')

  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  after(() => {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
  })
  const headers = await signInAt(`https://127.0.0.1:${port}`, 'admin', administrator)
  const who = () => ask(port, '/api/blade-auth/oauth/user-info', { headers })
  expectThat((await who()).status === 200, 'Signed in through nginx, nobody is known.')

  // Wrong passwords from one address delay that address, not the one beside it.
  const wrong = (from: string) => signInThrough(port, from)
  let last: Answer | undefined
  for (let i = 0; i < 6; i++) last = await wrong('127.0.0.2')
  const other = await wrong('127.0.0.3')
  figure('refusals of the address that guesses, and of another', `${codeOf(last)} and ${codeOf(other)}`)
  expectThat(codeOf(last) !== codeOf(other), 'All callers share one address behind nginx.')

  const { body, headers: form } = formOf(20 * 1024 * 1024)
  const since = performance.now()
  const sent = await ask(port, '/api/blade-resource/oss/endpoint/put-file-attach', {
    method: 'POST',
    headers: { ...headers, ...form },
    body,
  })
  figure('a file of 20 MB through nginx, ms', Math.round(performance.now() - since))
  figure('answer to it', `${sent.status} ${sent.body.slice(0, 120)}`)
  expectThat(sent.status !== 413, 'nginx refuses a file of 20 MB.')
  const larger = formOf(22 * 1024 * 1024)
  const refused = await ask(port, '/api/blade-resource/oss/endpoint/put-file-attach', {
    method: 'POST',
    headers: { ...headers, ...larger.headers },
    body: larger.body,
  }).catch(() => undefined)
  expectThat(refused === undefined || refused.status === 413, 'nginx takes a body of 22 MB.')

  await ask(port, '/api/blade-auth/oauth/logout', { headers })
  expectThat((await who()).status === 401, 'After logout somebody is still known.')
}

const codeOf = (answer: Answer | undefined): string =>
  String(JSON.parse(answer?.body || '{}').error_code ?? JSON.parse(answer?.body || '{}').code)

/** A login with a wrong password, from an address of this machine. */
function signInThrough(port: number, from: string): Promise<Answer> {
  const query = new URLSearchParams({ grant_type: 'password', username: 'nobody-there', password: 'wrong' })
  const authorization = `Basic ${Buffer.from('juxian-web:').toString('base64')}`
  return ask(port, `/api/blade-auth/oauth/token?${query}`, { method: 'POST', headers: { authorization }, from })
}
