import { once } from 'node:events'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { TaskStatus } from '#schemas/dictionaries'
import { type Person, person } from '../platform/http/server/access.ts'
import { refuse } from '../platform/http/server/refusal.ts'
import { jsonText, serve } from '../platform/http/server/serve.ts'
import {
  cancelExportTask,
  exportDetail,
  exportFile,
  exportList,
  exportNews,
  exportPage,
  importDetail,
  importList,
  importPage,
  retryExportTask,
  seeExportTask,
} from '../platform/workbook/contract.ts'
import { derivedPage, derivedRow } from './derive.ts'
import { readDetail } from './detail.ts'
import { asFile } from './export.ts'
import { askAgain, cancelExport } from './export-own.ts'
import { tidyExports } from './export-tidy.ts'
import { resourceOf } from './lookup.ts'
import { readPage } from './query.ts'
import type { Query } from './read.ts'
import { scoped, seesAllRows } from './scope.ts'

/** Whether somebody sees the tasks of everybody in the tenant, as administrators and auditors do; others see their own. */
const seesAll = (who: Person): boolean => seesAllRows(who) || who.roles.includes('auditor')

/** The calls of each kind of tasks: lists, and one row. */
const calls = {
  exporttask: { lists: [exportPage, exportList], detail: exportDetail },
  importtask: { lists: [importPage, importList], detail: importDetail },
} as const

/** The lists and details of tasks. */
function readings(app: FastifyInstance, name: keyof typeof calls): void {
  const resource = resourceOf(name)
  const { lists, detail } = calls[name]
  for (const one of lists)
    serve(app, one, async ({ request }) => {
      const who = person(request)
      const own = seesAll(who) ? undefined : sql`t."createUser" = ${who.userId}`
      const page = await readPage({ app, person: who, resource }, request.query as Query, own)
      return jsonText(await derivedPage(request, resource, page))
    })
  serve(app, detail, async ({ query, request }) => {
    const who = person(request)
    const found = scoped(app, who, name).select('createUser').where('id', '=', query.id)
    const row = (await found.executeTakeFirst()) as { createUser: string | null } | undefined
    if (!row || (row.createUser !== who.userId && !seesAll(who))) throw refuse('row.notFound')
    return jsonText(await derivedRow(request, resource, await readDetail({ app, person: who, resource }, query)))
  })
}

/** The person's exports in the background that are under way, or ended in the last day and not looked at. */
function news(app: FastifyInstance): void {
  serve(app, exportNews, ({ request }) => {
    const since = new Date(app.now().getTime() - 86_400_000)
    return app.db
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
  })
}

/** Exports in the background belong to who asked for them: nobody else downloads, cancels or repeats them. */
function own(app: FastifyInstance): void {
  serve(app, exportFile, async ({ query: { id }, request, reply }) => {
    const file = await app.db
      .selectFrom('exporttask as task')
      .innerJoin('attach', 'attach.id', 'task.fileId')
      .select(['attach.name as key', 'attach.originalName', 'attach.contentType', 'attach.attachSize'])
      .where('task.id', '=', id)
      .where('task.createUser', '=', person(request).userId)
      .where('task.keepUntil', '>', app.now())
      .executeTakeFirst()
    if (!file) throw refuse('file.notFound')
    const bytes = app.storage.open(file.key)
    await once(bytes, 'readable').catch(() => {
      throw refuse('file.notFound')
    })
    await seen(app, id, request)
    return asFile(reply.header('content-length', file.attachSize), file.originalName, file.contentType).send(bytes)
  })
  serve(app, cancelExportTask, ({ query: { id }, request }) => cancelExport(app, id, person(request).userId))
  serve(app, retryExportTask, ({ query: { id }, request }) => askAgain(app, id, person(request).userId))
  serve(app, seeExportTask, ({ query: { id }, request }) => seen(app, id, request))
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
  readings(app, 'exporttask')
  readings(app, 'importtask')
  news(app)
  own(app)
  app.jobs.every({ name: 'exports-tidy', title: '清理导出文件', seconds: 300, work: () => tidyExports(app) })
}
