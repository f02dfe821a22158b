import { once } from 'node:events'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { TaskStatus } from '#schemas/dictionaries'
import { type Access, type Person, person } from '../platform/http/server/access.ts'
import { ok } from '../platform/http/server/envelope.ts'
import { refuse } from '../platform/http/server/refusal.ts'
import { id, query } from '../platform/http/server/schemas.ts'
import { readDetail } from './detail.ts'
import { asFile } from './export.ts'
import { askAgain, cancelExport } from './export-lease.ts'
import { tidyExports } from './export-tidy.ts'
import { q } from './fragment.ts'
import { type Query, readPage } from './query.ts'
import { resourceOf, scoped, seesAllExams } from './scope.ts'

const staff = { access: 'staff' } as const
const exports = '/api/blade-exam/exporttask'

/** Everybody sees what he had made; administrators and auditors what anybody of the tenant had. */
const seesAll = (who: Person): boolean => seesAllExams(who) || who.roles.includes('auditor')

/** A list of tasks: people see their own rows. */
function lists(app: FastifyInstance, name: 'exporttask' | 'importtask', access: Access): void {
  const resource = resourceOf(name)
  const base = `/api${resource.path}`
  const page = async (request: FastifyRequest) => {
    const who = person(request)
    const own = seesAll(who) ? undefined : q`t."createUser" = ${who.userId}`
    return ok(JSON.parse(await readPage({ app, person: who, resource }, request.query as Query, own)))
  }
  for (const path of ['page', 'list']) app.get(`${base}/${path}`, { config: { access } }, page)
  app.get<{ Querystring: { id: string } }>(
    `${base}/detail`,
    { config: { access }, schema: query({ id }, ['id']) },
    async request => {
      const who = person(request)
      const found = scoped(app, who, name).select('createUser').where('id', '=', request.query.id)
      const row = (await found.executeTakeFirst()) as { createUser: string | null } | undefined
      if (!row || (row.createUser !== who.userId && !seesAll(who))) throw refuse('row.notFound')
      return ok(JSON.parse(await readDetail({ app, person: who, resource }, request.query)))
    },
  )
}

/** The person's exports in the background that are under way, or ended in the last day and not looked at. */
function news(app: FastifyInstance): void {
  app.get(`${exports}/news`, { config: staff }, async request => {
    const since = new Date(app.now().getTime() - 86_400_000)
    const rows = await app.db
      .selectFrom('exporttask')
      .select(['id', 'title', 'taskStatus', 'rowNum', 'totalNum', 'failReason'])
      .where('createUser', '=', person(request).userId)
      .where('inBackground', '=', 1)
      .where('isDeleted', '=', 0)
      .where(eb =>
        eb.or([
          eb('taskStatus', 'in', [TaskStatus.queued, TaskStatus.running]),
          eb.and([
            eb('taskStatus', 'in', [TaskStatus.done, TaskStatus.failed]),
            eb('endTime', '>', since),
            eb('downTime', 'is', null),
          ]),
        ]),
      )
      .orderBy('id', 'desc')
      .limit(20)
      .execute()
    return ok(rows)
  })
}

/** Exports in the background belong to who asked for them: nobody else downloads, cancels or repeats them. */
function own(app: FastifyInstance): void {
  const schema = query({ id }, ['id'])
  type Asked = { Querystring: { id: string } }
  app.get<Asked>(`${exports}/download`, { config: staff, schema }, async (request, reply) => {
    const file = await app.db
      .selectFrom('exporttask as task')
      .innerJoin('attach', 'attach.id', 'task.fileId')
      .select(['attach.name as key', 'attach.originalName', 'attach.contentType', 'attach.attachSize'])
      .where('task.id', '=', request.query.id)
      .where('task.createUser', '=', person(request).userId)
      .where('task.keepUntil', '>', app.now())
      .executeTakeFirst()
    if (!file) throw refuse('file.notFound')
    const bytes = app.storage.open(file.key)
    await once(bytes, 'readable').catch(() => {
      throw refuse('file.notFound')
    })
    await seen(app, request.query.id, request)
    return asFile(reply.header('content-length', file.attachSize), file.originalName, file.contentType).send(bytes)
  })
  app.post<Asked>(`${exports}/cancel`, { config: staff, schema }, async request => {
    await cancelExport(app, request.query.id, person(request).userId)
    return ok()
  })
  app.post<Asked>(`${exports}/retry`, { config: staff, schema }, async request => {
    await askAgain(app, request.query.id, person(request).userId)
    return ok()
  })
  app.post<Asked>(`${exports}/seen`, { config: staff, schema }, async request => {
    await seen(app, request.query.id, request)
    return ok()
  })
}

async function seen(app: FastifyInstance, taskId: string, request: FastifyRequest): Promise<void> {
  await app.db
    .updateTable('exporttask')
    .set({ downTime: sql<Date>`coalesce("downTime", ${app.now()})` })
    .where('id', '=', taskId)
    .where('createUser', '=', person(request).userId)
    .execute()
}

/** Tasks of exports and imports: `/blade-exam/exporttask`, `/blade-exam/importtask`. */
export default async function taskRoutes(app: FastifyInstance): Promise<void> {
  // Whoever may export anything looks here for his files, whatever else he may see.
  lists(app, 'exporttask', 'staff')
  lists(app, 'importtask', { permission: 'importtask' })
  news(app)
  own(app)
  app.jobs.every(300, 'exports-tidy', () => tidyExports(app))
}
