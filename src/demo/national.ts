import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { FastifyInstance } from 'fastify'
import { AccountStatus, ExamineMode, IdType, UserType } from '#schemas/dictionaries'
import { widthOf } from '../modules/sign-up/rules/sign-digits.ts'
import { demoMark } from '../platform/auth/server/known-passwords.ts'
import { copyIn } from '../platform/backup/copy.ts'
import { demoPassword } from '../platform/config/config.ts'
import type { Reader } from '../platform/database/database.ts'
import { firstTenant as tenantId } from '../platform/database/first-tenant.ts'
import { clientBeside } from '../platform/database/hosts.ts'
import { roleIds } from '../platform/tenants/server/seed/roles.ts'
import { topDept } from '../platform/tenants/server/seed/tenant.ts'
import { hashPassword } from '../platform/vault/password.ts'
import { makeStaff } from './accounts.ts'
import { atDay, type Demo, makeExam } from './exams.ts'
import { makeForms } from './form.ts'
import { makeLookups } from './lookups.ts'
import { type Portion, type Rows, type Setting, signupColumns, userColumns } from './national-rows.ts'
import { positions } from './units.ts'

/** The line among the migrations that tells how many people are there. */
const mark = 'demonstration-national'

const plan = {
  name: '全国统一招聘',
  code: 'GJ',
  type: '1',
  mode: ExamineMode.single,
  sign: [-3, 10],
  modify: 12,
  examine: 40,
  pay: null,
  ticket: null,
  exam: 60,
} as const

/** The installation holds something else already. */
export class NotEmpty extends Error {
  override name = 'NotEmpty'
}

/** How much, and where progress is told. */
interface NationalOptions {
  candidates: number
  /** People who are written in one transaction. */
  portion?: number
  tell?: (line: string) => void
}

type Around = Pick<FastifyInstance, 'db' | 'direct' | 'vault' | 'secrets' | 'now'>

/** How many people are there already; undefined in an empty installation. @throws {NotEmpty} */
async function readDone(db: Reader): Promise<number | undefined> {
  const found = await db.selectFrom('migration').select('hash').where('name', '=', mark).executeTakeFirst()
  if (found) return Number(found.hash)
  const exam = await db.selectFrom('examination').select('id').limit(1).executeTakeFirst()
  const candidate = await db
    .selectFrom('user')
    .select('id')
    .where('userType', '=', UserType.candidate)
    .limit(1)
    .executeTakeFirst()
  if (exam || candidate)
    throw new NotEmpty('这里已有考试或考生，全国统考演示数据只能装入空的安装（换一个 DATA_DIR 或数据库）')
  return undefined
}

/** Staff, one exam with its positions and a short form. */
async function makeFrame(app: Around, db: Reader): Promise<void> {
  const now = app.now()
  const staff = await makeStaff({ db, vault: app.vault, tenantId, now, topDept, password: demoPassword })
  const demo: Demo = { db, tenantId, now, staff }
  await makeLookups(demo)
  await db
    .insertInto('start_step')
    .values({ tenantId, code: '*', userId: staff.admin ?? '0', time: now })
    .execute()
  const exam = await makeExam(demo, plan, topDept, 0)
  await makeForms(demo, [exam], { items: ['education', 'degree', 'major'], isBrief: true })
  await db.updateTable('examitems').set({ maxSignup: null }).where('examId', '=', exam.id).execute()
  // A start of the server makes no other demonstration beside this one.
  await db
    .insertInto('migration')
    .values([
      { name: mark, hash: '0' },
      { name: demoMark, hash: 'whole' },
    ])
    .execute()
}

/** Lets the exam take a twentieth more than are there, and gives what all rows have in common. */
async function prepare({ db, secrets, now }: Around, candidates: number): Promise<Setting> {
  const exam = await db.selectFrom('examination').select(['id', 'examCode']).executeTakeFirstOrThrow()
  const maxSignup = Math.ceil(candidates * 1.05)
  await db.updateTable('examination').set({ maxSignup }).where('id', '=', exam.id).execute()
  const serial = await db
    .insertInto('sign_serial')
    .values({ examId: exam.id, last: 0, width: widthOf(maxSignup) })
    .onConflict(on => on.column('examId').doUpdateSet(eb => ({ width: eb.ref('sign_serial.width') })))
    .returning('width')
    .executeTakeFirstOrThrow()
  const version = secrets.version('vault')
  const start = atDay(now(), plan.sign[0]).getTime()
  return {
    tenantId,
    examId: exam.id,
    examCode: exam.examCode,
    width: serial.width,
    positions: positions(0).map(({ code, type, unit, education, majors }) => ({
      code,
      type,
      unit,
      education,
      major: majors.split('、')[0] || '公共事业管理',
    })),
    password: await hashPassword(demoPassword),
    roleId: roleIds.candidate as string,
    idType: IdType.residentCard,
    userType: UserType.candidate,
    accountStatus: AccountStatus.active,
    start,
    span: now().getTime() - start,
    total: candidates,
    seal: { version, key: secrets.get('vault', version), pepper: secrets.get('pepper') },
  }
}

