import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tableOf } from '#engine'
import { resources } from '#resources'
import { ExamStatus } from '#schemas/dictionaries'
import { seedDemo } from '../../src/demo/index.ts'
import { people } from '../../src/demo/people.ts'
import type { DictEntry } from '../../src/engine/form-field.ts'
import { type ExamTimes, phasesOf } from '../../src/modules/exams/rules/exam-phase.ts'
import { formCheck } from '../../src/modules/exams/rules/sign-check.ts'
import type { SignItem } from '../../src/modules/exams/rules/sign-item.ts'
import { paidStates } from '../../src/modules/payment/rules/pay-record.ts'
import { verifyTicket } from '../../src/modules/tickets/server/ticket-code.ts'
import { demoStaff } from '../../src/platform/accounts/server/demo-accounts.ts'
import { compileForm } from '../../src/platform/http/server/form-validator.ts'
import { roles as baseRoles } from '../../src/platform/tenants/server/seed/roles.ts'
import { hashPassword } from '../../src/platform/vault/password.ts'
import { type TestApp, testApp } from '../helper/app.ts'
import { verifyFolder, writtenFolder } from '../helper/archive-folder.ts'
import { asCaller } from '../helper/exam-bench.ts'
import { encrypt, login, password } from '../helper/login.ts'
import { signIn } from '../helper/person.ts'
import { unzip } from '../helper/unzip.ts'

let t: TestApp
const count = 300
const told: string[] = []

beforeAll(async () => {
  t = await testApp()
  expect(await seedDemo(t.app, { candidates: count, tell: line => told.push(line) })).toBe(true)
})
afterAll(() => t.close())

const rowsOf = async <T = Record<string, never>>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await t.pool.query(text, values)).rows
const one = async <T = Record<string, never>>(text: string, values: unknown[] = []) =>
  (await rowsOf<T>(text, values))[0]!
const exams = () => t.db.selectFrom('examination').selectAll().orderBy('id').execute()

/** Every table that somebody fills, with its number of rows; lines of the journal on their way count as written. */
async function numbers() {
  await t.app.journal.flush()
  const tables = await rowsOf<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  )
  const counted: Record<string, number> = {}
  for (const { name } of tables)
    counted[name] = (await one<{ n: number }>(`SELECT count(*)::int AS n FROM "${name}"`)).n
  return counted
}

