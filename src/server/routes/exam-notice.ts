import type { FastifyInstance, FastifyRequest } from 'fastify'
import { person } from '../access.ts'
import { type NoticeQuery, noticeIndex, noticeInfo, noticePage } from '../actions/notice/lists.ts'
import { markNotice } from '../actions/notice/mark.ts'
import { type ExamQuery, publicExam, publicExams } from '../actions/signup/exam-list.ts'
import { ok } from '../plugins/envelope.ts'
import { examQuery, id, paging, query } from './signup/schemas.ts'

const signedIn = { access: 'signed-in' } as const
const open = { access: 'public' } as const
const one = query({ id }, ['id'])
const listed = query({ ...paging, category: { type: 'integer' }, title: { type: 'string', maxLength: 100 } })
type One = { Querystring: { id: string } }

/** Notices for the people they are meant for, and what everybody may read without an account. */
export default async function noticeRoutes(app: FastifyInstance): Promise<void> {
  await app.register(async scope => mine(scope), { prefix: '/api/blade-exam/examination' })
  await app.register(async scope => everybody(scope), { prefix: '/api/public' })
}

function mine(app: FastifyInstance): void {
  app.get<{ Querystring: NoticeQuery }>('/getNoticeList', { config: signedIn, schema: listed }, async request => {
    const who = person(request)
    return ok(await noticePage(app.db, who.tenantId, who, app.now(), request.query))
  })
  app.get<One>('/getNoticeInfo', { config: signedIn, schema: one }, async request => {
    const who = person(request)
    return ok(await noticeInfo(app.db, who.tenantId, who, app.now(), request.query.id))
  })
  app.get('/getIndexNotice', { config: signedIn, schema: query({}) }, async request =>
    ok(await noticeIndex(app.db, person(request), app.now())),
  )
  for (const [path, step] of [
    ['readNotice', 'read'],
    ['readNotify', 'read'],
    ['sureNotify', 'sure'],
  ] as const) {
    app.post<One>(`/${path}`, { config: signedIn, schema: one }, async request => {
      await markNotice(app.db, person(request), app.now(), { id: request.query.id, step })
      return ok()
    })
  }
}

/** The tenant a person without a token asks about. */
function tenantOf(request: FastifyRequest): string {
  const header = request.headers['tenant-id']
  return typeof header === 'string' && /^\w{1,12}$/.test(header) ? header : '000000'
}

function everybody(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply) => {
    if (reply.statusCode === 200) reply.header('cache-control', 'public, max-age=60').header('vary', 'Tenant-Id')
  })
  app.get<{ Querystring: NoticeQuery }>('/notices', { config: open, schema: listed }, async request =>
    ok(await noticePage(app.db, tenantOf(request), null, app.now(), request.query)),
  )
  app.get<One>('/notice', { config: open, schema: one }, async request =>
    ok(await noticeInfo(app.db, tenantOf(request), null, app.now(), request.query.id)),
  )
  app.get<{ Querystring: ExamQuery }>('/exams', { config: open, schema: examQuery }, async request =>
    ok(await publicExams({ db: app.db, now: app.now() }, tenantOf(request), request.query)),
  )
  app.get<One>('/exam', { config: open, schema: one }, async request =>
    ok(await publicExam({ db: app.db, now: app.now() }, tenantOf(request), request.query.id)),
  )
}
