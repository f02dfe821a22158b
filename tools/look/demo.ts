import type { FastifyInstance } from 'fastify'
import type { Facts } from '#engine'
import { Model } from '#schemas/development/model'
import { ExamineStatus, ExamStatus, PayState } from '#schemas/dictionaries'
import { Examination } from '#schemas/exams/examination'
import { Message } from '#schemas/notifications/message'
import { Event } from '#schemas/system/event'
import { Topmenu } from '#schemas/system/topmenu'
import { seedDemo } from '../../src/demo/index.ts'
import { openWorld, type World } from '../../tests/e2e/world.ts'
import { insert } from '../../tests/helper/sample.ts'

/** Ids of rows that pages are about, by what they are here. */
type Rows = Readonly<Record<string, string>>

/** The address of a page, which may be about one of the rows. */
export type Address = string | ((of: Rows) => string)

/** A server with the demonstration's data. */
export interface DemoWorld extends World {
  /** Ids of rows that pages are about, and accounts of candidates by what they have to do next. */
  rows: Rows
}

/** How far the exams are whose workspaces are looked at, and the rows they are. */
export const exams = { draft: 'draft', released: 'open', closed: 'closed' } as const

/** What candidates have to do next; the rows hold an account for each. */
export const steps = ['wait', 'fix', 'pay', 'ticket', 'score'] as const

/** An account with a sign-up in one of the exams. @param where a condition on the sign-up `s` and what is due for it, `d` */
const accountOf = (code: string, where: string) => `
  (SELECT u.account FROM signup s JOIN "user" u ON u.id = s."userId" JOIN examination e ON e.id = s."examId"
    LEFT JOIN payrecord d ON d."signupId" = s.id
    WHERE e."examCode" LIKE '${code}%' AND ${where} AND u.account <> 'kaosheng' ORDER BY s.id LIMIT 1)`

/** Rows that pages are about. */
const rows = `
  SELECT
    (SELECT id FROM examination WHERE "examCode" LIKE 'QY%') AS open,
    (SELECT id FROM examination WHERE "examCode" LIKE 'XY%') AS over,
    (SELECT id FROM examination WHERE "examCode" LIKE 'JK%') AS closed,
    (SELECT min(id) FROM signup WHERE examine = ${ExamineStatus.pending}) AS waiting,
    (SELECT id FROM "user" WHERE account = 'kaosheng') AS candidate,
    (SELECT id FROM "user" WHERE account = 'admin') AS staff,
    (SELECT min(s.id) FROM signup s JOIN "user" u ON u.id = s."userId" WHERE u.account = 'kaosheng') AS own,
    (SELECT min(id) FROM notice) AS notice,
    (SELECT min(id) FROM news) AS news,
    (SELECT min(id) FROM role) AS role,
    (SELECT min(id) FROM examroom) AS room,
    (SELECT min(id) FROM send) AS sending,
    ${accountOf('QY', `s.examine = ${ExamineStatus.pending}`)} AS wait,
    ${accountOf('QY', `s.examine = ${ExamineStatus.returned}`)} AS fix,
    ${accountOf('GC', `d."payState" = ${PayState.due}`)} AS pay,
    ${accountOf('BW', `d."payState" = ${PayState.paid}`)} AS ticket,
    ${accountOf('XY', `s.examine = ${ExamineStatus.approved}`)} AS score`

/** What a message is about, whom it has come for, and what it was told with. */
interface Told {
  code: string
  subjectId: string
  examId: string
  userId: string
  facts: Facts
  until?: Date
}

/** Puts a message into somebody's inbox, unread. @returns its id */
async function tell(app: FastifyInstance, { userId, facts, until, ...about }: Told): Promise<string> {
  const messageTime = app.now()
  const event = await insert(app, Event, { ...about, facts, toldTime: messageTime })
  const { code, subjectId } = about
  return (await insert(app, Message, { eventId: event.id, userId, code, subjectId, until: until ?? null, messageTime }))
    .id
}

