import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { instanceCalls } from './instances.ts'
import { jobCalls } from './jobs.ts'
import { type FakeInstance, type FakeJob, Refused, State } from './state.ts'
import { writeJson } from './write-json.ts'

/** What a fake PowerJob server is. */
export interface FakeOptions {
  version: 4 | 5
  /** Whether calls are looked at for a token; version 5 only. Off by default, as there. */
  auth?: 'on' | 'off'
  /** How dates are written. */
  dates?: 'iso' | 'ms'
  appName?: string
  password?: string
  /** Without it any port that is free. */
  port?: number
}

/** How the server misbehaves; everything is off at first. */
interface Switches {
  /** Ends every connection without a word. */
  down: boolean
  /** Milliseconds before each answer. */
  slow: number
  /** Answers every call with HTTP 500. */
  http500: boolean
  /** Answers every call with a page of HTML. */
  garbage: boolean
  /** Answers every call with 30 MB. */
  huge: boolean
  /** Does what this call asks for once, and ends the connection instead of answering. */
  dropAnswerOf: string
  /** Does what this call asks for and never answers, until the caller hangs up. */
  holdAnswerOf: string
  /** Refuses this call once, with these words. */
  refuse: { call: string; words: string } | null
}

/** A PowerJob server of a test. */
export interface FakePowerJob {
  readonly url: string
  readonly switches: Switches
  /** Names of the calls that came, in their order. */
  readonly calls: string[]
  /** What was sent with the last call of a name. */
  readonly sent: Map<string, Readonly<Record<string, unknown>>>
  /** Jobs by their id, deleted ones among them. */
  readonly jobs: ReadonlyMap<number, FakeJob>
  /** Adds or changes a job as somebody would at the console there. @returns its id */
  edit(values: Partial<FakeJob>): number
  /** Deletes a job there. */
  deleteJob(id: number): void
  /** Begins a run there by the clock. @returns its id */
  begin(jobId: number): string
  /** Ends a run. */
  finish(instanceId: string, status: number, result: string): void
  instance(instanceId: string): FakeInstance | undefined
  /** Every token that was given is refused from now on. */
  expireTokens(): void
  setPassword(password: string): void
  close(): Promise<void>
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

/** The name of a call: the last part of its address. */
const nameOf = (request: FastifyRequest): string => request.url.replace(/^.*\/openApi\//, '')

/** Starts a server that answers like PowerJob 4.3.9 or 5.1.1, with one application. */
export async function fakePowerJob(options: FakeOptions): Promise<FakePowerJob> {
  const { version, auth = 'off', appName = 'juxian' } = options
  let password = options.password ?? 'Geheim-2'
  const state = new State(options.dates ?? 'iso')
  const switches: Switches = {
    down: false,
    slow: 0,
    http500: false,
    garbage: false,
    huge: false,
    dropAnswerOf: '',
    holdAnswerOf: '',
    refuse: null,
  }
  const calls: string[] = []
  const sent = new Map<string, Readonly<Record<string, unknown>>>()
  const tokens = new Set<string>()
  const app = Fastify()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )

  app.addHook('preHandler', async (request, reply) => {
    const name = nameOf(request)
    calls.push(name)
    sent.set(name, (request.body ?? {}) as Record<string, unknown>)
    if (switches.slow > 0) await sleep(switches.slow)
    if (switches.down) return hangUp(request, reply)
    if (switches.http500) return reply.code(500).send('Internal Server Error')
    if (switches.garbage) return reply.type('text/html').send('<html><body>Welcome to nginx!</body></html>')
    if (switches.huge)
      return reply.type('application/json').send(`{"success":true,"data":"${'x'.repeat(30 * 2 ** 20)}"}`)
    if (switches.refuse?.call !== name) return undefined
    const { words } = switches.refuse
    switches.refuse = null
    return answer(reply, refusal(words))
  })

  const answer = (reply: FastifyReply, body: object) => reply.type('application/json').send(writeJson(body))
  const done = (data: unknown) => ({
    success: true,
    data: data ?? null,
    message: null,
    ...(version === 5 && { code: null }),
  })
  const refusal = (message: string, code: string | null = null) => ({
    success: false,
    data: null,
    message,
    ...(version === 5 && { code }),
  })

  /** Answers a call like the server's controllers: what is refused comes as HTTP 200, too. */
  function serve(name: string, work: (body: Readonly<Record<string, unknown>>) => unknown, isOpen = false): void {
    app.post(`/openApi/${name}`, async (request, reply) => {
      if (version === 5 && auth === 'on' && !isOpen) {
        const isKnown = tokens.has(String(request.headers['x-powerjob-access-token']))
        reply.header('X-POWERJOB-AUTH-PASSED', String(isKnown))
        if (!isKnown) return answer(reply, refusal('invalid token', '-403'))
      }
      try {
        const data = work((request.body ?? {}) as Record<string, unknown>)
        if (switches.holdAnswerOf === name) return reply.hijack()
        if (switches.dropAnswerOf !== name) return answer(reply, done(data))
        switches.dropAnswerOf = ''
        return hangUp(request, reply)
      } catch (error) {
        if (error instanceof Refused) return answer(reply, refusal(error.message, error.code))
        throw error
      }
    })
  }

  if (version === 5)
    serve(
      'authApp',
      ({ appName: name, encryptedPassword, encryptType }) => {
        if (name !== appName) throw new Refused(`can't find app by appName: ${String(name)}`, '-402')
        if (encryptType !== 'md5' || encryptedPassword !== md5(password)) throw new Refused('password error', '-400')
        const token = randomUUID()
        tokens.add(token)
        return { appId: 1, token }
      },
      true,
    )
  else
    serve('assert', ({ appName: name, password: given }) => {
      if (name !== appName) throw new Refused(`PowerJobException: can't find app by appName: ${String(name)}`)
      if (given !== password) throw new Refused('PowerJobException: password error!')
      return 1
    })
  for (const [name, work] of Object.entries({ ...jobCalls(state), ...instanceCalls(state, version) })) serve(name, work)
  // Version 4 answers an address that it does not have like anything else that goes wrong in it.
  app.setNotFoundHandler((request, reply) =>
    version === 4
      ? answer(reply, refusal(`NoHandlerFoundException: No handler found for POST ${request.url}`))
      : reply.code(404).send({ status: 404, error: 'Not Found' }),
  )
  const url = await listen(app, options.port ?? 0)
  return {
    url,
    switches,
    calls,
    sent,
    jobs: state.jobs,
    edit: values => state.edit(values),
    deleteJob: id => state.delete(id),
    begin: jobId => state.begin(jobId, null).toString(),
    finish: (id, status, result) => state.finish(BigInt(id), status, result),
    instance: id => state.instances.get(BigInt(id)),
    expireTokens: () => tokens.clear(),
    setPassword: next => {
      password = next
    },
    close: () => app.close(),
  }
}

function hangUp(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.hijack()
  request.raw.socket.destroy()
  return reply
}

async function listen(app: FastifyInstance, port: number): Promise<string> {
  await app.listen({ host: '127.0.0.1', port })
  const address = app.server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return `http://127.0.0.1:${address.port}`
}
