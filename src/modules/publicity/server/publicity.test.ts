import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  LedgerType,
  ObjectionOutcome,
  ObjectionStatus,
  PublicityKind,
  PublicityStatus,
  ReleaseStatus,
  WorkdayKind,
} from '#schemas/dictionaries'
import { Objection } from '#schemas/publicity/objection'
import { Publicity } from '#schemas/publicity/publicity'
import { Workday } from '#schemas/publicity/workday'
import { Result } from '#schemas/results/result'
import { Resultlog } from '#schemas/results/resultlog'
import { shanghai, type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { appoint, asCaller } from '../../../../tests/helper/exam-bench.ts'
import { pdfText } from '../../../../tests/helper/pdf-text.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { makeWritten, ticketOf } from '../../../../tests/helper/result-bench.ts'
import { insert, sampleIdCard, samplePhone } from '../../../../tests/helper/sample.ts'
import { passed } from '../../../../tests/helper/seat-bench.ts'
import { give, makeTemplate } from '../../../../tests/helper/send-bench.ts'
import { unzip } from '../../../../tests/helper/unzip.ts'
import { inbox } from '../../../platform/channels/sms/sandbox/outbox.ts'
import { wireDay } from '../../../platform/http/server/wire.ts'
import { readRows } from '../../../platform/workbook/workbook-read.ts'
import { tellDue } from '../../notifications/server/tell.ts'
import { draftDueLists } from './due-drafts.ts'
import { followTimes } from './release.ts'

const base = '/blade-publicity/publicity'
const now = '2027-02-01 09:00:00'

let t: TestApp
let first: Caller
let second: Caller
beforeAll(async () => {
  t = await testApp({ now, config: { captchaMode: false } })
  await insert(t.app, Workday, { day: '2027-01-01', workdayKind: WorkdayKind.holiday })
})
afterAll(() => t.close())
// Whoever was there on another day has to sign in again.
beforeEach(async () => {
  t.setNow(now)
  first = await signIn(t, { role: 'admin' })
  second = await signIn(t, { role: 'admin' })
})

/** Three names that are masked each in its own way, one of them with a character outside the basic plane. */
const names = ['张三', '欧阳晓娜', '\u{20BB7}·艾力'] as const
let serial = 100

/** An exam whose written test is out: three people, the first the best. */
async function released() {
  const made = await makeWritten(t, { stage: { resultRelease: ReleaseStatus.released }, post: { curPlanNum: 2 } })
  const people = []
  for (const [i, name] of names.entries()) {
    const n = ++serial
    const idCard = sampleIdCard(n * 7919)
    const signup = await passed(t, made.examId, { name, idCard, phone: samplePhone(n * 1237) } as never)
    const ticket = await ticketOf(t, made.itemId, signup)
    await insert(t.app, Result, {
      examId: made.examId,
      itemId: made.itemId,
      signupId: signup.id,
      ticketNo: ticket.ticketNo,
      name,
      code: 'A01',
      score: String(90 - i),
      rankNo: i + 1,
      totalScore: String(90 - i),
      isPass: 1,
      isNext: i < 2 ? 1 : 0,
      resultFlag: 1,
      resultStatus: ReleaseStatus.released,
    })
    people.push({ signup, ticket, idCard, phone: samplePhone(n * 1237) })
  }
  return { ...made, people }
}

interface Answer {
  code: number
  msg: string
  data: { field?: string }[]
}

const contacts = { title: '拟聘用人员公示', basis: '招聘公告', contactPhone: '0591-87654321' }
const submit = (values: object, who = first) => asCaller(t, who).post<Answer['data']>(`${base}/submit`, values)
const act = (name: string, id: string, who = first, more: object = {}) =>
  asCaller(t, who).post(`${base}/${name}`, { id, ...more })
const listOf = async (examId: string) => {
  const { rows } = await t.pool.query(
    'SELECT * FROM publicity WHERE "examId" = $1 AND "isDeleted" = 0 ORDER BY id DESC LIMIT 1',
    [examId],
  )
  return rows[0]
}
const rowsOf = async (id: string) =>
  (await t.pool.query('SELECT * FROM publicityrow WHERE "publicityId" = $1 AND "isDeleted" = 0 ORDER BY "rowNo"', [id]))
    .rows

/** A draft as staff make it. */
async function draft(examId: string, values: object = {}) {
  const answer = await submit({ examId, publicityKind: PublicityKind.qualification, ...contacts, ...values })
  expect(answer).toMatchObject({ code: 200 })
  return listOf(examId)
}

/** A list that two people have let out. */
async function confirmed(examId: string, values: object = {}) {
  const { id } = await draft(examId, values)
  expect(await act('send', id)).toMatchObject({ code: 200 })
  expect(await act('confirm', id, second)).toMatchObject({ code: 200 })
  return listOf(examId)
}

const page = (url: string) => t.app.inject({ url })
const text = async (url: string) => (await page(url)).payload

describe('a list', () => {
  test('has the lines and columns of its kind, and nothing more of anybody', async () => {
    const { examId, itemId, people } = await released()
    const kinds: [number, object, string[], (string | null)[]][] = [
      [
        PublicityKind.qualification,
        {},
        ['signNo', 'name', 'unit', 'postName', 'code'],
        ['张*', '欧阳*娜', '\u{20BB7}·*'],
      ],
      [PublicityKind.scores, { itemId }, ['ticketNo', 'postName', 'code', 'score', 'rankNo'], [null, null, null]],
      [
        PublicityKind.shortlist,
        { itemId },
        ['ticketNo', 'name', 'postName', 'code', 'score', 'rankNo'],
        ['张*', '欧阳*娜'],
      ],
      [PublicityKind.hiring, {}, [], ['张三', '欧阳晓娜']],
    ]
    for (const [publicityKind, more, columns, shown] of kinds) {
      const { id, columns: chosen } = await draft(examId, { publicityKind, ...more })
      const rows = await rowsOf(id)
      expect([publicityKind, rows.map(row => row.name)]).toEqual([publicityKind, shown])
      if (columns.length > 0) expect(chosen.split(',').toSorted()).toEqual(columns.toSorted())
      const kept = JSON.stringify(rows)
      for (const { idCard, phone } of people) expect(kept.includes(idCard) || kept.includes(phone)).toBe(false)
    }
  })

  test('cannot be given columns that its kind may not show, and needs its stage', async () => {
    const { examId } = await released()
    const given = { examId, ...contacts, publicityKind: PublicityKind.scores }
    expect(await submit(given)).toMatchObject({ code: 29005, msg: expect.stringContaining('考试项目') })
    const other = { ...given, publicityKind: PublicityKind.qualification, columns: 'signNo,birthMonth' }
    expect(await submit(other)).toMatchObject({ msg: expect.stringContaining('公示栏目') })
  })

  test('is refused with its line and cell while one holds four digits of a number in a row', async () => {
    const { examId, people } = await released()
    const { id } = await draft(examId)
    const [row] = await rowsOf(id)
    const edit = (remark: string) =>
      asCaller(t, first).post('/blade-publicity/publicityrow/submit', { id: row.id, remark })
    expect(await edit(`尾号${people[0]!.phone.slice(-4)}`)).toMatchObject({ code: 200 })
    expect(await act('send', id)).toMatchObject({ code: 29005, msg: expect.stringMatching(/第1行的说明含有/) })
    expect(await edit('优先')).toMatchObject({ code: 200 })
    expect(await act('send', id)).toMatchObject({ code: 200 })
  })

  test('keeps what was left out and noted when it is made anew, and is frozen once it is handed on', async () => {
    const { examId } = await released()
    const { id } = await draft(examId)
    const [one, two] = await rowsOf(id)
    const row = '/blade-publicity/publicityrow'
    expect(await asCaller(t, first).post(`${row}/omit`, { id: two.id, reason: '放弃' })).toMatchObject({ code: 200 })
    expect(await act('rebuild', id)).toMatchObject({ code: 200 })
    expect((await rowsOf(id)).map(line => line.isShown)).toEqual([1, 0, 1])
    expect(await act('send', id)).toMatchObject({ code: 200 })
    const [again] = await rowsOf(id)
    expect(again.id).not.toBe(one.id)
    for (const [call, body] of [
      ['submit', { id: again.id, remark: 'x' }],
      ['omit', { id: again.id, reason: 'x' }],
    ] as const)
      expect(await asCaller(t, first).post(`${row}/${call}`, body)).toMatchObject({ code: 29009 })
    expect(await submit({ id, version: (await listOf(examId)).version, title: 'x' })).toMatchObject({ code: 29009 })
    expect(await act('rebuild', id)).toMatchObject({ code: 29009 })
  })

  test('is confirmed by another person, as long as it is what the data say', async () => {
    const { examId, people } = await released()
    const { id } = await draft(examId)
    expect(await act('confirm', id, second)).toMatchObject({ code: 29009 })
    expect(await act('send', id)).toMatchObject({ code: 200 })
    expect((await act('confirm', id, first)).code).not.toBe(200)
    await t.pool.query('UPDATE signup SET "signStatus" = 9 WHERE id = $1', [people[2]!.signup.id])
    expect(await act('confirm', id, second)).toMatchObject({
      code: 29005,
      msg: expect.stringContaining('重新生成名单'),
    })
    expect(await act('back', id, second, { reason: '人数变化' })).toMatchObject({ code: 200 })
    expect(await act('rebuild', id)).toMatchObject({ code: 200 })
    expect(await act('send', id)).toMatchObject({ code: 200 })
    expect(await act('confirm', id, second)).toMatchObject({ code: 200 })
    expect(await listOf(examId)).toMatchObject({
      publicityStatus: PublicityStatus.released,
      rowNum: 2,
      startTime: shanghai(now),
      endTime: shanghai('2027-02-04 17:00:00'),
      openTime: shanghai(now),
    })
  })

  test('of those to be hired is public for seven days at least, for fewer work days with a reason, in years that are known', async () => {
    const { examId } = await released()
    const times = { publicityKind: PublicityKind.hiring, startTime: '2027-03-01 09:00:00' }
    const given = { examId, ...contacts, ...times }
    expect(await submit({ ...given, endTime: '2027-03-08 08:59:59' })).toMatchObject({ code: 21006 })
    const short = await submit({ ...given, endTime: '2027-03-09 17:00:00' })
    expect(short).toMatchObject({ code: 29005, msg: expect.stringContaining('6个工作日') })
    expect(short.data).toMatchObject([{ field: 'shortReason' }])
    const reasoned = { ...given, endTime: '2027-03-09 17:00:00', shortReason: '急需用人' }
    expect(await submit(reasoned)).toMatchObject({ code: 200 })
    const later = { ...given, startTime: '2028-03-01 09:00:00' }
    expect(await submit(later)).toMatchObject({ code: 21006, msg: expect.stringContaining('2028年') })
    expect(await submit(given)).toMatchObject({ code: 200 })
    expect(await listOf(examId)).toMatchObject({ endTime: shanghai('2027-03-10 17:00:00') })
  })
})

test('what is handed on or confirmed again by the same person stays as it is', async () => {
  const { examId } = await released()
  const { id } = await draft(examId)
  expect(await act('rebuild', id)).toMatchObject({ code: 200 })
  const line = (await rowsOf(id))[0]
  const rowAct = (name: string) =>
    asCaller(t, first).post(`/blade-publicity/publicityrow/${name}`, {
      id: line.id,
      ids: line.id,
      reason: '本人放弃',
    })
  for (const name of ['omit', 'omit', 'restore', 'restore'])
    expect([name, (await rowAct(name)).code]).toEqual([name, 200])
  for (const [name, who] of [
    ['send', first],
    ['confirm', second],
  ] as const) {
    expect(await act(name, id, who)).toMatchObject({ code: 200 })
    const stored = await listOf(examId)
    expect(await act(name, id, who)).toMatchObject({ code: 200 })
    expect(await listOf(examId)).toEqual(stored)
  }
})

describe('the public page', () => {
  test('opens at its time, finds a number, counts by the clock of the server, and forgets its lines', async () => {
    const { examId, people } = await released()
    const list = await confirmed(examId, { startTime: '2027-02-02 09:00:00' })
    const url = `/public/publicity/${list.id}`
    expect((await page(url)).statusCode).toBe(404)
    t.setNow('2027-02-02 09:00:00')
    await followTimes(t.app)
    expect(await listOf(examId)).toMatchObject({ openTime: shanghai('2027-02-02 09:00:00'), closeTime: null })
    const shown = await page(url)
    expect(shown.headers).toMatchObject({
      'cache-control': 'public, max-age=60',
      'x-robots-tag': 'noindex',
      'content-type': 'text/html; charset=utf-8',
    })
    expect(shown.payload).not.toContain('<script')
    expect(shown.payload).toContain('3天8小时')
    for (const word of ['张*', '欧阳*娜', '\u{20BB7}·*', '招聘公告', '0591-87654321', '提出异议'])
      expect(shown.payload).toContain(word)
    expect(shown.payload).not.toContain('张三')
    expect(await text(`${url}?no=${people[1]!.signup.signNo}`)).toMatch(/class="found"[\s\S]*欧阳\*娜/)
    expect(await text(`${url}?no=none`)).toContain('名单中没有这个编号')
    expect(await text('/public/publicity')).toContain(`/public/publicity/${list.id}"`)
    expect(await text(`${url}?lang=en`)).toContain('Public notice')
    t.setNow('2027-02-05 17:00:00')
    await followTimes(t.app)
    expect((await listOf(examId)).closeTime).toEqual(shanghai('2027-02-05 17:00:00'))
    expect(await text(url)).toContain('公示期已结束')
    t.setNow('2027-03-07 17:00:00')
    const gone = await text(url)
    expect(gone).toContain('名单不再公开')
    expect(gone).not.toContain('张*')
    expect((await rowsOf(list.id)).length).toBe(3)
  })

  test('gives files with the digests it names, which hold no digit of a number and every rare character', async () => {
    const { examId, people } = await released()
    const list = await confirmed(examId)
    await t.app.queue.workOff()
    const stored = await listOf(examId)
    const url = `/public/publicity/${list.id}`
    const shown = await text(url)
    const [pdf, xlsx] = [await page(`${url}/pdf`), await page(`${url}/xlsx`)]
    const { createHash } = await import('node:crypto')
    for (const [file, hash] of [
      [pdf, stored.pdfHash],
      [xlsx, stored.xlsxHash],
    ] as const) {
      expect(createHash('sha256').update(file.rawPayload).digest('hex')).toBe(hash)
      expect(shown).toContain(hash)
    }
    const read = await pdfText(pdf.rawPayload)
    const printed = read + pdf.rawPayload.toString('latin1')
    const cells: string[] = []
    for await (const row of readRows(xlsx.rawPayload, { heads: 1, columns: 20 }))
      cells.push(...row.cells.map(cell => cell.text))
    expect(cells).toEqual(expect.arrayContaining(['张*', '欧阳*娜', '\u{20BB7}·*']))
    expect(printed).toContain('\u{20BB7}')
    const facts = pdf.rawPayload
      .toString('latin1')
      .match(/\/(?:Title|Author|Subject|Keywords|Creator)\s*(?:\([^)]*\)|<[^>]*>)/g)
    const properties = [...unzip(xlsx.rawPayload)].flatMap(([name, bytes]) =>
      name.startsWith('docProps/') ? bytes.toString() : [],
    )
    for (const { idCard, phone } of people)
      for (const number of [idCard, phone])
        for (const whole of [shown, cells.join(' '), read, `${facts}`, `${properties}`])
          expect(whole).not.toContain(number.slice(-6))
    expect(printed).toMatch(/第\s*1\s*页/)
  })

  test('says at once that a list was taken back, and that one takes its place', async () => {
    const { examId } = await released()
    const old = await confirmed(examId)
    const { data } = await asCaller(t, first).get<{ replaces: string }>(`${base}/detail?id=${old.id}`)
    expect(data.replaces).toBe('')
    const correction = {
      publicityKind: PublicityKind.correction,
      replaces: old.id,
      changeReason: '一人递补',
      title: '更正公示',
      startTime: '2027-02-03 09:00:00',
    }
    const fresh = await confirmed(examId, correction)
    expect(await rowsOf(fresh.id)).toHaveLength(3)
    expect(await text(`/public/publicity/${old.id}`)).toContain('本公示将被更正')
    t.setNow('2027-02-03 09:00:00')
    const corrected = await text(`/public/publicity/${old.id}`)
    expect(corrected).toContain('本公示已更正')
    expect(corrected).not.toContain('张*')
    await followTimes(t.app)
    const said = await t.db.selectFrom('event').select(['code', 'subjectId']).where('examId', '=', examId).execute()
    expect(said.map(one => [one.code, one.subjectId])).toEqual([
      ['publicity.started', old.id],
      ['publicity.started', fresh.id],
      ['publicity.changed', old.id],
    ])
    const later = await signIn(t, { role: 'admin' })
    expect(await act('withdraw', fresh.id, later, { reason: '名单有误' })).toMatchObject({ code: 200 })
    const withdrawn = await text(`/public/publicity/${fresh.id}`)
    expect(withdrawn).toContain('本公示已撤回')
    expect(withdrawn).toContain('名单有误')
    expect(withdrawn).not.toContain('张*')
    expect((await page(`/public/publicity/${fresh.id}/pdf`)).statusCode).toBe(404)
  })
})

