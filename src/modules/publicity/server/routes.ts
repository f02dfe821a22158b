import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { Refusal, refuseSaying } from '../../../platform/http/server/refusal.ts'
import { answerWork } from './answer-text.ts'
import { draftDueLists } from './due-drafts.ts'
import { addFileWork } from './files.ts'
import { pageText, speechOf } from './html/frame.ts'
import { listFile, listPage, listsPage } from './html/list-pages.ts'
import { html } from './html/markup.ts'
import {
  lookObjection,
  objectionFormRule,
  objectionPage,
  refusalText,
  takeBackObjection,
  takeObjection,
} from './html/objection-pages.ts'
import { followTimes } from './release.ts'

const open = { config: { access: 'public' } } as const

/** Pages for everybody, which need no script: they are whole when they arrive. */
const pages: FastifyPluginAsync = async app => {
  tellRefusals(app)
  app.get('/public/publicity', open, async (request, reply) => listsPage(app, request, reply))
  app.get('/public/publicity/:id', open, async (request, reply) => listPage(app, request, reply))
  for (const ending of ['pdf', 'xlsx'] as const)
    app.get(`/public/publicity/:id/${ending}`, open, async (request, reply) => listFile(app, request, reply, ending))
  app.get('/public/objection', open, async (request, reply) => objectionPage(app, request, reply))
  app.post(
    '/public/objection/file',
    { config: { access: 'public', form: objectionFormRule } },
    async (request, reply) => takeObjection(app, request, reply),
  )
  app.post('/public/objection/look', open, async (request, reply) => lookObjection(app, request, reply))
  app.post('/public/objection/withdraw', open, async (request, reply) => takeBackObjection(app, request, reply))
}

/** Within these pages a refusal is a page, too. */
function tellRefusals(app: FastifyInstance): void {
  app.setErrorHandler(async (error, request, reply) => {
    if (!(error instanceof Refusal)) throw error
    const speech = speechOf(request)
    const { say, to } = speech
    const isMissing = error.status === 404
    const known = isMissing ? refuseSaying('row.notFound', '没有这个页面，或者它还没有公开') : error
    const content = html`<h1>${say(isMissing ? '没有找到该页面' : '没有完成')}</h1><p class="note" role="alert">${refusalText(speech, known)}</p>
      <div class="acts"><a class="button" href="${to('/public/publicity')}">${say('公示')}</a></div>`
    return reply
      .code(error.status)
      .headers({ 'x-robots-tag': 'noindex', 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(pageText({ speech, title: say('公示'), content }))
  })
}

/** Public lists: their pages, their files, and when they open and close. */
const publicityRoutes: FastifyPluginAsync = async app => {
  await app.register(pages)
  addFileWork(app)
  app.queue.add(answerWork(app))
  app.jobs.every({ name: 'publicity-drafts', title: '起草公示', seconds: 60, work: () => draftDueLists(app) })
  app.jobs.every({ name: 'publicity-times', title: '开始和结束公示', seconds: 10, work: () => followTimes(app) })
}

export default publicityRoutes