/** Whoever waits for the rows of a portion. */
interface Waiting {
  resolve(rows: Rows): void
  reject(error: unknown): void
}

/** Rows of portions in their order, made by threads ahead of whoever reads them. */
async function* rowsInThreads(
  setting: Setting,
  portions: readonly Portion[],
): AsyncGenerator<readonly [Portion, Rows]> {
  const { default: code } = await import('./national-thread.ts?thread')
  const many = Math.min(Math.max(availableParallelism() - 1, 1), 4, portions.length)
  const threads = Array.from({ length: many }, () => new Worker(code, { eval: true, workerData: setting }))
  const answers = threads.map(thread => {
    const waiting: Waiting[] = []
    thread.on('message', (rows: Rows) => waiting.shift()?.resolve(rows))
    thread.on('error', error => {
      for (const one of waiting.splice(0)) one.reject(error)
    })
    return (portion: Portion) =>
      new Promise<Rows>((resolve, reject) => {
        waiting.push({ resolve, reject })
        thread.postMessage(portion)
      })
  })
  try {
    const ahead: Promise<Rows>[] = []
    for (const [i, portion] of portions.entries()) {
      for (let next = i + ahead.length; next < Math.min(i + many + 1, portions.length); next++)
        ahead.push(answers[next % many]!(portions[next]!))
      yield [portion, await ahead.shift()!]
    }
  } finally {
    for (const thread of threads) await thread.terminate()
  }
}

async function* once(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}

const into = (table: string, columns: readonly string[]) =>
  `COPY "${table}" (${columns.map(name => `"${name}"`).join(', ')}) FROM STDIN`

/**
 * Fills an empty installation with one exam for which a nation has signed up: accounts and sign-ups without files. It writes in
 * portions, each with its mark, so that it goes on where it was when it is ended and begun again, also with a larger number.
 * @returns how many people were added
 * @throws {NotEmpty} where there are other exams or candidates
 */
export async function seedNational(
  app: Around,
  { candidates, portion = 20_000, tell = () => {} }: NationalOptions,
): Promise<number> {
  const { db } = app
  const before = await readDone(db)
  if (before === undefined) await db.transaction().execute(trx => makeFrame(app, trx))
  const done = before ?? 0
  if (done >= candidates) return 0
  const setting = await prepare(app, candidates)
  const portions: Portion[] = []
  for (let from = done; from < candidates; from += portion)
    portions.push({ from, count: Math.min(portion, candidates - from) })
  // A vacuum of millions of rows takes longer than connections of the pool wait for an answer.
  const client = clientBeside(app.direct, { query_timeout: 0 })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('SET statement_timeout = 0; SET lock_timeout = 0')
    for await (const [{ from, count }, rows] of rowsInThreads(setting, portions)) {
      await client.query('BEGIN')
      // Of two that fill at once the second finds that the portion is there.
      const taken = await client.query('UPDATE migration SET hash = $1 WHERE name = $2 AND hash = $3', [
        String(from + count),
        mark,
        String(from),
      ])
      if (taken.rowCount !== 1) throw new Error('全国统考演示数据正由另一个进程装入')
      await copyIn(client, into('user', userColumns), once(rows.users))
      await copyIn(client, into('signup', signupColumns), once(rows.signups))
      await client.query('UPDATE sign_serial SET last = $1 WHERE "examId" = $2', [from + count, setting.examId])
      await client.query('COMMIT')
      tell(`${from + count}/${candidates}`)
    }
    await client.query('VACUUM ANALYZE signup')
    await client.query('VACUUM ANALYZE "user"')
  } finally {
    // What a failure leaves open ends with the connection.
    await client.end()
  }
  return candidates - done
}