describe('a result that was put right', () => {
  const scoresOf = (itemId: string) => ({ itemId, publicityKind: PublicityKind.scores, title: '笔试成绩公示' })
  const waiting = async (who: Caller): Promise<number> => {
    const { data } = await asCaller(t, who).get<{ todo: { title: string; num: number }[] }>('/blade-desk/home/staff')
    return data.todo.find(one => one.title === '待核对的公示草稿')?.num ?? 0
  }
  const listsOf = async (examId: string) =>
    (
      await t.pool.query<{ id: string; publicityKind: number; publicityStatus: number; replaces: string | null }>(
        'SELECT * FROM publicity WHERE "examId" = $1 AND "isDeleted" = 0 ORDER BY id',
        [examId],
      )
    ).rows

  /** The results are recalled, one is changed, and another person lets them out again. */
  async function putRight(itemId: string, signupId: string, values: object) {
    const [one, other] = [asCaller(t, first), asCaller(t, second)]
    expect(await one.post('/blade-exam/examination/recallResult', { itemId, reason: '统分有误' })).toMatchObject({
      code: 200,
    })
    const { rows } = await t.pool.query('SELECT id, version FROM result WHERE "itemId" = $1 AND "signupId" = $2', [
      itemId,
      signupId,
    ])
    expect(await one.post('/blade-result/result/submit', { ...rows[0], ...values })).toMatchObject({ code: 200 })
    expect(await other.post('/blade-exam/examination/releaseResult', { itemId })).toMatchObject({ code: 200 })
    await tellDue(t.app)
  }

  test('makes the correction of each list that says otherwise a draft, which waits for staff and goes out by nobody but them', async () => {
    const { examId, itemId, people } = await released()
    const scores = await confirmed(examId, scoresOf(itemId))
    // It names nobody's score.
    await confirmed(examId)
    const before = await waiting(first)
    await putRight(itemId, people[2]!.signup.id, { score: '85' })
    const [, , drafted, ...others] = await listsOf(examId)
    expect(others).toEqual([])
    expect(drafted).toMatchObject({
      publicityKind: PublicityKind.correction,
      publicityStatus: PublicityStatus.draft,
      replaces: scores.id,
      itemId,
      changeReason: expect.stringContaining('成绩有更正'),
      contactPhone: contacts.contactPhone,
      startTime: null,
    })
    expect((await rowsOf(drafted!.id)).map(row => row.score)).toContain('85')
    expect(await text(`/public/publicity/${scores.id}`)).not.toContain('本公示将被更正')
    expect((await page(`/public/publicity/${drafted!.id}`)).statusCode).toBe(404)
    expect(await waiting(first)).toBe(before + 1)
    // Put right once more, it is the same draft, with the lines of now.
    await putRight(itemId, people[2]!.signup.id, { score: '86' })
    expect(await listsOf(examId)).toHaveLength(3)
    expect((await rowsOf(drafted!.id)).map(row => row.score)).toContain('86')
    expect(await act('send', drafted!.id)).toMatchObject({ code: 200 })
    expect(await act('confirm', drafted!.id, second)).toMatchObject({ code: 200 })
    expect(await waiting(first)).toBe(before)
    // From now on it is the correction that is corrected.
    await putRight(itemId, people[1]!.signup.id, { score: '88' })
    const later = (await listsOf(examId)).slice(3)
    expect(later).toEqual([expect.objectContaining({ replaces: drafted!.id, publicityStatus: PublicityStatus.draft })])
  })

  test('drafts nothing where no list is out that says otherwise', async () => {
    const { examId, itemId, people } = await released()
    const list = await draft(examId, scoresOf(itemId))
    await putRight(itemId, people[2]!.signup.id, { score: '85' })
    expect((await listsOf(examId)).map(one => one.id)).toEqual([list.id])
    const { examId: other, itemId: stage, people: some } = await released()
    const shown = await confirmed(other, scoresOf(stage))
    await putRight(stage, some[2]!.signup.id, { remark: '已复核' })
    expect((await listsOf(other)).map(one => one.id)).toEqual([shown.id])
  })
})

