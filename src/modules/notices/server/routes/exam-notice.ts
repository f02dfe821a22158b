import type { FastifyInstance, FastifyRequest } from 'fastify'
import { liveFor } from '../../../../platform/database/live.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { askedTenant } from '../../../../platform/http/server/asked-tenant.ts'
import { liveAs } from '../../../../platform/http/server/live.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { idOf, textOf } from '../../../exams/server/routes/examination.ts'
import { examForAll, examsForAll } from '../../../sign-up/server/exam-list.ts'
import {
  confirmNotice,
  newsInfo,
  newsList,
  noticeIndex,
  noticeInfo,
  noticeList,
  publicExam,
  publicExams,
  publicFiles,
  publicNotice,
  publicNotices,
  readAllNotices,
  readNotice,
  readNotify,
} from '../../contract.ts'
import { firstNotices, noticeOf, noticePage } from '../lists.ts'
import { markNotice, type Reader } from '../mark.ts'
import { filesPage, newsOf, newsPage } from '../public.ts'
import { readAll } from '../read-all.ts'

/** Notices for the people they are meant for, and what everybody may read without an account. */
export default async function noticeRoutes(app: FastifyInstance): Promise<void> {
  mine(app)
  await app.register(async scope => everybody(scope))
}

function mine(app: FastifyInstance): void {
  serve(app, noticeList, async ({ query, request }) => {
    const who = person(request)
    return noticePage(liveAs(app, who), who, app, query)
  })
  serve(app, noticeInfo, async ({ query, request }) => {
    const who = person(request)
    return noticeOf(liveAs(app, who), who, app, query.id)
  })
  serve(app, noticeIndex, async ({ request }) => firstNotices(liveAs(app, person(request)), person(request), app))
  const reader = (request: FastifyRequest): Reader => ({ app, person: person(request), ip: request.ip, now: app.now() })
  serve(app, readAllNotices, async ({ request }) => ({
    num: await readAll(liveAs(app, person(request)), reader(request)),
  }))
  const mark = (request: FastifyRequest, values: Record<string, unknown>, name: string, step: 'read' | 'sure') =>
    markNotice(liveAs(app, person(request)), reader(request), idOf(values, textOf(values, name) ? name : 'id'), step)
  serve(app, readNotice, async ({ values, request }) => mark(request, values, 'noticeId', 'read'))
  serve(app, readNotify, async ({ values, request }) => mark(request, values, 'notifyId', 'read'))
  serve(app, confirmNotice, async ({ values, request }) => mark(request, values, 'id', 'sure'))
}

function everybody(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply) => {
    if (reply.statusCode === 200) reply.header('cache-control', 'public, max-age=60').header('vary', 'Tenant-Id')
  })
  const anybody = (request: FastifyRequest) => ({
    db: liveFor(app, { tenantId: askedTenant(request), userId: null, now: () => app.now() }),
    now: app.now(),
  })
  serve(app, publicNotices, async ({ query, request }) => noticePage(anybody(request).db, null, app, query))
  serve(app, publicNotice, async ({ query, request }) => noticeOf(anybody(request).db, null, app, query.id))
  serve(app, newsList, async ({ query, request }) => newsPage(anybody(request), query))
  serve(app, newsInfo, async ({ query, request }) => newsOf(anybody(request), query.id))
  serve(app, publicFiles, async ({ query, request }) => filesPage(anybody(request), query))
  serve(app, publicExams, async ({ query, request }) => examsForAll(anybody(request), query))
  serve(app, publicExam, async ({ query, request }) => examForAll(anybody(request), query.id))
}