describe('the demonstration', () => {
  test('has an exam open for sign-up, one being paid for, one with tickets out and one with results', async () => {
    const phases = (await exams()).map(exam => phasesOf({ ...(exam as ExamTimes), lists: [] }, t.app.now()))
    expect(phases[0]).toContain('报名中')
    expect(phases[1]).toEqual(expect.arrayContaining(['缴费中', '待考']))
    expect(phases[1]).not.toContain('报名中')
    expect(phases[2]).toEqual(expect.arrayContaining(['准考证下载中', '待考']))
    expect(phases[2]).not.toContain('缴费中')
    expect(phases[3]).toContain('成绩公布')
    expect(told).toHaveLength(9)
  })

  test('has rows in every screen', async () => {
    await t.app.journal.flush()
    const empty: string[] = []
    for (const { entity } of resources) {
      const { n } = await one<{ n: number }>(`SELECT count(*)::int AS n FROM "${tableOf(entity.name)}"`)
      if (n === 0) empty.push(entity.name)
    }
    // Jobs of the demonstration are done by another system, whose lines are not here. E-mails and webhooks go out once it runs.
    const reasoned = ['delivery', 'hookdelivery', 'job-log']
    expect(empty.sort()).toEqual(reasoned)
  })

  test('has an account for every role of staff, and one exam each where people choose anew and where a second person confirms', async () => {
    const roles = await rowsOf<{ alias: string }>(
      `SELECT DISTINCT r."roleAlias" AS alias FROM role r JOIN "user" u ON r.id::text = ANY(string_to_array(u."roleId", ','))`,
    )
    const held = roles.map(({ alias }) => alias)
    for (const { alias } of baseRoles) if (alias !== 'guest') expect(held).toContain(alias)
    const [choosing] = await rowsOf<{ account: string }>(
      `SELECT u.account FROM postreductionname n JOIN signup s ON s.id = n."signupId" JOIN "user" u ON u.id = s."userId"
       WHERE u.account = 'kaosheng' AND n."nameState" = 1`,
    )
    expect(choosing).toBeDefined()
    const waiting = await rowsOf('SELECT 1 FROM postreduction WHERE decision <> 0 AND "confirmUser" IS NULL')
    expect(waiting.length).toBeGreaterThan(0)
    const refunds = await rowsOf<{ state: number }>('SELECT "refundStatus" AS state FROM payrefund ORDER BY 1')
    expect(refunds.map(({ state }) => state)).toEqual([0, 2, 5])
  })

  test('has candidates of all states in the open exam and live ones in the others', async () => {
    const [open, paying, ticketed] = (await exams()).map(exam => exam.id)
    const states = (id: string) =>
      rowsOf<{ signStatus: number; examine: number; n: number }>(
        `SELECT "signStatus", examine, count(*)::int AS n FROM signup WHERE "examId" = $1 GROUP BY 1, 2 ORDER BY 1, 2`,
        [id],
      )
    const keys = (await states(open!)).map(row => `${row.signStatus}${row.examine}`)
    expect(keys).toEqual(['00', '10', '11', '12', '13', '20'])
    for (const id of [paying!, ticketed!])
      expect((await states(id)).map(row => `${row.signStatus}${row.examine}`)).toEqual(['11', '12'])
    const second = await rowsOf('SELECT 1 FROM signup WHERE "examId" = $1 AND examine = 1 AND "reviewStatus" <> 1', [
      paying,
    ])
    expect(second).toEqual([])
    for (const id of [open!, paying!, ticketed!]) {
      const { n, posts } = await one<{ n: number; posts: number }>(
        `SELECT count(*)::int AS n, (SELECT count(*)::int FROM examitems WHERE "examId" = $1) AS posts FROM signup WHERE "examId" = $1`,
        [id],
      )
      expect(n).toBeGreaterThan(count / 3)
      expect(posts).toBe(40)
    }
  })

  test('has totals that agree with what people owe and paid', async () => {
    const mains = await rowsOf(
      `SELECT m.*, e."examStatus" FROM payrecordmain m JOIN examination e ON e.id = m."examId"`,
    )
    expect(mains).toHaveLength(2)
    for (const main of mains as Record<string, number | string>[]) {
      const counted = await one(
        `SELECT count(*) FILTER (WHERE "payState" NOT IN (2, 5))::int AS "totalNum", count(*) FILTER (WHERE "payState" IN (${paidStates.join()}))::int AS "paidNum",
           count(*) FILTER (WHERE "payState" = 2)::int AS "exemptNum",
           coalesce(sum(amount) FILTER (WHERE "payState" IN (${paidStates.join()})), 0)::int AS "paidAmount"
         FROM payrecord WHERE "mainId" = $1`,
        [main.id],
      )
      expect(main).toMatchObject(counted)
      expect(main.paidNum).toBeGreaterThan(0)
      expect(main.exemptNum).toBeGreaterThan(0)
    }
    const wrong = await rowsOf(
      `SELECT 1 FROM payrecord r JOIN signup s ON s.id = r."signupId" WHERE s."payState" <> r."payState"
       UNION ALL SELECT 1 FROM payrecord WHERE "payState" = 1 AND ("payOrderId" IS NULL OR "payTime" > now())
       UNION ALL SELECT 1 FROM payrecord r JOIN payorder o ON o.id = r."payOrderId" WHERE o."bizId" <> r.id OR o.amount <> r.amount`,
    )
    expect(wrong).toEqual([])
  })

  test('gives everybody who may sit the test a released ticket that verifies', async () => {
    const [, , ticketed] = await exams()
    const tickets = await t.db.selectFrom('examinationticket').selectAll().execute()
    const { n } = await one<{ n: number }>(
      'SELECT count(*)::int AS n FROM signup WHERE "examId" = $1 AND examine = 1 AND "payState" IN (1, 2)',
      [ticketed!.id],
    )
    expect(tickets).toHaveLength(n)
    const { publicKey } = t.app.secrets.pair('ticket')
    for (const ticket of tickets) {
      expect(ticket).toMatchObject({ examId: ticketed!.id, ticketStatus: 1 })
      expect(verifyTicket(ticket.qrPayload, publicKey)?.ticketNo).toBe(ticket.ticketNo)
    }
  })

  test('has released results with ranks, and a history of every review', async () => {
    const [, , , marked] = await exams()
    const { all, ranked, next } = await one(
      `SELECT count(*)::int AS all, count("rankNo")::int AS ranked, count(*) FILTER (WHERE "isNext" = 1)::int AS next
       FROM result WHERE "examId" = $1 AND "resultStatus" = 1`,
      [marked!.id],
    )
    expect(all).toBeGreaterThan(100)
    expect(ranked).toBeLessThan(all!)
    expect(next).toBeGreaterThan(ranked! / 2)
    const unlike = await rowsOf(
      `SELECT 1 FROM signup s WHERE s.examine <> 0 AND s.examine IS DISTINCT FROM (
         SELECT l.result FROM examinelog l WHERE l."signupId" = s.id AND l.stage = 1)`,
    )
    expect(unlike).toEqual([])
  })

  test('has readers whose number the notices tell', async () => {
    const wrong = await rowsOf(
      `SELECT 1 FROM notice n WHERE coalesce(n."sureNum", 0) IS DISTINCT FROM (
         SELECT count(*) FROM notifyread r WHERE r."noticeId" = n.id AND r."sureState" = 2)::int`,
    )
    expect(wrong).toEqual([])
  })

  test('has answers that each exam’s own form accepts, and files it asks for', async () => {
    const entries = await rowsOf<{ code: string; dictKey: string; dictValue: string }>(
      `SELECT code, "dictKey", "dictValue" FROM dict WHERE "dictKey" <> '-1' UNION ALL SELECT code, "dictKey", "dictValue" FROM dict_biz WHERE "dictKey" <> '-1'`,
    )
    const dicts: Record<string, DictEntry[]> = {}
    for (const { code, dictKey, dictValue } of entries)
      dicts[code] = [...(dicts[code] ?? []), { key: dictKey, value: dictValue }]
    for (const exam of await exams()) {
      const items = await t.db.selectFrom('examsignitems').selectAll().where('examId', '=', exam.id).execute()
      expect(items.length).toBeGreaterThan(12)
      const known = new Set(items.map(item => item.itemCode))
      const signups = await t.db.selectFrom('signup').selectAll().where('examId', '=', exam.id).execute()
      for (const signup of signups) {
        const content = signup.content as Record<string, unknown>
        const problems = formCheck(
          items as unknown as SignItem[],
          { type: signup.type, dicts },
          compileForm,
        )(content, true)
        expect([signup.signNo, problems]).toEqual([signup.signNo, []])
        expect(Object.keys(content).filter(code => !known.has(code))).toEqual([])
      }
      const orphans = await rowsOf(
        `SELECT 1 FROM signup s, jsonb_array_elements(s.files) f, jsonb_array_elements(f -> 'list') one
         WHERE s."examId" = $1 AND NOT EXISTS (SELECT 1 FROM attach a WHERE a.id::text = one ->> 'attachId' AND a."ownerId" = s.id::text)`,
        [exam.id],
      )
      expect(orphans).toEqual([])
    }
  })

  test('has its units, subjects and sites as rows that the console translates', async () => {
    const missing = await rowsOf(
      `SELECT DISTINCT unit FROM examitems WHERE NOT EXISTS (
         SELECT 1 FROM dict_biz d WHERE d.code = 'recruit_unit' AND d."dictKey" = unit AND d."parentId" <> 0)
       UNION SELECT DISTINCT type FROM examitems WHERE NOT EXISTS (SELECT 1 FROM dict_biz d WHERE d.code = 'post_type' AND d."dictKey" = type)
       UNION SELECT DISTINCT "examSubject" FROM examitems WHERE NOT EXISTS (
         SELECT 1 FROM dict_biz d WHERE d.code = 'exam_subject' AND d."dictKey" = "examSubject")
       UNION SELECT DISTINCT "eduReq" FROM examitems WHERE NOT EXISTS (
         SELECT 1 FROM dict_biz d WHERE d.code = 'education' AND d."dictKey" = "eduReq")
       UNION SELECT DISTINCT area FROM signup WHERE NOT EXISTS (SELECT 1 FROM region r WHERE r.code = area)`,
    )
    expect(missing).toEqual([])
  })

  test('people are real enough: no ID number or telephone number twice, also among 12,000', () => {
    const all = people(12_000)
    expect(new Set(all.map(person => person.idCard)).size).toBe(12_000)
    expect(new Set(all.map(person => person.phone)).size).toBe(12_000)
    expect(all.every(person => /^1\d{10}$/.test(person.phone))).toBe(true)
    expect(people(1)[0]).toEqual(all[0])
  })

  test('its accounts log in', async () => {
    for (const account of ['kaowu', 'chushen', 'fushen', 'caiwu', 'kaosheng', 'admin', 'ks00001'])
      expect((await login(t, account)).body.access_token).toBeTruthy()
  })
})

