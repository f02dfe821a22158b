import type { FastifyInstance } from 'fastify'
import { dictionaries } from '#schemas'
import { JobInfo } from '#schemas/jobs/job-info'
import { scoped } from '../../../../crud/scope.ts'
import type { Person } from '../../../../platform/http/server/access.ts'
import { liveAs } from '../../../../platform/http/server/live.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { connect, powerJobServers } from './connections.ts'
import { refusalOf, ServerRefusal, ServerUnreachable } from './errors.ts'
import { jobsOf } from './job-rows.ts'
import { localValues, remoteValues, type SharedValues, sharedFields } from './mapping.ts'
import { counterpart } from './settle.ts'

/** A value as people read it: words of dictionaries, times, text. */
function shown(name: keyof SharedValues, value: unknown): string {
  if (value === null || value === undefined) return ''
  const { dict } = JobInfo.properties[name] as { dict?: string }
  const entries: Readonly<Record<string, string>> = dictionaries.find(one => one.code === dict)?.entries ?? {}
  return entries[String(value)] ?? (Array.isArray(value) ? value.join(' – ') : String(value))
}

/**
 * Both sides of a job of a PowerJob server, field by field.
 * @throws row.notFound, jobs.serverUnreachable, row.wrongState where it is not at its server
 */
export async function sidesOf(app: FastifyInstance, person: Person, id: string) {
  const mine = await scoped(app, person, 'job_info').select('id').where('id', '=', id).execute()
  const db = liveAs(app, person)
  const [row] = await jobsOf(db, { ids: mine.map(one => one.id) })
  const [server] = row ? await powerJobServers(db, [row.jobServerId]) : []
  if (!row || !server) throw refuse('row.notFound')
  try {
    const remote = await counterpart(await connect(app, server), row)
    if (!remote) throw refuse('row.wrongState')
    const [here, there] = [localValues(row), remoteValues(remote)]
    const fields = sharedFields.map(name => {
      const [local, other] = [shown(name, here[name]), shown(name, there[name])]
      return { title: JobInfo.properties[name].title, local, remote: other, isSame: local === other }
    })
    return { jobName: row.jobName, fields }
  } catch (error) {
    if (error instanceof ServerUnreachable || error instanceof ServerRefusal) throw refusalOf(error)
    throw error
  }
}
