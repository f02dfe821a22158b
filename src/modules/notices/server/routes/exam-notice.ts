import type { FastifyInstance, FastifyRequest } from 'fastify'
import { person } from '../../../../platform/http/server/access.ts'
import { askedTenant } from '../../../../platform/http/server/asked-tenant.ts'
import { ok } from '../../../../platform/http/server/envelope.ts'
import { examQuery, id, paging, query } from '../../../../platform/http/server/schemas.ts'
import { idOf, textOf, valuesOf } from '../../../exams/server/routes/examination.ts'
import { type ExamQuery, publicExam, publicExams } from '../../../sign-up/server/exam-list.ts'
import { type NoticeQuery, noticeIndex, noticeInfo, noticePage } from '../lists.ts'
import { markNotice, type Reader } from '../mark.ts'
import { type ContentQuery, filesPage, newsInfo, newsPage } from '../public.ts'
import { readAllNotices } from '../read-all.ts'

const signedIn = { access: 'signed-in' } as const
const scraped = { ...signedIn, scraped: true } as const
const open = { access: 'public' } as const
const one = query({ id }, ['id'])
const filters = { ...paging, category: { type: 'integer' }, title: { type: 'string', maxLength: 100 } }
const listed = query(filters)
const listedMine = query({ ...filters, unread: { type: 'integer', enum: [1] } })
const content = query({
  ...paging,
  category: { type: 'string', maxLength: 10 },
  keyword: { type: 'string', maxLength: 100 },
})
type One = { Querystring: { id: string } }

/** Notices for the people they are meant for, and what everybody may read without an account. */
export default async function noticeRoutes(app: FastifyInstance): Promise<void> {
  await app.register(async scope => mine(scope), { prefix: '/api/blade-exam/examination' })
  await app.register(async scope => everybody(scope), { prefix: '/api/public' })
}

function mine(app: FastifyInstance): void {
  app.get<{ Querystring: NoticeQuery }>('/getNoticeList', { config: scraped, schema: listedMine }, async request => {
    const who = person(request)
    return ok(await noticePage(app.db, who.tenantId, who, app.now(), request.query))
  })
  app.get<One>('/getNoticeInfo', { config: scraped, schema: one }, async request => {
    const who = person(request)
    return ok(await noticeInfo(app.db, who.tenantId, who, app.now(), request.query.id))
  })
  app.get('/getIndexNotice', { config: scraped, schema: query({}) }, async request =>
    ok(await noticeIndex(app.db, person(request), app.now())),
  )
  const reader = (request: FastifyRequest): Reader => ({ person: person(request), ip: request.ip, now: app.now() })
  app.post('/readAllNotices', { config: signedIn }, async request =>
    ok({ num: await readAllNotices(app.db, reader(request)) }),
  )
  for (const [path, step, name] of [
    ['readNotice', 'read', 'noticeId'],
    ['readNotify', 'read', 'notifyId'],
    ['sureNotify', 'sure', 'id'],
  ] as const) {
    app.post(`/${path}`, { config: signedIn }, async request => {
      const values = valuesOf(request)
      await markNotice(app.db, reader(request), idOf(values, textOf(values, name) ? name : 'id'), step)
      return ok()
    })
  }
}

function everybody(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply) => {
    if (reply.statusCode === 200) reply.header('cache-control', 'public, max-age=60').header('vary', 'Tenant-Id')
  })
  app.get<{ Querystring: NoticeQuery }>('/notices', { config: open, schema: listed }, async request =>
    ok(await noticePage(app.db, askedTenant(request), null, app.now(), request.query)),
  )
  app.get<One>('/notice', { config: open, schema: one }, async request =>
    ok(await noticeInfo(app.db, askedTenant(request), null, app.now(), request.query.id)),
  )
  const around = (request: FastifyRequest) => ({ db: app.db, tenantId: askedTenant(request), now: app.now() })
  app.get<{ Querystring: ContentQuery }>('/news', { config: open, schema: content }, async request =>
    ok(await newsPage(around(request), request.query)),
  )
  app.get<One>('/news/detail', { config: open, schema: one }, async request =>
    ok(await newsInfo(around(request), request.query.id)),
  )
  app.get<{ Querystring: ContentQuery }>('/files', { config: open, schema: content }, async request =>
    ok(await filesPage(around(request), request.query)),
  )
  app.get<{ Querystring: ExamQuery }>('/exams', { config: open, schema: examQuery }, async request =>
    ok(await publicExams({ db: app.db, now: app.now() }, askedTenant(request), request.query)),
  )
  app.get<One>('/exam', { config: open, schema: one }, async request =>
    ok(await publicExam({ db: app.db, now: app.now() }, askedTenant(request), request.query.id)),
  )
}