describe('what has come out', () => {
  const drafts = async (examId: string) => {
    const { rows } = await t.pool.query(
      `SELECT id, "publicityKind", title, "rowNum", "publicityStatus", "isDeleted" FROM publicity WHERE "examId" = $1 ORDER BY "publicityKind"`,
      [examId],
    )
    return rows as { id: string; publicityKind: number; title: string; rowNum: number; publicityStatus: number }[]
  }

  test('gets its public list as a draft once, also by two servers, and never again when somebody has removed it', async () => {
    const { examId, itemId } = await released()
    await t.pool.query('UPDATE result SET "releaseTime" = $1 WHERE "itemId" = $2', [shanghai(now), itemId])
    await Promise.all([draftDueLists(t.app), draftDueLists(t.app)])
    const made = await drafts(examId)
    expect(made).toMatchObject([
      { publicityKind: PublicityKind.scores, rowNum: 3, publicityStatus: PublicityStatus.draft },
      { publicityKind: PublicityKind.shortlist, rowNum: 2, publicityStatus: PublicityStatus.draft },
    ])
    expect(made[1]?.title).toMatch(/入围人员公示$/)
    const { post } = asCaller(t, first)
    expect(await post(`${base}/remove?ids=${made[1]?.id}`)).toMatchObject({ code: 200 })
    await draftDueLists(t.app)
    expect(await drafts(examId)).toHaveLength(2)
    expect(await post(`${base}/send?id=${made[0]?.id}`)).toMatchObject({ code: 200 })
  })

  test('more than a week ago is left to staff', async () => {
    const { examId, itemId } = await released()
    await t.pool.query('UPDATE result SET "releaseTime" = $1 WHERE "itemId" = $2', [
      shanghai('2027-01-20 09:00:00'),
      itemId,
    ])
    await draftDueLists(t.app)
    expect(await drafts(examId)).toEqual([])
  })
})

