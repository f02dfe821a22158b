import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { NoticeScope, NoticeStatus } from '#schemas/dictionaries'
import { demoLeft, demoMark as mark } from '../platform/auth/server/known-passwords.ts'
import { sandboxMerchant } from '../platform/channels/pay/sandbox/merchant.ts'
import { demoPassword } from '../platform/config/config.ts'
import { openDatabase, type Reader } from '../platform/database/database.ts'
import { firstTenant } from '../platform/database/first-tenant.ts'
import { topDept } from '../platform/tenants/server/seed/tenant.ts'
import { makeCandidates, makeStaff } from './accounts.ts'
import { makeContent, makeRemarks } from './content.ts'
import { atDay, type Demo, type DemoExam, makeExams, makeOldExam } from './exams.ts'
import { makeExpenses } from './expenses.ts'
import { drawPapers, drawPhotos } from './files.ts'
import { makeForms } from './form.ts'
import { makeLeaves } from './leaves.ts'
import { makeLookups } from './lookups.ts'
import { makeMessages } from './messages.ts'
import { makePayments } from './payments.ts'
import { people } from './people.ts'
import { makePublicity } from './publicity.ts'
import { makeReaders, makeRequests } from './readers.ts'
import { makeScores, releaseScores } from './results.ts'
import { makeReviews } from './reviews.ts'
import { payAtSandbox } from './sandbox.ts'
import { type Candidate, type MadeSignup, makeSignups, type Pictures } from './sign-ups.ts'
import { playStory } from './story.ts'
import { playCorrection } from './story-claims.ts'
import { notices } from './texts.ts'
import { appointProctors, makeRooms, makeTickets } from './tickets.ts'

const demoLock = 811_000_009
const tenantId = firstTenant

type Around = FastifyInstance

/** Candidates of each exam whose positions are reduced: two or three to a position. */
const reducedShare = 14

/** Candidates of the exam that is over, three to a position. */
const marked = 120

/** Candidates of the exam that ended years ago. */
const formerly = 12

/** How much, and where progress is told. */
export interface DemoOptions {
  /** Candidates with an account; 300 unless more are asked for. */
  candidates?: number
  /** Called with a line at each step. */
  tell?: (line: string) => void
}

async function makeNotices({ db, staff, now }: Demo, ticketed: DemoExam): Promise<void> {
  const rows = notices.map((one, i) => ({
    ...one,
    tenantId,
    examId: one.scope1 === NoticeScope.examCandidates ? ticketed.id : null,
    scope2: one.scope1 === NoticeScope.examCandidates ? ticketed.id : null,
    noticeStatus: NoticeStatus.released,
    releaseTime: atDay(now, -6 + i),
    createUser: staff.kaowu,
    createTime: atDay(now, -6 + i),
    updateTime: now,
  }))
  await db.insertInto('notice').values(rows).execute()
}

/** Everybody of each exam: sign-ups, their review, what they owe, rooms or scores. */
async function fillExams(
  vault: Around['vault'],
  demo: Demo,
  exams: readonly DemoExam[],
  candidates: readonly Candidate[],
  pictures: Pictures,
  tell: (line: string) => void,
): Promise<void> {
  const share = Math.ceil(candidates.length * 0.6)
  // The first candidate has no sign-up in the open exam: whoever tries the product begins there.
  const own = [
    candidates.slice(1, share),
    candidates.slice(0, share),
    [...candidates.slice(0, 1), ...candidates.slice(candidates.length - share + 1)],
    candidates.slice(0, marked),
    // The first candidate is one of the two whose position is cancelled.
    [...candidates.slice(1, 5), ...candidates.slice(0, 1), ...candidates.slice(5, reducedShare)],
    candidates.slice(reducedShare, 2 * reducedShare),
  ]
  for (const [i, exam] of exams.entries()) {
    const made: MadeSignup[] = await makeSignups(demo, vault, exam, own[i] ?? [], pictures)
    if (i < 3) await makePayments(demo, exam, made, i as 0 | 1 | 2)
    if (i === 2) await makeRooms(demo, exam, made.length)
    if (i === 3) await makeScores(demo, exam)
    await makeReviews(demo, exam)
    tell(`考试 ${i + 1}/${exams.length}：${made.length} 人报名`)
  }
}

