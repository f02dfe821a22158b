import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Payrecord } from '#schemas/payment/payrecord'
import { Payrefund } from '#schemas/payment/payrefund'
import { Examinelog } from '#schemas/sign-up/examinelog'
import { Signup } from '#schemas/sign-up/signup'
import { Signuplog } from '#schemas/sign-up/signuplog'
import { Examinationticket } from '#schemas/tickets/examinationticket'
import { shanghai, type TestApp, testApp } from '../../../../../tests/helper/app.ts'
import { makeDraft } from '../../../../../tests/helper/exam-bench.ts'
import { type Caller, signIn } from '../../../../../tests/helper/person.ts'
import { insert, sampleIdCard } from '../../../../../tests/helper/sample.ts'
import { storeFile } from '../../../../crud/stored-file.ts'
import { tellDue } from '../../../notifications/server/tell.ts'
import { chained, firstHash, verifyActs } from '../../../review/server/log-chain.ts'
import { tidyTraces } from '../traces.ts'
import { findDue } from './rules.ts'
import { purgeLimits } from './work.ts'

let t: TestApp
let first: Caller
let second: Caller
beforeAll(async () => {
  t = await testApp({ now: '2027-03-01 09:00:00' })
  first = await signIn(t, { role: 'admin' })
  second = await signIn(t, { role: 'admin' })
})
afterAll(() => t.close())

async function ask(who: Caller, url: string, body: object = {}) {
  const answer = await t.app.inject({
    method: 'POST',
    url: `/api/blade-exam/${url}`,
    headers: who.headers,
    payload: body,
  })
  return answer.json<{ code: number; msg: string; data: { id: string } }>()
}

const day = 86_400_000
const pass = (days: number) => t.setNow(new Date(t.app.now().getTime() + days * day))

async function fileOf(text: string): Promise<{ id: string; key: string }> {
  const { id } = await storeFile(
    t.app,
    t.db,
    {
      tenantId: '000000',
      userId: null,
      ownerType: 'signup',
      ownerId: null,
      name: `${text}.pdf`,
      contentType: 'application/pdf',
      bytes: Buffer.from(text),
    },
    t.app.now(),
  )
  const { name } = await t.db.selectFrom('attach').select('name').where('id', '=', id).executeTakeFirstOrThrow()
  return { id, key: name }
}

let made = 0

/** An exam that was archived more than two years ago, with so many people in it. */
async function archived(people: number, archiveTime = shanghai('2025-01-15 09:00:00')) {
  const { exam, stage } = await makeDraft(t, { exam: { examStatus: 3, archiveTime, publicityEnd: archiveTime } })
  const persons = []
  for (let i = 0; i < people; i++) {
    made++
    const who = await signIn(t, { role: 'candidate' })
    const [name, idCard] = [`欧阳甲${String.fromCodePoint(0x4e00 + made)}`, sampleIdCard(700_000 + made)]
    const [photo, paper] = [await fileOf(`photo ${name}`), await fileOf(`paper ${name}`)]
    const more = {
      name,
      idCard,
      photo: photo.id,
      content: { address: `${name}的住址`, several: ['1', '2'] },
      files: [{ fileCode: 'degree', list: [{ attachId: paper.id, name: 'a.pdf', size: 5, ext: 'pdf' }] }],
    }
    const signup = await insert(t.app, Signup, { examId: exam.id, userId: who.userId, signStatus: 1, ...more } as never)
    await insert(t.app, Signuplog, {
      signupId: signup.id,
      diff: [{ target: 'item', code: 'name', from: '', to: name }],
    } as never)
    await insert(t.app, Examinationticket, {
      examId: exam.id,
      itemId: stage.id,
      signupId: signup.id,
      userId: who.userId,
      name,
      idCard,
      photo: photo.id,
    } as never)
    await insert(t.app, Payrecord, {
      examId: exam.id,
      itemId: stage.id,
      signupId: signup.id,
      userId: who.userId,
      name,
      idCard,
      payState: 1,
    } as never)
    const act = {
      signupId: signup.id,
      stage: 1,
      result: 1,
      remark: '合格',
      userId: first.userId,
      time: t.app.now(),
    } as const
    const parts = {
      advisementList: [],
      snapshot: { code: 'A01', content: more.content, files: more.files, photo: photo.id, version: 0 },
      diff: null,
    }
    await insert(t.app, Examinelog, { ...act, ...parts, ...chained(firstHash, { ...act, ...parts }) } as never)
    const request = { person: null, ip: '127.0.0.1', headers: {} } as never
    const entry = { event: 'void', outcome: 1, targetType: 'signup', targetId: signup.id } as const
    await t.app.audit.note(request, { ...entry, tenantId: '000000', detail: { params: { reason: `${name}弄虚作假` } } })
    persons.push({ ...who, name, idCard, photo, paper, signupId: signup.id })
  }
  return { exam, stage, persons }
}

