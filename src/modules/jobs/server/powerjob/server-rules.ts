import type { FastifyInstance } from 'fastify'
import type { jobServer } from '#resources/jobs/job-server'
import { JobServerType } from '#schemas/dictionaries'
import type { JobServer } from '#schemas/jobs/job-server'
import { wrongInput } from '../../../../crud/input.ts'
import type { HandlerOf, Hooks } from '../../../../crud/rules.ts'
import { scoped } from '../../../../crud/scope.ts'
import { isAllowedHost } from '../../../../platform/channels/outside/allowed-host.ts'
import { readPlatformParam } from '../../../../platform/database/param.ts'
import type { Person } from '../../../../platform/http/server/access.ts'
import { liveAs } from '../../../../platform/http/server/live.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { addressProblem } from './addresses.ts'
import { powerJobServers, signInAndKeep } from './connections.ts'
import { refusalOf } from './errors.ts'

const wrong = (field: string, msg: string) => wrongInput([{ field, msg }])

/**
 * Rules of job servers: only hosts that an administrator allows, one address but for PowerJob, and a password that can be used
 * again. What was known of a server is forgotten when it is another one.
 */
export const jobServerHooks: Hooks<typeof JobServer> = {
  async beforeSubmit({ app, db, set }, given, before) {
    const { jobServerUrl: url, jobAppPassword: password, jobAppName: name } = given
    const serverType = before?.serverType ?? given.serverType ?? JobServerType.powerJob
    if (before && given.serverType !== undefined && given.serverType !== before.serverType)
      throw wrong('serverType', '服务类型不能修改')
    if (url !== undefined) {
      const hosts = await readPlatformParam(db, 'job.hosts')
      const isListed = (host: string, port: string) => isAllowedHost(host, port, hosts)
      const problem = addressProblem(url, isListed, serverType !== JobServerType.powerJob)
      if (problem) throw wrong('jobServerUrl', problem)
    }
    if (password) set({ jobAppPassword: app.vault.seal(password) })
    const isOther =
      Boolean(password) ||
      (url !== undefined && url !== before?.jobServerUrl) ||
      (name !== undefined && name !== before?.jobAppName)
    if (isOther) set({ serverState: null, version: null, appId: null, stateTime: null })
  },
}

/** Signs in to a PowerJob server. @throws row.notFound, jobs.serverUnreachable, input.invalid with the words of the server */
export const testServer: HandlerOf<typeof jobServer, 'test'> = async ({ app, db, person, ids }) => {
  const mine = scoped(app, person, 'job_server').select('id').where('id', 'in', ids.slice(0, 1))
  const found = await mine.executeTakeFirst()
  const [server] = found ? await powerJobServers(db, [found.id]) : []
  if (!found) throw refuse('row.notFound')
  if (!server) throw refuse('row.wrongState')
  try {
    const { generation, appId } = await signInAndKeep(app, db, server)
    return { version: `${generation}.x`, appId }
  } catch (error) {
    throw refusalOf(error)
  }
}

/** A job server that something could not be done at, and why, in words. */
export interface FailedServer {
  id: string
  jobServerName: string
  reason: string
}

/**
 * Signs in to every PowerJob server that somebody meets, and notes at its row what came of it.
 * @returns how many there are, and those that could not be asked
 * @throws jobs.serverUnreachable when none of them could be
 */
export async function checkServers(app: FastifyInstance, person: Person) {
  const mine = await scoped(app, person, 'job_server').select('id').execute()
  const db = liveAs(app, person)
  const servers = await powerJobServers(
    db,
    mine.map(({ id }) => id),
  )
  const asked = await Promise.all(
    servers.map(async (server): Promise<FailedServer[]> => {
      try {
        await signInAndKeep(app, db, server)
        return []
      } catch (error) {
        return [{ id: server.id, jobServerName: server.jobServerName, reason: refusalOf(error).message }]
      }
    }),
  )
  const failed = asked.flat()
  if (servers.length > 0 && failed.length === servers.length) throw refuse('jobs.serverUnreachable')
  return { servers: servers.length, failed }
}