async function fill(app: Around, db: Reader, count: number, tell: (line: string) => void): Promise<void> {
  const now = app.now()
  const accounts = { db, vault: app.vault, tenantId, now, topDept, password: demoPassword }
  const demo: Demo = { db, tenantId, now, staff: await makeStaff(accounts) }
  await makeLookups(demo)
  // The demonstration is past its beginning.
  await db
    .insertInto('start_step')
    .values({ tenantId, code: '*', userId: demo.staff.admin ?? '0', time: now })
    .execute()
  const persons = people(count)
  tell(`${count} 名考生，绘制证件照 …`)
  const [photos, papers, userIds] = await Promise.all([
    drawPhotos(app.storage, count),
    drawPapers(app.storage),
    makeCandidates(accounts, persons),
  ])
  const candidates = persons.map((person, n) => ({ ...person, n, userId: userIds[n] as string }))
  const exams = await makeExams(demo, topDept)
  await makeForms(demo, exams)
  await fillExams(app.vault, demo, exams, candidates, { photos, papers }, tell)
  await makeOldExam(demo, topDept, async (then, exam) => {
    await makeForms(then, [exam])
    await makeSignups(then, app.vault, exam, candidates.slice(1, 1 + formerly), { photos, papers })
    await makeReviews(then, exam)
  })
  await makeNotices(demo, exams[2] as DemoExam)
  await makeReaders(demo, exams[2] as DemoExam)
  await makeMessages(demo, app.vault)
  const { secrets } = app
  const merchant = sandboxMerchant(secrets.pair('payMerchant'), secrets.pair('payPlatform'), secrets.get('payNotify'))
  await payAtSandbox(demo, merchant)
  await makeContent(demo, papers)
  await makeRequests(demo)
  await makeLeaves(app, demo)
  await makeExpenses(app, demo)
  await makeRemarks(demo, exams[2] as DemoExam)
}

/** Tickets and results come out in transactions of their own, so they come after; a start cut short between makes up for them. */
async function seat(app: Around, tell: (line: string) => void): Promise<void> {
  const { id } = await app.db
    .selectFrom('user')
    .select('id')
    .where('account', '=', 'kaowu')
    .where('tenantId', '=', tenantId)
    .executeTakeFirstOrThrow()
  const key = { id: String(app.secrets.version('ticket')), privateKey: app.secrets.pair('ticket').privateKey }
  const actor = { userId: id, now: app.now() }
  await makeTickets(app, actor, key)
  await appointProctors(app)
  await playCorrection(app)
  await releaseScores(app.db, actor)
  await makePublicity(app.db, actor)
  tell('考场编排，发布准考证和成绩')
}

/**
 * Fills a new installation with the demonstration: accounts, three exams in different phases, positions, candidates in
 * a spread of states. Nothing happens when it is there already; processes that start together wait for one another.
 * @returns whether it was made now
 */
export async function seedDemo(app: Around, { candidates = 300, tell = () => {} }: DemoOptions = {}): Promise<boolean> {
  // A session of its own, past a pooler: it is locked and set.
  return openDatabase(app.direct)
    .connection()
    .execute(async connection => {
      // Whoever comes second waits as long as the first needs.
      await sql`set lock_timeout = 0`.execute(connection)
      await sql`set statement_timeout = 0`.execute(connection)
      await sql`select pg_advisory_lock(${demoLock})`.execute(connection)
      try {
        const done = await connection.selectFrom('migration').select('hash').where('name', '=', mark).executeTakeFirst()
        if (done?.hash === 'whole' || done?.hash === demoLeft) return false
        if (!done) await app.db.transaction().execute(trx => fillAndMark(app, trx, candidates, tell))
        await measureTables(connection)
        await seat(app, tell)
        await playStory(app)
        await measureTables(connection)
        tell('核减、退款、发票、对账、发送')
        await connection.updateTable('migration').set({ hash: 'whole' }).where('name', '=', mark).execute()
        return true
      } finally {
        await sql`select pg_advisory_unlock(${demoLock})`.execute(connection)
        await sql`reset lock_timeout`.execute(connection)
        await sql`reset statement_timeout`.execute(connection)
      }
    })
}

/** Measures all tables. PostgreSQL would do so a minute later, and until then plan for tables with next to no rows. */
const measureTables = (db: Reader) => sql`ANALYZE`.execute(db)

async function fillAndMark(app: Around, trx: Reader, count: number, tell: (line: string) => void): Promise<void> {
  await fill(app, trx, count, tell)
  await trx.insertInto('migration').values({ name: mark, hash: 'unseated' }).execute()
}
