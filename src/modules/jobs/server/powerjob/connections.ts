import type { FastifyInstance } from 'fastify'
import type { Selectable } from 'kysely'
import { JobServerState, JobServerType } from '#schemas/dictionaries'
import { isAllowedHost } from '../../../../platform/channels/outside/allowed-host.ts'
import type { Database } from '../../../../platform/database/database.ts'
import { type Live, updateUnstamped } from '../../../../platform/database/live.ts'
import { readPlatformParam } from '../../../../platform/database/param.ts'
import { type PowerJob, powerJob, type Session, type Signed } from './client.ts'
import { ServerUnreachable, WrongPassword } from './errors.ts'

/** A PowerJob server as it is registered here. */
export type ServerRow = Pick<
  Selectable<Database['job_server']>,
  'id' | 'jobServerName' | 'jobServerUrl' | 'jobAppName' | 'jobAppPassword'
>

const columns = ['id', 'jobServerName', 'jobServerUrl', 'jobAppName', 'jobAppPassword'] as const

/** The PowerJob servers that a handle meets, those with the ids given or all, in the order of their ids. */
export const powerJobServers = (db: Live, ids?: readonly string[]): Promise<ServerRow[]> =>
  db
    .selectFrom('job_server')
    .select([...columns])
    .where('serverType', '=', JobServerType.powerJob)
    .$if(ids !== undefined, query => query.where('id', 'in', ids?.length ? [...ids] : ['0']))
    .orderBy('id')
    .execute()

/** What each program remembers of servers between calls; losing it costs a sign-in. */
const remembered = new WeakMap<FastifyInstance, Map<string, { of: string; session: Session }>>()

/** What is remembered of a server; nothing of it holds once its address, application or password has changed. */
function sessionOf(app: FastifyInstance, { id, jobServerUrl, jobAppName, jobAppPassword }: ServerRow): Session {
  const known = remembered.get(app) ?? new Map<string, { of: string; session: Session }>()
  remembered.set(app, known)
  const of = JSON.stringify([jobServerUrl, jobAppName, jobAppPassword])
  const found = known.get(id)
  if (found?.of === of) return found.session
  const session: Session = {}
  known.set(id, { of, session })
  return session
}

/** @throws WrongPassword when what is stored cannot be opened: one damaged row must not stop the work on other servers */
function passwordOf({ vault, log }: FastifyInstance, { id, jobAppPassword }: ServerRow): string {
  try {
    return vault.open(jobAppPassword)
  } catch (error) {
    log.error(error, `The password of the job server ${id} cannot be opened.`)
    throw new WrongPassword('保存的密码无法读取，请重新填写')
  }
}

/** The calls of a PowerJob server. Hosts are allowed by an administrator, at every call anew. */
export async function connect(app: FastifyInstance, row: ServerRow): Promise<PowerJob> {
  const hosts = await readPlatformParam(app, 'job.hosts')
  const connection = {
    url: row.jobServerUrl,
    appName: row.jobAppName,
    password: passwordOf(app, row),
    isListed: (host: string, port: string) => isAllowedHost(host, port, hosts),
  }
  return powerJob(connection, sessionOf(app, row))
}

const keepState = (
  app: FastifyInstance,
  db: Live,
  id: string,
  state: { serverState: (typeof JobServerState)[keyof typeof JobServerState]; version?: string; appId?: string },
) =>
  updateUnstamped(db, 'job_server')
    .set({ ...state, stateTime: app.now() })
    .where('id', '=', id)
    .execute()

/** Notes that a server could not be asked, if that is what went wrong. */
export async function keepFailure(app: FastifyInstance, db: Live, id: string, error: unknown): Promise<void> {
  if (error instanceof ServerUnreachable) await keepState(app, db, id, { serverState: JobServerState.unreachable })
  else if (error instanceof WrongPassword) await keepState(app, db, id, { serverState: JobServerState.wrongPassword })
}

/**
 * Signs in to a server and notes at its row what came of it, and which version it is.
 * @throws ServerUnreachable, ServerRefusal
 */
export async function signInAndKeep(app: FastifyInstance, db: Live, row: ServerRow): Promise<Signed> {
  try {
    const signed = await (await connect(app, row)).signIn()
    const version = `${signed.generation}.x`
    await keepState(app, db, row.id, { serverState: JobServerState.normal, version, appId: signed.appId })
    return signed
  } catch (error) {
    await keepFailure(app, db, row.id, error)
    throw error
  }
}