test('whoever sees a row with a file can open the file', async () => {
  const closed: string[] = []
  let opened = 0
  for (const account of ['admin', ...demoStaff.map(([name]) => name)]) {
    const { headers } = await login(t, account)
    for (const { entity, path } of resources) {
      const files = Object.keys(entity.properties).filter(name => entity.properties[name]?.kind === 'file')
      if (files.length === 0) continue
      const page = await t.call<{ records?: Record<string, string>[] }>({ url: `/api${path}/page?size=20`, headers })
      const ids = page.data?.records?.flatMap(row =>
        files.flatMap(name => (row[name] ? [[name, row[name]] as const] : [])),
      )
      for (const [name, id] of new Map(ids?.map(one => [one[1], one] as const)).values()) {
        opened++
        const { status } = await t.call({ url: `/api/blade-resource/attach/detail?id=${id}`, headers })
        if (status !== 200) closed.push(`${account}: ${entity.name}.${name} ${status}`)
      }
    }
  }
  expect([...new Set(closed)]).toEqual([])
  expect(opened).toBeGreaterThan(20)
})

test('whoever tries it as a candidate begins an exam, owes a fee, has a ticket to confirm and take, and a score', async () => {
  const { headers } = await login(t, 'kaosheng')
  const get = <T>(path: string) => t.call<T>({ url: `/api${path}`, headers })
  const [open, paying, ticketed, marked, reduced] = await exams()
  type Listed = { records: { examId: string; mySign: unknown }[] }
  const { data: list } = await get<Listed>('/blade-signup/signup/examList')
  expect(list.records.find(exam => exam.examId === open!.id)).toMatchObject({ mySign: '' })
  const form = await get<{ canEdit: boolean; positions: unknown[] }>(
    `/blade-signup/signup/getExamInfoOrSignUpInfo?examId=${open!.id}`,
  )
  expect(form.data).toMatchObject({ canEdit: true, applicant: { complete: true } })
  expect(form.data.positions).toHaveLength(40)
  type Mine = { records: { examId: string; nextStep: string }[] }
  const { data: mine } = await get<Mine>('/blade-signup/signup/myExamList')
  expect(mine.records.map(row => [row.examId, row.nextStep]).toSorted()).toEqual(
    [
      [paying!.id, 'PAY'],
      [ticketed!.id, 'SURE'],
      [marked!.id, 'SCORE'],
      [reduced!.id, 'CHOOSE_POST'],
    ].toSorted(),
  )
  const dues = await rowsOf(
    `SELECT "examId", "payState" FROM payrecord WHERE "userId" = (SELECT id FROM "user" WHERE account = 'kaosheng') ORDER BY "examId"`,
  )
  expect(dues).toEqual([
    { examId: paying!.id, payState: 0 },
    { examId: ticketed!.id, payState: 1 },
  ])
  type Tickets = { records: { ticketId: string; stepCode: number }[] }
  const tickets = async () => (await get<Tickets>('/blade-exam/examination/getExamTicketList')).data.records
  expect(await tickets()).toMatchObject([{ stepCode: 25004 }])
  const { id } = await one<{ id: string }>('SELECT id FROM notice WHERE "needSure" = 1')
  await t.call({ method: 'POST', url: `/api/blade-exam/examination/sureNotify?id=${id}`, headers })
  const [ticket] = await tickets()
  expect(ticket).toMatchObject({ stepCode: 0 })
  const pdf = await t.app.inject({ url: `/api/blade-signup/signup/exportTicket?id=${ticket!.ticketId}`, headers })
  expect(pdf.rawPayload.subarray(0, 4).toString()).toBe('%PDF')
})

