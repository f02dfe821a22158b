import type { FastifyInstance, FastifyRequest } from 'fastify'
import { person } from '../../../../platform/http/server/access.ts'
import { liveAs } from '../../../../platform/http/server/live.ts'
import { wantsEnglish } from '../../../../platform/http/server/refusal-english.ts'
import { sent, serve } from '../../../../platform/http/server/serve.ts'
import { keepLooking } from '../../../../platform/queue/loop.ts'
import { readAll } from '../../../notices/server/read-all.ts'
import {
  chooseEvent,
  eventChoices,
  inboxInfo,
  inboxPage,
  inboxUnread,
  limitTexts,
  planReminder,
  previewEvent,
  readInbox,
  readMessage,
  reminderPlans,
  sayEvent,
} from '../../contract.ts'
import { choicesIn, choose, limitTextsOf } from '../choices.ts'
import { deliverDue } from '../deliveries.ts'
import { inboxOf, markRead, messageOf, type Reader, unreadOf } from '../inbox.ts'
import { previewOf } from '../preview.ts'
import { remindDue } from '../remind.ts'
import { changePlan, plansIn } from '../reminder-plans.ts'
import { tellDue } from '../tell.ts'
import { sayInWords } from '../wording.ts'

/** The inbox of whoever is signed in, and telling people of what has happened. */
export default async function notificationRoutes(app: FastifyInstance): Promise<void> {
  const reader = (request: FastifyRequest): Reader => ({
    db: liveAs(app, person(request)),
    app,
    person: person(request),
    language: wantsEnglish(request.headers['accept-language']) ? 'en' : 'zh',
  })
  serve(app, inboxPage, ({ query, request }) => inboxOf(reader(request), query))
  serve(app, inboxUnread, async ({ request, reply }) => {
    const mine = reader(request)
    const unread = await unreadOf(mine)
    // Whoever signs in next at the same browser has another one, whatever the numbers are.
    const etag = `W/"${mine.person.userId}.${Object.values(unread).join('.')}"`
    reply.headers({ etag, 'cache-control': 'private, no-cache' })
    if (request.headers['if-none-match'] !== etag) return unread
    return sent(reply.code(304).send())
  })
  serve(app, inboxInfo, ({ query, request }) => messageOf(reader(request), query.id))
  serve(app, readMessage, async ({ body, request }) => {
    await markRead(reader(request), body.id)
  })
  serve(app, readInbox, async ({ request }) => {
    const mine = reader(request)
    const notices = { app, person: mine.person, ip: request.ip, now: app.now() }
    return { num: (await markRead(mine)) + (await readAll(mine.db, notices)) }
  })
  serve(app, eventChoices, ({ query, request }) => choicesIn(app, reader(request), query.examId ?? null))
  serve(app, chooseEvent, async ({ body, request }) =>
    choose(app, person(request), { ...body, channel: body.channel ?? 'sms' }),
  )
  serve(app, limitTexts, async ({ body, request }) => limitTextsOf(app, person(request), body))
  serve(app, previewEvent, async ({ query, request }) => ({ shown: await previewOf(app, person(request), query) }))
  serve(app, sayEvent, async ({ body, request }) => sayInWords(app, person(request), body))
  serve(app, reminderPlans, ({ query, request }) => plansIn(app, reader(request), query.examId ?? null))
  serve(app, planReminder, async ({ body, request }) => changePlan(app, person(request), body))
  app.jobs.every({ name: 'remind', title: '按规则提醒', seconds: 60, work: signal => remindDue(app, signal) })
  keepLooking(app, { name: 'telling people of events', turn: signal => tellDue(app, signal) })
  keepLooking(app, { name: 'delivering messages', turn: signal => deliverDue(app, signal) })
}
