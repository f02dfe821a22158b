import { Model } from '#schemas/development/model'
import { ExamineStatus } from '#schemas/dictionaries'
import { Topmenu } from '#schemas/system/topmenu'
import { seedDemo } from '../../src/demo/index.ts'
import { openWorld, type World } from '../../tests/e2e/world.ts'
import { insert } from '../../tests/helper/sample.ts'

/** A server with the demonstration's data, and addresses of pages about one of its rows. */
export interface DemoWorld extends World {
  /** Pages of staff that no menu leads to. */
  staffPages: Readonly<Record<string, string>>
  /** Pages of the candidate `kaosheng`. */
  candidatePages: Readonly<Record<string, string>>
  /** Pages that nobody signs in for. */
  openPages: Readonly<Record<string, string>>
}

/** Rows that pages are about. */
const rows = `
  SELECT
    (SELECT id FROM examination WHERE "examCode" LIKE 'QY%') AS open,
    (SELECT id FROM examination WHERE "examCode" LIKE 'XY%') AS over,
    (SELECT min(id) FROM signup WHERE examine = ${ExamineStatus.pending}) AS waiting,
    (SELECT id FROM "user" WHERE account = 'kaosheng') AS candidate,
    (SELECT min(s.id) FROM signup s JOIN "user" u ON u.id = s."userId" WHERE u.account = 'kaosheng') AS own,
    (SELECT min(id) FROM notice) AS notice,
    (SELECT min(id) FROM news) AS news,
    (SELECT min(id) FROM role) AS role,
    (SELECT min(id) FROM examroom) AS room,
    (SELECT min(id) FROM send) AS sending`

/** Opens a world and fills it with the demonstration. */
export async function openDemo(): Promise<DemoWorld> {
  const world = await openWorld()
  const { app } = world.t
  await seedDemo(app)
  const [top, model] = await Promise.all([insert(app, Topmenu, {}), insert(app, Model, {})])
  const { rows: found } = await world.t.pool.query<Record<string, string>>(rows)
  const of = found[0] as Record<string, string>
  return {
    ...world,
    staffPages: {
      dashboard: '/wel/dashboard',
      examPreview: `/exam/preview/${of.open}`,
      sending: `/send/order/${of.sending}`,
      topMenu: `/system/topmenu/grant/${top.id}`,
      fields: `/develop/model/fields/${model.id}`,
      workspace: `/exam/${of.open}`,
      archive: `/exam/archive/${of.over}`,
      builder: `/exam/form/${of.open}`,
      staff: '/exam/staff',
      review: `/examine/info/${of.waiting}`,
      photos: '/examine/photos',
      reading: '/notice/read',
      preview: `/notice/preview/${of.notice}`,
      grant: `/system/role/grant/${of.role}`,
      platform: `/system/user/platform/${of.candidate}`,
      info: '/info/index',
      board: '/statistics/screen',
      door: `/ticket/checkin/${of.room}`,
    },
    candidatePages: {
      home: '/wel/index',
      exams: '/signup/examList',
      exam: `/signup/exam/${of.open}`,
      form: `/signup/form/${of.open}?step=0`,
      formPosition: `/signup/form/${of.open}?step=1`,
      formItems: `/signup/form/${of.open}?step=2`,
      formFiles: `/signup/form/${of.open}?step=3`,
      formCheck: `/signup/form/${of.open}?step=4`,
      signups: '/signup/mySignup',
      signup: `/signup/mySignup/${of.own}`,
      pay: '/signup/examPay',
      ticket: '/signup/ticket',
      score: '/signup/score',
      notices: '/signup/notice',
      notice: `/signup/notice/${of.notice}`,
      info: '/info/index',
    },
    openPages: {
      login: '/login',
      register: '/register',
      index: '/public/index',
      exam: `/public/exam/${of.open}`,
      notice: `/public/notice/${of.notice}`,
      newsList: '/public/news',
      news: `/public/news/${of.news}`,
      files: '/public/files',
      verify: '/public/verify',
      questions: '/problem/problem',
      forbidden: '/403',
      missing: '/404',
      broken: '/500',
    },
  }
}