test('made again, it changes nothing', async () => {
  const before = await numbers()
  expect(await seedDemo(t.app, { candidates: 5 })).toBe(false)
  expect(await numbers()).toEqual(before)
})

test('two servers that begin together make one demonstration, and one candidate is enough', async () => {
  const candidates = 1
  const first = await testApp()
  const second = await testApp({ url: first.url })
  try {
    const made = await Promise.all([first, second].map(({ app }) => seedDemo(app, { candidates })))
    expect(made.toSorted()).toEqual([false, true])
    const { rows } = await first.pool.query(
      `SELECT (SELECT count(*) FROM examination)::int AS exams, (SELECT count(*) FROM "user" WHERE "userType" = 2)::int AS people`,
    )
    expect(rows[0]).toEqual({ exams: 7, people: candidates })
  } finally {
    await second.close()
    await first.close()
  }
})

test('a start cut short before the seats is made up for by the next', async () => {
  const cut = await testApp()
  try {
    const broken = Object.create(cut.app, {
      secrets: { value: { version: () => 1, pair: () => ({ privateKey: 'x' }) } },
    })
    await expect(seedDemo(broken, { candidates: 20 })).rejects.toThrow()
    expect(await seedDemo(cut.app, { candidates: 20 })).toBe(true)
    const { rows } = await cut.pool.query(
      `SELECT (SELECT count(*) FROM examination)::int AS exams, (SELECT count(*) > 0 FROM examinationticket WHERE "ticketStatus" = 1) AS tickets`,
    )
    expect(rows[0]).toEqual({ exams: 7, tickets: true })
  } finally {
    await cut.close()
  }
})