/** Every table in which a text is found, as the database holds it. */
async function tablesWith(text: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'`.execute(t.db)
  const found: string[] = []
  for (const { name } of rows) {
    const hit = await sql`SELECT 1 FROM ${sql.table(name)} x WHERE strpos(x::text, ${text}) > 0 LIMIT 1`.execute(t.db)
    if (hit.rows.length > 0) found.push(name)
  }
  return found.map(name => name.replace(/_\d{6}$/, '')).sort()
}

const linesOf = async (purgeId: string) =>
  t.db.selectFrom('datapurgeline').selectAll().where('purgeId', '=', purgeId).orderBy('sort').execute()
const statusOf = async (id: string) =>
  await t.db.selectFrom('datapurge').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

async function planned(examId: string): Promise<string> {
  const added = await ask(first, 'datapurge/submit', { examId })
  expect(added).toMatchObject({ code: 200 })
  const { id } = await t.db
    .selectFrom('datapurge')
    .select('id')
    .where('examId', '=', examId)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  expect(await ask(first, `datapurge/plan?id=${id}`)).toMatchObject({ code: 200 })
  // Said again it is the same.
  expect(await ask(first, `datapurge/plan?id=${id}`)).toMatchObject({ code: 200 })
  expect(await ask(second, `datapurge/plan?id=${id}`)).toMatchObject({ code: 29009 })
  return id
}

/** Thirty days later; sessions would not last as long. */
const timeHasCome = (id: string) =>
  t.db.updateTable('datapurge').set({ dueDate: '2027-03-01' }).where('id', '=', id).execute()

