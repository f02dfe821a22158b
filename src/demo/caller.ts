import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import type { OwnerType } from '../platform/attachments/server/kinds.ts'
import { tokenHash, tokenKind } from '../platform/auth/rules/session.ts'
import { endSession } from '../platform/auth/server/session.ts'
import { firstTenant } from '../platform/database/first-tenant.ts'

/** What a call answers. */
interface Answer {
  code: number
  msg: string
  data: unknown
}

/** Somebody of the demonstration who uses the calls of the pages. */
export interface DemoCaller {
  userId: string
  /** @param path below `/api`, with its query @throws with the server's words when it refuses */
  get: <T = Record<string, unknown>>(path: string) => Promise<T>
  /** See {@link DemoCaller.get}. */
  post: <T = Record<string, unknown>>(path: string, body?: object) => Promise<T>
  /** Takes a file. See {@link DemoCaller.get}. */
  take: (path: string) => Promise<Buffer>
  /** Uploads a file for something. @returns its id. See {@link DemoCaller.get}. */
  upload: (owner: OwnerType, name: string, file: Blob) => Promise<string>
}

/** Minutes for which the session of a scene lasts at most. */
const minutes = 10

/** How often a call is made again that the server has put off. */
const patience = 60

/** Makes a call, again when the server says: a slow machine is too busy at times while the demonstration is made. */
async function send(app: FastifyInstance, options: InjectOptions): Promise<LightMyRequestResponse> {
  for (let left = patience; ; left--) {
    const answer = await app.inject(options)
    const seconds = Number(answer.headers['retry-after'])
    if (answer.statusCode !== 503 || !(seconds > 0) || left === 0) return answer
    await sleep(seconds * 1000)
  }
}

/** Lets an account of the demonstration act through the server's own calls; its session ends with the act. */
export async function actAs<T>(
  app: FastifyInstance,
  account: string,
  act: (caller: DemoCaller) => Promise<T>,
): Promise<T> {
  const now = app.now()
  const { id: userId } = await app.db
    .selectFrom('user')
    .select('id')
    .where('tenantId', '=', firstTenant)
    .where('account', '=', account)
    .where('isDeleted', '=', 0)
    .executeTakeFirstOrThrow()
  const token = randomBytes(32).toString('base64url')
  const { id: sessionId } = await app.db
    .insertInto('session')
    .values({ userId, tenantId: firstTenant, clientId: 'juxian-web', createTime: now, lastSeen: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  const until = new Date(now.getTime() + minutes * 60_000)
  await app.db
    .insertInto('session_token')
    .values({ hash: tokenHash(token), sessionId, kind: tokenKind.access, until })
    .execute()
  const ask = async (method: 'GET' | 'POST', path: string, payload?: object, type = 'application/json') => {
    const headers = { 'blade-auth': `bearer ${token}`, ...(payload && { 'content-type': type }) }
    const answer = await send(app, { method, url: `/api${path}`, headers, ...(payload && { payload }) })
    const { code, msg, data } = answer.json<Answer>()
    if (code !== 200)
      throw new Error(
        `The demonstration's ${account} was refused ${method} ${path}: ${code} ${msg} ${JSON.stringify(data)}`,
      )
    return data
  }
  const take = async (path: string): Promise<Buffer> => {
    const answer = await send(app, { url: `/api${path}`, headers: { 'blade-auth': `bearer ${token}` } })
    if (answer.statusCode !== 200) throw new Error(`The demonstration's ${account} was refused ${path}: ${answer.body}`)
    return answer.rawPayload
  }
  const upload = async (owner: OwnerType, name: string, file: Blob): Promise<string> => {
    const form = new FormData()
    form.append('file', file, name)
    const body = new Response(form)
    const payload = Buffer.from(await body.arrayBuffer())
    const path = `/blade-resource/attach/upload?owner=${owner}`
    const stored = await ask('POST', path, payload, body.headers.get('content-type') ?? '')
    return (stored as { attachId: string }).attachId
  }
  try {
    return await act({
      take,
      upload,
      userId,
      get: async <D>(path: string) => (await ask('GET', path)) as D,
      post: async <D>(path: string, body: object = {}) => (await ask('POST', path, body)) as D,
    })
  } finally {
    await endSession(app.db, sessionId, 'logout', now)
  }
}