test('the proctor finds rooms to rehearse the check-in in', async () => {
  const { headers } = await login(t, 'jiankao')
  const get = <T>(path: string) => t.call<T>({ url: `/api/blade-exam/checkIn/${path}`, headers })
  const [stage] = (await get<{ itemId: string; people: number; rooms: number }[]>('stages')).data
  expect(stage?.rooms).toBeGreaterThan(1)
  const { data: rooms } = await get<{ roomId: string; people: number }[]>(`rooms?itemId=${stage!.itemId}`)
  expect(rooms.reduce((n, room) => n + room.people, 0)).toBe(stage!.people)
  const [room] = rooms
  expect((await get(`bundle?roomId=${room!.roomId}`)).code).toBe(25012)
  const { data } = await get<{ roster: unknown[] }>(`bundle?roomId=${room!.roomId}&rehearsal=true`)
  expect(data.roster).toHaveLength(room!.people)
})

test('the archive of its oldest exam opens from a folder, where all that it links to is, and verifies until a byte is another', async () => {
  const oldest = await t.db
    .selectFrom('examination')
    .select('id')
    .where('examStatus', '=', ExamStatus.archived)
    .executeTakeFirstOrThrow()
  const [admin, second] = [await signIn(t, { role: 'admin' }), await signIn(t, { role: 'admin' })]
  const hash = await hashPassword(password)
  await t.db.updateTable('user').set({ password: hash }).where('id', '=', admin.userId).execute()
  const asked = { id: oldest.id, sort: 'full', reason: '归档', password: encrypt(t, password) }
  const { waits } = (await asCaller(t, admin).post<{ waits: string }>('/blade-exam/examination/archiveWhole', asked))
    .data
  expect((await asCaller(t, second).post(`/blade-exam/examarchive/confirm?id=${waits}`, {})).code).toBe(200)
  await t.app.queue.workOff()
  const { name } = await t.db
    .selectFrom('exporttask')
    .innerJoin('attach', 'attach.id', 'exporttask.fileId')
    .select('attach.name')
    .where('bizType', '=', 'examArchive')
    .executeTakeFirstOrThrow()
  const files = unzip(await t.app.storage.get(name))
  const folder = await writtenFolder(files)
  try {
    // Its pages lead nowhere but to files of the folder; their data are scripts that name more of them.
    const pages = [...files]
      .filter(([file]) => file.endsWith('.html'))
      .map(([file, page]) => [file, `${page}`] as const)
    expect(pages.map(([file]) => file)).toContain('index.html')
    const isThere = (to: string) => existsSync(path.join(folder, decodeURIComponent(to)))
    const window: Record<string, unknown> = {}
    const linked: string[] = []
    for (const [file, page] of pages) {
      expect(page).not.toMatch(/https?:|\bfetch\(|@import|url\(|=\s*["']\/\//)
      for (const [, to = ''] of page.matchAll(/(?:href|src)="([^"]*)"/g)) linked.push(path.join(path.dirname(file), to))
    }
    for (const [file, script] of files) {
      if (!/^view\/data\/.*\.js$/.test(file)) continue
      runInNewContext(`${script}`, { window })
      const { files: own = [] } = (file.includes('/p-') ? window.archivePerson : {}) as { files?: string[] }
      linked.push(...own.map(encodeURI))
    }
    const people = window.archivePeople as [string][]
    const { lists, objections } = window.archiveLists as Record<string, { rows: { id: string; files: string[] }[] }>
    linked.push(...people.map(([no]) => `view/data/p-${encodeURIComponent(no)}.js`))
    linked.push(...(lists?.rows ?? []).map(({ id }) => `view/data/l-${id}.js`))
    linked.push(...[lists, objections].flatMap(all => (all?.rows ?? []).flatMap(one => one.files.map(encodeURI))))
    expect(people.length).toBeGreaterThan(5)
    expect(linked.filter(to => !isThere(to))).toEqual([])
    expect(linked.filter(to => /^(files|pdf)\//.test(to)).length).toBeGreaterThan(people.length)
    expect(await verifyFolder(folder)).toEqual({ code: 0, out: expect.stringContaining('OK') })
    const changed = [...files.keys()].find(file => file.startsWith('files/')) ?? ''
    const bytes = Buffer.from(files.get(changed) as Buffer)
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1)
    await writeFile(path.join(folder, changed), bytes)
    expect(await verifyFolder(folder)).toEqual({ code: 1, out: expect.stringContaining(`changed: ${changed}`) })
  } finally {
    await rm(folder, { recursive: true })
  }
})