describe('an erasure of an exam', () => {
  test('does what was counted, goes on after a kill, leaves figures and chains as they were, and nothing to be found', async () => {
    const { exam, persons } = await archived(5)
    const [anna] = persons as [(typeof persons)[number]]
    const hash = t.app.vault.hash('idCard', anna.idCard)
    const holdsName = await tablesWith(anna.name)
    expect(holdsName).toEqual(
      ['attach', 'auditlog', 'examinationticket', 'examinelog', 'payrecord', 'signup', 'signuplog'].sort(),
    )
    const purgeId = await planned(exam.id)
    await tellDue(t.app)
    const told = await t.db.selectFrom('message').select('userId').where('code', '=', 'datapurge.planned').execute()
    expect(told.map(one => one.userId).sort()).toEqual(persons.map(one => one.userId).sort())
    // Not before the thirty days are over, not by the same person, not without the number of the exam.
    const confirm = (who: Caller, examCode: string) => ask(who, `datapurge/confirm?id=${purgeId}`, { examCode })
    expect((await confirm(second, exam.examCode)).code).toBe(30008)
    await timeHasCome(purgeId)
    expect((await confirm(first, exam.examCode)).code).not.toBe(200)
    expect((await confirm(second, 'other')).code).toBe(29005)
    expect((await statusOf(purgeId)).purgeStatus).toBe(1)
    const dry = (await linesOf(purgeId)).map(line => [line.part, line.deed, line.rowNum])
    expect(dry).toEqual(
      expect.arrayContaining([
        ['signup', 'blank', 5],
        ['signuplog', 'erase', 5],
        ['examinationticket', 'blank', 5],
        ['examinelog', 'blank', 5],
        ['auditlog', 'blank', 5],
        ['attach', 'erase', 10],
        ['payrecord', 'stay', 5],
        ['examinelog', 'stay', 5],
      ]),
    )
    expect(await confirm(second, exam.examCode)).toMatchObject({ code: 200 })
    expect(await confirm(second, exam.examCode)).toMatchObject({ code: 200 })

    // Two rows at once, and the process is gone in the middle of the third transaction.
    purgeLimits.rows = 2
    const { erase } = t.app.audit
    let calls = 0
    t.app.audit.erase = (trx, why, erased) => {
      calls++
      return calls === 3 ? Promise.reject(new Error('the process is gone')) : erase(trx, why, erased)
    }
    await t.app.queue.workOff()
    expect(calls).toBe(3)
    t.app.audit.erase = erase
    const half = await linesOf(purgeId)
    expect(half.reduce((sum, line) => sum + line.doneNum, 0)).toBe(4)
    expect((await statusOf(purgeId)).purgeStatus).toBe(2)
    t.setNow(new Date(t.app.now().getTime() + 60_000))
    await t.app.queue.workOff()
    purgeLimits.rows = 500

    const purge = await statusOf(purgeId)
    expect(purge).toMatchObject({ purgeStatus: 3, doneFileNum: 10, fileNum: 10, doneNum: purge.rowNum })
    for (const line of await linesOf(purgeId))
      if (line.deed !== 'stay') expect([line.part, line.doneNum, line.leftNum]).toEqual([line.part, line.rowNum, 0])

    // By name, number, file, address and log: only what the law keeps, which the record names.
    for (const person of persons) {
      expect(await tablesWith(person.name)).toEqual(['payrecord'])
      for (const { id, key } of [person.photo, person.paper]) {
        await expect(t.app.storage.get(key)).rejects.toMatchObject({ code: 'ENOENT' })
        const address = `/api/blade-resource/attach/download?id=${id}`
        const link = await t.app.inject({ url: address, headers: first.headers })
        expect(link.statusCode).not.toBe(200)
        expect(await t.db.selectFrom('attach').select('id').where('id', '=', id).execute()).toEqual([])
      }
    }
    expect((await tablesWith(hash)).filter(name => name !== 'payrecord')).toEqual([])
    const signup = await t.db.selectFrom('signup').selectAll().where('id', '=', anna.signupId).executeTakeFirstOrThrow()
    expect(signup).toMatchObject({ name: '已清除', idCardHash: null, photo: null, content: {}, files: [] })

    // Chains, figures, and the record.
    expect(await t.app.audit.verify('000000')).toMatchObject({ broken: null })
    expect(
      await verifyActs(
        t.db,
        '000000',
        persons.map(one => one.signupId),
      ),
    ).toEqual({ count: 5, broken: null })
    const bytes = async (id: string | null) => {
      const { name } = await t.db
        .selectFrom('attach')
        .select('name')
        .where('id', '=', id as string)
        .executeTakeFirstOrThrow()
      return t.app.storage.get(name)
    }
    const json = await bytes(purge.jsonFile)
    expect(createHash('sha256').update(json).digest('hex')).toBe(purge.jsonHash)
    const record = JSON.parse(json.toString())
    expect(record.unchanged.every((one: { same: boolean }) => one.same)).toBe(true)
    expect(record.unchanged).toHaveLength(5)
    expect(record.ids).toEqual({ count: purge.rowNum + 10, sha256: purge.idsHash })
    expect(record.chains).toMatchObject({ auditlog: { broken: null }, examinelog: { broken: null, count: 5 } })
    expect((await bytes(purge.pdfFile)).subarray(0, 5).toString()).toBe('%PDF-')
    const noted = await t.db
      .selectFrom('auditlog')
      .select('detail')
      .where('event', '=', 'purge')
      .orderBy('seq', 'desc')
      .executeTakeFirstOrThrow()
    expect(noted.detail).toMatchObject({ protocol: purge.jsonHash })
    const download = await t.app.inject({
      url: `/api/blade-resource/attach/download?id=${purge.jsonFile}`,
      headers: second.headers,
    })
    expect(download.statusCode).toBe(200)

    // Once more: nothing is due any longer.
    expect((await ask(first, 'datapurge/submit', { examId: exam.id })).code).toBe(30007)
    expect(await findDue(t.app)).toBe(0)
  })

  test('is refused while something is open or on hold, and leaves what is not due', async () => {
    const { exam, persons } = await archived(1)
    const purgeId = await planned(exam.id)
    await timeHasCome(purgeId)
    const confirm = () => ask(second, `datapurge/confirm?id=${purgeId}`, { examCode: exam.examCode })
    const record = await t.db
      .selectFrom('payrecord')
      .select('id')
      .where('examId', '=', exam.id)
      .executeTakeFirstOrThrow()
    const refund = await insert(t.app, Payrefund, { payRecordId: record.id, refundStatus: 0 } as never)
    expect(await confirm()).toMatchObject({ code: 30006, msg: expect.stringContaining('退款') })
    await t.db.deleteFrom('payrefund').where('id', '=', refund.id).execute()
    expect(await ask(first, 'datahold/submit', { examId: exam.id, reason: '（2027）京01民初5号' })).toMatchObject({
      code: 200,
    })
    expect(await confirm()).toMatchObject({ code: 30006, msg: expect.stringContaining('京01民初5号') })
    const hold = await t.db.selectFrom('datahold').select('id').where('examId', '=', exam.id).executeTakeFirstOrThrow()
    expect(await ask(first, `datahold/release?id=${hold.id}`, { reason: '已结案' })).toMatchObject({ code: 200 })
    expect(await confirm()).toMatchObject({ code: 200 })
    await t.app.queue.workOff()
    expect((await statusOf(purgeId)).purgeStatus).toBe(3)
    expect(await tablesWith((persons[0] as { name: string }).name)).toEqual(['payrecord'])

    const { exam: young } = await archived(1, shanghai('2026-12-01 09:00:00'))
    expect((await ask(first, 'datapurge/submit', { examId: young.id })).code).toBe(30007)
  })

  test('takes what the law keeps as well, once the time of the law is over; the rows stay', async () => {
    const { exam, stage, persons } = await archived(2, shanghai('1997-01-15 09:00:00'))
    const [anna] = persons as [(typeof persons)[number]]
    const purgeId = await planned(exam.id)
    await timeHasCome(purgeId)
    const money = async () =>
      (
        await t.pool.query('SELECT amount, "payState", "itemId" FROM payrecord WHERE "examId" = $1 ORDER BY id', [
          exam.id,
        ])
      ).rows
    const before = await money()
    expect(await ask(second, `datapurge/confirm?id=${purgeId}`, { examCode: exam.examCode })).toMatchObject({
      code: 200,
    })
    const dry = await linesOf(purgeId)
    expect(dry.map(line => [line.part, line.deed, line.rowNum])).toContainEqual(['payrecord', 'blank', 2])
    expect(dry.filter(line => line.deed === 'stay')).toEqual([])
    await t.app.queue.workOff()
    expect((await statusOf(purgeId)).purgeStatus).toBe(3)
    for (const line of await linesOf(purgeId))
      expect([line.part, line.doneNum, line.leftNum]).toEqual([line.part, line.rowNum, 0])
    expect(await tablesWith(anna.name)).toEqual([])
    expect(await tablesWith(t.app.vault.hash('idCard', anna.idCard))).toEqual([])
    expect(await money()).toEqual(before)
    expect(before).toMatchObject([{ itemId: stage.id }, { itemId: stage.id }])
    expect((await ask(first, 'datapurge/submit', { examId: exam.id })).code).toBe(30007)
  })

  test('is found each month by itself', async () => {
    const { exam } = await archived(1)
    expect(await findDue(t.app)).toBeGreaterThan(0)
    const found = await t.db.selectFrom('datapurge').selectAll().where('examId', '=', exam.id).execute()
    expect(found).toMatchObject([{ purgeStatus: 0 }])
    expect(found[0]?.rowNum).toBeGreaterThan(0)
    expect(await findDue(t.app)).toBe(0)
  })
})

test('messages and events go when their time is over', async () => {
  const rows = async () => (await t.db.selectFrom('event').select('id').execute()).length
  expect(await rows()).toBeGreaterThan(0)
  await tidyTraces(t.app)
  expect(await rows()).toBeGreaterThan(0)
  pass(1000)
  await t.db
    .updateTable('event')
    .set({ toldTime: shanghai('2027-03-01 09:00:00') })
    .execute()
  await tidyTraces(t.app)
  expect(await rows()).toBe(0)
})