describe('an objection', () => {
  const file = (values: Record<string, string>, files: [string, string][] = [], ip = '10.0.0.1') => {
    const form = new FormData()
    for (const [name, value] of Object.entries(values)) form.set(name, value)
    for (const [name, content] of files) form.append('files', new Blob([content]), name)
    return t.app.inject({
      method: 'POST',
      url: '/public/objection/file',
      payload: form as never,
      remoteAddress: ip,
    })
  }
  const look = (receipt: string, ip = '10.0.0.9', call = 'look') =>
    t.app.inject({
      method: 'POST',
      url: `/public/objection/${call}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ receipt }).toString(),
      remoteAddress: ip,
    })
  const words = {
    kind: '1',
    content: '学历不符合岗位要求',
    named: '1',
    objectorName: '李实名',
    objectorPhone: '13900001111',
  }
  const receiptIn = (payload: string) => /GS-[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(payload)?.[0] ?? ''
  const objectionOf = async (receipt: string) =>
    (await t.pool.query('SELECT * FROM objection WHERE receipt = $1', [receipt])).rows[0]
  const handle = (name: string, id: string, who = first, more: object = {}) =>
    asCaller(t, who).post<{ objectorName?: string }>(`/blade-publicity/objection/${name}`, { id, ...more })

  test('is filed with a receipt, handled by two people, and answered to whoever has the number', async () => {
    const { examId } = await released()
    const list = await confirmed(examId)
    expect(await text(`/public/objection?list=${list.id}`)).toContain('action="/public/objection/file"')
    const filed = await file({ list: list.id, ...words })
    expect(filed.statusCode).toBe(200)
    const receipt = receiptIn(filed.payload)
    const row = await objectionOf(receipt)
    expect(row).toMatchObject({
      objectionStatus: ObjectionStatus.pending,
      // Three and ten work days; the spring festival of the parameter does not count in a known year without it.
      acceptDue: shanghai('2027-02-04 17:00:00'),
      answerDue: shanghai('2027-02-15 17:00:00'),
      createUser: null,
    })
    expect((await look(receipt.toLowerCase())).payload).toContain('待受理')
    const { id } = row
    expect(await handle('propose', id, first, { outcome: 4, answer: '属实' })).toMatchObject({ code: 29009 })
    expect(await handle('accept', id)).toMatchObject({ code: 200 })
    expect(await handle('investigate', id)).toMatchObject({ code: 200 })
    expect(await handle('propose', id, first, { outcome: 6, answer: '经核查，学历符合要求' })).toMatchObject({
      code: 200,
    })
    expect((await look(receipt)).payload).not.toContain('经核查')
    expect((await handle('confirmUnfounded', id, first)).code).not.toBe(200)
    expect(await handle('confirmUpheld', id, second)).toMatchObject({ code: 29009 })
    expect(await handle('revise', id, second, { reason: '再查' })).toMatchObject({ code: 200 })
    expect(await handle('propose', id, first, { outcome: 5, answer: '部分属实，已更正' })).toMatchObject({ code: 200 })
    expect(await handle('confirmPartly', id, second)).toMatchObject({ code: 200 })
    expect((await objectionOf(receipt)).objectionStatus).toBe(ObjectionStatus.partly)
    const waiting = await t.pool.query(`SELECT kind FROM work_item WHERE key = $1 AND kind = 'publicity.answer'`, [id])
    const events = await t.pool.query('SELECT code FROM event WHERE "subjectId" = $1 ORDER BY id', [id])
    expect([waiting.rowCount, events.rows.map(row => row.code)]).toEqual([
      1,
      ['objection.filed', 'objection.received', 'objection.answered'],
    ])
    expect((await look(receipt)).payload).toMatch(/部分属实，已更正/)
    expect((await look(receipt, '10.0.0.9', 'withdraw')).statusCode).toBe(409)
  })

  test('that was right says what came of it: somebody struck off, a changed result or a correction, of its exam', async () => {
    const { examId } = await released()
    const { examId: otherId } = await released()
    const list = await confirmed(examId)
    const receipt = receiptIn((await file({ list: list.id, ...words }, [], '10.0.77.1')).payload)
    const { id } = await objectionOf(receipt)
    for (const act of ['accept', 'investigate']) expect(await handle(act, id)).toMatchObject({ code: 200 })
    const struck = async (of: string, signStatus: 1 | 9) => (await passed(t, of, { signStatus })).id
    const changed = async (of: string, createTime: string) =>
      (await insert(t.app, Resultlog, { examId: of, createTime: shanghai(createTime) })).id
    const corrected = async (of: string, publicityKind: 7 | 8) =>
      (
        await insert(t.app, Publicity, {
          examId: of,
          publicityKind,
          itemId: null,
          replaces: publicityKind === 8 ? list.id : null,
        })
      ).id
    const [before, after] = ['2027-01-01 09:00:00', '2027-12-01 09:00:00']
    const wrong: [string, object][] = [
      ['strike', { strike: await struck(otherId, 9) }],
      ['strike', { strike: await struck(examId, 1) }],
      ['resultChange', { resultChange: await changed(otherId, after) }],
      ['resultChange', { resultChange: await changed(examId, before) }],
      ['correction', { correction: await corrected(otherId, 8) }],
      ['correction', { correction: await corrected(examId, 7) }],
    ]
    const answer = { outcome: ObjectionOutcome.upheld, answer: '属实' }
    for (const [field, given] of wrong) {
      const refused = await handle('propose', id, first, { ...answer, ...given })
      expect([refused.status, refused.code, refused.data]).toMatchObject([400, 29005, [{ field }]])
    }
    const right = {
      strike: await struck(examId, 9),
      resultChange: await changed(examId, after),
      correction: await corrected(examId, 8),
    }
    const unfounded = { ...answer, outcome: ObjectionOutcome.unfounded, ...right }
    expect(await handle('propose', id, first, unfounded)).toMatchObject({ code: 29005 })
    expect(await handle('propose', id, first, { ...answer, ...right })).toMatchObject({ code: 200 })
    expect(await objectionOf(receipt)).toMatchObject(right)
    expect(await handle('revise', id, second, { reason: '再查' })).toMatchObject({ code: 200 })
    expect(await objectionOf(receipt)).toMatchObject({ strike: null, resultChange: null, correction: null })
    expect(await handle('propose', id, first, { ...answer, strike: right.strike })).toMatchObject({ code: 200 })
    expect(await handle('confirmUpheld', id, second)).toMatchObject({ code: 200 })
    const { data } = await asCaller(t, first).get<object>(`/blade-publicity/objection/detail?id=${id}`)
    expect(data).toMatchObject({ strike: right.strike, strikeName: expect.stringMatching(/./) })
  })

  test('keeps who objected from lists, details, exports and logs, and tells it for a reason', async () => {
    const { examId } = await released()
    const list = await confirmed(examId)
    const receipt = receiptIn((await file({ list: list.id, ...words }, [], '10.0.1.1')).payload)
    const { id, objectorName, objectorPhone } = await objectionOf(receipt)
    expect([objectorName, objectorPhone].join()).not.toMatch(/李实名|1390000/)
    const { get, post } = asCaller(t, first)
    for (const answer of [
      await get(`/blade-publicity/objection/page?examId=${examId}`),
      await get(`/blade-publicity/objection/detail?id=${id}`),
      await get(`/blade-publicity/objection/history?id=${id}`),
    ])
      expect(JSON.stringify(answer)).not.toMatch(/李实名|13900001111|objectorName/)
    const sheet = await t.app.inject({
      url: `/api/blade-publicity/objection/export?examId=${examId}`,
      headers: first.headers,
    })
    const exported = [...unzip(sheet.rawPayload).values()].map(String).join(' ')
    expect(exported).toContain(receipt)
    expect(exported).not.toMatch(/李实名|13900001111|1390000/)
    expect(await handle('reveal', id)).toMatchObject({ code: 29005 })
    expect(await post('/blade-publicity/objection/reveal', { id, reason: '核实情况' })).toMatchObject({
      data: { objectorName: '李实名', objectorPhone: '13900001111' },
    })
    await t.app.journal.flush()
    const { rows } = await t.pool.query(
      `SELECT (SELECT string_agg(a::text, ' ') FROM auditlog a) AS audit, (SELECT string_agg(l::text, ' ') FROM log_api l) AS calls`,
    )
    expect(rows[0].audit).toContain('reveal')
    expect(JSON.stringify(rows)).not.toMatch(/李实名|13900001111/)
  })

  test('says beside each field what is wrong, keeps what was typed, and takes looked-at files alone', async () => {
    const { examId } = await released()
    const list = await confirmed(examId)
    const wrong = await file({ list: list.id, ...words, kind: '77', content: '', objectorPhone: 'x' }, [], '10.0.2.1')
    expect(wrong.statusCode).toBe(400)
    for (const word of ['请选择异议类别', '请填写异议内容', '请填写能联系到您的电话号码', 'value="李实名"'])
      expect(wrong.payload).toContain(word)
    for (const name of ['content', 'objectorName', 'listNo', 'list']) {
      const odd = await file({ list: list.id, ...words, [name]: `${list.id}\0` }, [], '10.0.2.7')
      expect([name, odd.statusCode < 500]).toEqual([name, true])
    }
    expect((await look('GS\0')).statusCode).toBeLessThan(500)
    const bad = await file({ list: list.id, ...words }, [['a.pdf', 'no pdf']], '10.0.2.1')
    expect([bad.statusCode, bad.payload.includes('class="bad" id="files-wrong"')]).toEqual([400, true])
    const long = await file({ list: list.id, ...words, content: '长'.repeat(2001) }, [], '10.0.2.1')
    expect(long.payload).toContain('最多2000个字')
    const script = await file({ list: list.id, ...words, content: '', listNo: '"><script>' }, [], '10.0.2.1')
    expect(script.payload).not.toContain('<script')
    expect((await file({ list: '99', ...words })).statusCode).toBe(404)
  })

  test('is taken three times a day from one address, and while the list takes any', async () => {
    const { examId } = await released()
    const list = await confirmed(examId)
    const anonymous = { list: list.id, kind: '9', content: '程序有问题', named: '0' }
    for (let i = 0; i < 3; i++) expect((await file(anonymous, [], '10.0.3.1')).statusCode).toBe(200)
    expect((await file(anonymous, [], '10.0.3.1')).statusCode).toBe(429)
    expect((await file(anonymous, [], '10.0.3.2')).statusCode).toBe(200)
    t.setNow('2027-02-04 17:00:00')
    expect((await file(anonymous, [], '10.0.3.3')).statusCode).toBe(409)
  })

  test('is not found by guessing: wrong numbers slow their address down, and nobody else', async () => {
    const { examId } = await released()
    const list = await confirmed(examId)
    const receipt = receiptIn((await file({ list: list.id, ...words }, [], '10.0.4.1')).payload)
    const found = []
    for (let i = 0; i < 1000; i++)
      found.push((await look(`GS-0000-${String(i).padStart(4, '0')}`, '10.0.4.2')).statusCode)
    expect(found.filter(status => status === 404)).toHaveLength(5)
    const waiting = await look(receipt, '10.0.4.2')
    expect([waiting.statusCode, waiting.payload.includes('分钟后再试')]).toEqual([400, true])
    expect((await look(receipt, '10.0.4.3')).statusCode).toBe(200)
    expect((await look(receipt, '10.0.4.3', 'withdraw')).payload).toContain('异议已撤回')
  })

  test('is filed by name once a code has proved the phone, which then gets the receipt', async () => {
    const { examId } = await released()
    const list = await confirmed(examId)
    await makeTemplate(t, { smsCode: 'validate', templateContent: '验证码{code}，{minutes}分钟内有效。' })
    await makeTemplate(t, { smsCode: 'objection.received', templateContent: '已收到您的异议，编号{receipt}' })
    const given = { list: list.id, ...words }
    const ip = '10.0.5.1'
    const none = await file(given, [], ip)
    expect([none.statusCode, none.payload.includes('code-wrong')]).toEqual([400, true])
    // A landline gets no code.
    const landline = await file({ ...given, act: 'code', objectorPhone: '0591-87654321' }, [], ip)
    expect(landline.payload).toContain('请填写能接收短信验证码的手机号码')
    const asked = await file({ ...given, act: 'code', content: '' }, [], ip)
    expect([asked.statusCode, asked.payload.includes('验证码已发送')]).toEqual([200, true])
    const codeId = /name="codeId" value="(\w+)"/.exec(asked.payload)?.[1] ?? ''
    const sent = async () => (await inbox(t.pool, t.app.vault, words.objectorPhone))[0]?.content ?? ''
    const code = /\d{6}/.exec(await sent())?.[0] ?? ''
    const count = async () => Number((await t.pool.query('SELECT count(*) AS n FROM objection')).rows[0].n)
    const before = await count()
    // Right for the phone that it was sent to, and for no other.
    expect((await file({ ...given, codeId, code, objectorPhone: '13900002222' }, [], ip)).statusCode).toBe(400)
    expect((await file({ ...given, codeId, code: '000000' }, [], ip)).statusCode).toBe(400)
    expect(await count()).toBe(before)
    const filed = await file({ ...given, codeId, code }, [], ip)
    expect(filed.statusCode).toBe(200)
    expect((await file({ ...given, codeId, code }, [], ip)).statusCode).toBe(400)
    expect(await count()).toBe(before + 1)
    // At night nobody is disturbed. What others have filed before would be told, too.
    await t.pool.query(`DELETE FROM work_item WHERE kind = 'publicity.answer' AND key NOT LIKE $1`, [
      `${(await objectionOf(receiptIn(filed.payload))).id}:%`,
    ])
    const day = t.app.now()
    const later = (hours: number) =>
      t.setNow(new Date(shanghai(`${wireDay(day)} 00:00:00`).getTime() + hours * 3_600_000))
    later(23)
    await t.app.queue.workOff()
    const receipt = receiptIn(filed.payload)
    expect(await sent()).not.toContain(receipt)
    // Nor without balance, of which whoever looks after text messages is told.
    later(32)
    await t.app.queue.workOff()
    expect(await sent()).not.toContain(receipt)
    const troubles = await t.db.selectFrom('event').select('facts').where('code', '=', 'sms.trouble').execute()
    expect(JSON.stringify(troubles)).toContain('balance')
    await give(t, 1)
    // Nor beyond the limit of the exam.
    const limit = (textMost: number | null) =>
      t.db.updateTable('examination').set({ textMost }).where('id', '=', examId).execute()
    await limit(0)
    later(32.5)
    await t.app.queue.workOff()
    expect(await sent()).not.toContain(receipt)
    await limit(null)
    later(33)
    await t.app.queue.workOff()
    expect(await sent()).toContain(receipt)
    const { id } = await objectionOf(receipt)
    const charged = t.db.selectFrom('sendledger').select(['changeType', 'num', 'balance', 'refType'])
    expect(await charged.where('refId', '=', id).execute()).toEqual([
      { changeType: LedgerType.use, num: -1, balance: 0, refType: 'objectionReceived' },
    ])
    const budget = t.db.selectFrom('sms_budget').select('segments').where('ownerId', '=', examId)
    expect(await budget.executeTakeFirst()).toEqual({ segments: 1 })
    t.setNow(day)
    // Without a name none is asked for.
    expect((await file({ ...given, named: '0' }, [], '10.0.5.2')).statusCode).toBe(200)
    await t.pool.query('DELETE FROM sms')
  })

  test('whose text message does not go out costs nothing', async () => {
    const { examId } = await released()
    const list = await confirmed(examId)
    await makeTemplate(t, { smsCode: 'objection.received', templateContent: '已收到您的异议，编号{receipt}' })
    await give(t, 1)
    const filed = await file({ list: list.id, ...words, objectorPhone: '13900000000' }, [], '10.0.6.1')
    await t.app.queue.workOff()
    const { id } = await objectionOf(receiptIn(filed.payload))
    const moves = t.db.selectFrom('sendledger').select(['changeType', 'num']).where('refId', '=', id).orderBy('id')
    expect(await moves.execute()).toEqual([
      { changeType: LedgerType.use, num: -1 },
      { changeType: LedgerType.return, num: 1 },
    ])
    await t.pool.query('DELETE FROM sms')
  })

  test('keeps its exam from being archived while it is open, as a running list does', async () => {
    const { examId } = await released()
    await t.pool.query(
      `UPDATE examination SET "examStatus" = 2, "closeTime" = $2, "publicityEnd" = NULL WHERE id = $1`,
      [examId, shanghai('2027-01-20 09:00:00')],
    )
    const list = await confirmed(examId)
    const lines = async () => {
      const { data } = await asCaller(t, first).get<{ key: string; ok: boolean }[]>(
        `/blade-exam/examination/checkArchive?id=${examId}`,
      )
      return data.flatMap(line => (line.ok ? [] : [line.key]))
    }
    expect(await lines()).toContain('lists')
    await t.pool.query('UPDATE publicity SET "endTime" = "startTime" + interval \'1 minute\' WHERE id = $1', [list.id])
    t.setNow('2027-02-01 09:30:00')
    expect(await lines()).not.toContain('lists')
    const made = await insert(t.app, Objection, { examId, publicityId: list.id, outcome: null } as never)
    for (const [state, isOpen] of [
      [ObjectionStatus.pending, true],
      [ObjectionStatus.accepted, true],
      [ObjectionStatus.investigating, true],
      [ObjectionStatus.unfounded, false],
    ] as const) {
      await t.pool.query('UPDATE objection SET "objectionStatus" = $2 WHERE id = $1', [made.id, state])
      expect([state, (await lines()).includes('objections')]).toEqual([state, isOpen])
    }
  })
})

test('whoever has no duty in the exam meets neither its lists nor its objections', async () => {
  const { examId } = await released()
  const list = await confirmed(examId)
  const [stranger, manager] = [await signIn(t, { role: 'exam_admin' }), await signIn(t, { role: 'exam_admin' })]
  await appoint(t, examId, manager)
  const total = async (who: Caller) =>
    (await asCaller(t, who).get<{ total: number }>(`${base}/page?examId=${examId}`)).data.total
  expect([await total(stranger), await total(manager)]).toEqual([0, 1])
  expect((await act('withdraw', list.id, stranger, { reason: 'x' })).code).toBe(29001)
  expect((await act('withdraw', list.id, await signIn(t, { role: 'reviewer' }), { reason: 'x' })).code).toBe(403)
  expect(Publicity.name).toBe('publicity')
})
