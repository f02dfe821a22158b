import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { person } from '../access.ts'
import { readIds } from '../crud/input.ts'
import { scoped } from '../crud/scope.ts'
import { notYet, refuse } from '../domain/refusal.ts'
import { ok } from '../plugins/envelope.ts'

const mostChoices = 500

/** Service `blade-job` beyond its resources. Nothing is sent to a job server yet: running and syncing say so. */
export default async function jobRoutes(app: FastifyInstance): Promise<void> {
  const may = (permission: string) => ({ config: { access: { permission } } })

  app.post<{ Querystring: { id?: string } }>('/api/blade-job/job-info/run', may('job_info_change'), async request => {
    const [id = ''] = readIds(request.query.id, 'id')
    const job = await scoped(app, person(request), 'job_info').select('enable').where('id', '=', id).executeTakeFirst()
    if (!job) throw refuse(29001)
    throw job.enable === 1 ? notYet() : refuse(29009)
  })
  for (const [resource, code] of [
    ['job-info', 'job_info_edit'],
    ['job-server', 'job_server_edit'],
  ] as const)
    app.post(`/api/blade-job/${resource}/sync`, may(code), async () => {
      throw notYet()
    })

  app.get<{ Querystring: { keyword?: string; ids?: string } }>(
    '/api/blade-job/job-server/select',
    may('job_info'),
    async request => {
      const { keyword, ids } = request.query
      const rows = await scoped(app, person(request), 'job_server')
        .select(['id', 'jobServerName', 'jobAppName'])
        .$if(Boolean(ids), query => query.where('id', 'in', readIds(ids)))
        .$if(Boolean(keyword), query => query.where(sql<boolean>`position(${keyword} in "jobServerName") > 0`))
        .orderBy('id')
        .limit(mostChoices)
        .execute()
      return ok(rows.map(row => ({ ...row, label: `${row.jobServerName}（${row.jobAppName}）` })))
    },
  )
}