/** What waits in the inboxes of the candidate and of staff: something to do, and something to know. @returns ids of messages */
async function fillInboxes(
  app: FastifyInstance,
  of: Record<string, string>,
): Promise<Record<'staff' | 'candidate', string>> {
  const { candidate = '', staff = '', own = '', open = '', closed = '' } = of
  const until = new Date(app.now().getTime() + 36 * 3_600_000)
  const moved = { window: 'signEndTime', until: until.toISOString() }
  const returned = { examineRemark: '学历证书不清晰，请重新上传。', until: until.toISOString() }
  await tell(app, { code: 'examination.windowMoved', subjectId: open, examId: open, userId: candidate, facts: moved })
  await tell(app, { code: 'examination.windowMoved', subjectId: open, examId: open, userId: staff, facts: moved })
  const facts = { closeReason: '考场所在学校临时停电，考试延期。' }
  return {
    candidate: await tell(app, {
      code: 'signup.returned',
      subjectId: own,
      examId: open,
      userId: candidate,
      facts: returned,
      until,
    }),
    staff: await tell(app, { code: 'examination.closed', subjectId: closed, examId: closed, userId: staff, facts }),
  }
}

/** Pages of staff that no menu leads to. */
export const staffPages: Readonly<Record<string, Address>> = {
  dashboard: '/wel/dashboard',
  examPreview: of => `/exam/preview/${of.open}`,
  sending: of => `/send/order/${of.sending}`,
  topMenu: of => `/system/topmenu/grant/${of.topMenu}`,
  fields: of => `/develop/model/fields/${of.model}`,
  workspace: of => `/exam/${of.open}`,
  matrix: of => `/exam/${of.open}/staff`,
  log: of => `/exam/${of.open}/log`,
  archive: of => `/exam/${of.over}/archive`,
  builder: of => `/exam/form/${of.open}`,
  staff: '/exam/staff',
  review: of => `/examine/info/${of.waiting}`,
  photos: '/examine/photos',
  reading: '/notice/read',
  preview: of => `/notice/preview/${of.notice}`,
  grant: of => `/system/role/grant/${of.role}`,
  platform: of => `/system/user/platform/${of.candidate}`,
  info: '/info/index',
  inbox: '/info/inbox',
  message: of => `/info/message/${of.staffMessage}`,
  board: '/statistics/screen',
  door: of => `/ticket/checkin/${of.room}`,
}

/** Pages of the candidate `kaosheng`. */
export const candidatePages: Readonly<Record<string, Address>> = {
  home: '/wel/index',
  exams: '/signup/examList',
  exam: of => `/signup/exam/${of.open}`,
  form: of => `/signup/form/${of.open}?step=0`,
  formPosition: of => `/signup/form/${of.open}?step=1`,
  formItems: of => `/signup/form/${of.open}?step=2`,
  formFiles: of => `/signup/form/${of.open}?step=3`,
  formCheck: of => `/signup/form/${of.open}?step=4`,
  signups: '/signup/mySignup',
  signup: of => `/signup/mySignup/${of.own}`,
  pay: '/signup/examPay',
  ticket: '/signup/ticket',
  score: '/signup/score',
  notices: '/signup/notice',
  notice: of => `/signup/notice/${of.notice}`,
  message: of => `/info/message/${of.candidateMessage}`,
  info: '/info/index',
}

/** Pages that nobody signs in for. */
export const openPages: Readonly<Record<string, Address>> = {
  login: '/login',
  register: '/register',
  index: '/public/index',
  exam: of => `/public/exam/${of.open}`,
  notice: of => `/public/notice/${of.notice}`,
  newsList: '/public/news',
  news: of => `/public/news/${of.news}`,
  files: '/public/files',
  verify: '/public/verify',
  questions: '/problem/problem',
  forbidden: '/403',
  missing: '/404',
  broken: '/500',
}

/** Opens a world and fills it with the demonstration. */
export async function openDemo(): Promise<DemoWorld> {
  const world = await openWorld()
  const { app } = world.t
  await seedDemo(app)
  const [top, model, draft] = await Promise.all([
    insert(app, Topmenu, {}),
    insert(app, Model, {}),
    insert(app, Examination, {
      examName: '2027年卫健系统护理人员专项招聘',
      examCode: 'HL2027',
      examStatus: ExamStatus.draft,
    }),
  ])
  await world.t.pool.query(`UPDATE examination SET "examStatus" = ${ExamStatus.closed} WHERE "examCode" LIKE 'JK%'`)
  const { rows: found } = await world.t.pool.query<Record<string, string>>(rows)
  const of = found[0] as Record<string, string>
  const messages = await fillInboxes(app, of)
  return {
    ...world,
    rows: {
      ...of,
      topMenu: top.id,
      model: model.id,
      draft: draft.id,
      staffMessage: messages.staff,
      candidateMessage: messages.candidate,
    },
  }
}
