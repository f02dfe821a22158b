import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Resource, readCall } from '#engine'
import { resources } from '#resources'
import { menus } from '../../src/platform/tenants/server/seed/menus.ts'
import { shanghai, type TestApp, testApp } from '../helper/app.ts'
import { type EveryRow, everyRow } from '../helper/every-row.ts'
import { type Caller, signIn } from '../helper/person.ts'
import { recountedPlaces, uncounted } from '../helper/sample.ts'
import { applicant, makeExam, submit } from '../helper/sign-bench.ts'
import { unzip } from '../helper/unzip.ts'

// What candidates read of their own rows through generated calls, by what the specification says and not by what the
// definitions say: the fields of each, and the states in which a row is there at all. The calls by hand give no less.

/** What everybody reads of a row: what addresses it, and when it was made and changed. */
const common = ['id', 'tenantId', 'createTime', 'updateTime', 'status', 'isDeleted', 'version']

const readable: Readonly<Record<string, readonly string[]>> = {
  signup: [
    'examId',
    'signNo',
    'signStatus',
    'submitTime',
    'submitCount',
    'province',
    'city',
    'area',
    'unit',
    'type',
    'code',
    'unit2',
    'type2',
    'code2',
    'adjustAccept',
    'content',
    'files',
    'precheck',
    'name',
    'sex',
    'birthday',
    'idCard',
    'phone',
    'photo',
    'consentTime',
    'cancelReason',
    'examine',
    'examineRemark',
    'examineTime',
    'reviewStatus',
    'reviewRemark',
    'reduceState',
    'finalUnit',
    'finalType',
    'finalCode',
    'payState',
    'ticketState',
  ],
  payorder: [
    'orderNo',
    'bizType',
    'bizId',
    'body',
    'amount',
    'channel',
    'expireTime',
    'orderStatus',
    'transactionId',
    'payTime',
    'refundAmount',
  ],
  payrecord: [
    'examId',
    'itemId',
    'signupId',
    'name',
    'unit',
    'code',
    'amount',
    'payState',
    'payTime',
    'channel',
    'exemptReason',
    'isInvoice',
    'invoiceStatus',
    'invoiceType',
    'invoiceTitle',
    'taxNo',
    'invoiceEmail',
    'invoiceNo',
    'invoiceFile',
  ],
  examinationticket: ['examId', 'itemId', 'signupId', 'name', 'ticketNo', 'ticketStatus', 'startTime', 'endTime'],
  ticketnotice: [
    'examId',
    'itemId',
    'signupId',
    'jkm',
    'xcm',
    'hsjcbg',
    'type',
    'picState',
    'picRemark',
    'sureTime',
    'downNum',
    'firstDownTime',
    'lastDownTime',
  ],
  datarequest: ['requestKind', 'content', 'requestStatus', 'dueDate', 'answer', 'handleTime', 'confirmTime'],
  userupdateinfo: [
    'name',
    'realName',
    'idCard',
    'cardFront',
    'cardBack',
    'beforeInfo',
    'afterInfo',
    'reason',
    'files',
    'updateStatus',
    'auditTime',
    'auditRemark',
  ],
}

/** Which rows of one's own are there, where not all of them are: the column and its values. */
const states: Readonly<Record<string, { column: string; shown: readonly number[]; withheld: readonly number[] }>> = {
  examinationticket: { column: 'ticketStatus', shown: [1, 2], withheld: [0] },
}

const all: readonly Resource[] = resources
const owned = all.filter(({ owner }) => owner !== null)

let t: TestApp
let rows: EveryRow
let one: Caller

beforeAll(async () => {
  t = await testApp({ now: shanghai('2026-12-02 10:00:00') })
  // Whatever a role may be given: it shows no more of one's own rows.
  one = await signIn(t, { role: 'curious', userType: 2, permissions: menus.map(menu => menu.code) })
  rows = await everyRow(t.app, {
    tenantId: '000000',
    set: 1,
    mark: '机密',
    shared: { user: one.userId },
    rows: {
      examination: { examStatus: 1 },
      signup: { signStatus: 1 },
      examinationticket: { ticketStatus: 1 },
    },
  })
})
afterAll(() => t.close())

const ask = (url: string) => t.app.inject({ url, headers: one.headers })
const get = async <T>(url: string) => (await ask(url)).json<{ code: number; data: T }>()
interface Page {
  records: Record<string, unknown>[]
  total: number
}

test('says for every owned resource what is read of it', () => {
  expect(Object.keys(readable).toSorted()).toEqual(owned.map(({ name }) => name as string).toSorted())
})

describe.each(owned.map(resource => [resource.name as string, resource] as const))(
  'own rows of %s',
  (name, resource) => {
    const at = `/api${resource.path}`
    const fields = readable[name] ?? []
    const allowed = (keys: readonly string[]) =>
      keys.filter(key => ![...common, ...fields, ...fields.map(field => `${field}Name`)].includes(key))
    const withheld = [...Object.keys(resource.entity.properties), 'createUser', 'updateUser', 'createDept'].filter(
      field => !fields.includes(field) && field !== 'id',
    )

    test('give the fields of owners and no other, in lists and alone', async () => {
      const lists = [(await get<Page>(`${at}/page`)).data, (await get<Page>(`${at}/list`)).data]
      for (const { records, total } of lists) {
        expect(total).toBe(1)
        expect(allowed(Object.keys(records[0] ?? {}))).toEqual([])
      }
      // Written by hand and looked at below.
      if (name === 'signup') return
      const detail = await get<Record<string, unknown>>(
        `${at}/${readCall(resource.calls.detail).path}?id=${rows[name]}`,
      )
      expect([detail.code, allowed(Object.keys(detail.data))]).toEqual([200, []])
    })

    test('are neither filtered nor sorted by what is withheld', async () => {
      const told: string[] = []
      for (const field of withheld)
        for (const query of [`${field}=1`, `${field}_notnull=1`, `ascs=${field}`, `descs=${field}`])
          for (const call of ['page', 'list', 'select', ...(resource.totals.length > 0 ? ['totals'] : [])])
            if (
              !(call === 'totals' && /^(asc|desc)s=/.test(query)) &&
              (await get(`${at}/${call}?${query}`)).code !== 29005
            )
              told.push(`${call}?${query}`)
      expect(told).toEqual([])
    })

    test('show what is withheld neither in totals and choices nor in files', async () => {
      const { totals, can } = resource
      const sums = totals.length > 0 ? (await get<object>(`${at}/totals`)).data : {}
      expect(allowed(Object.keys(sums))).toEqual([])
      expect(
        allowed(Object.keys((await get<object[]>(`${at}/select`)).data[0] ?? {})).filter(key => key !== 'label'),
      ).toEqual([])
      if (!can.includes('export')) return
      const sheet = [...unzip((await ask(`${at}/export`)).rawPayload)].map(([, bytes]) => `${bytes}`).join()
      const titles = withheld
        .map(field => resource.entity.properties[field]?.title ?? '')
        .filter(title => title.length > 2)
      const kept = fields.map(field => resource.entity.properties[field]?.title)
      expect(titles.filter(title => !kept.includes(title) && sheet.includes(`>${title}<`))).toEqual([])
    })

    test('are there in the states in which their owner knows of them', async () => {
      const { column, shown, withheld: hidden } = states[name] ?? { column: '', shown: [], withheld: [] }
      for (const state of [...shown, ...hidden]) {
        await t.pool.query(`UPDATE "${name}" SET "${column}" = $1 WHERE id = $2`, [state, rows[name]])
        const { data } = await get<Page>(`${at}/page`)
        const detail = await ask(`${at}/${readCall(resource.calls.detail).path}?id=${rows[name]}`)
        const isShown = shown.includes(state)
        expect([state, data.total, detail.statusCode]).toEqual([state, isShown ? 1 : 0, isShown ? 200 : 404])
      }
    })
  },
)

describe('a sign-up by hand', () => {
  test('does not say who reviewed it', async () => {
    const { exam } = await makeExam(t)
    const who = await applicant(t)
    const { id } = (await submit(t, who, exam.id)).data
    await t.pool.query(`SET session_replication_role = replica;
      UPDATE signup SET examine = 2, "examineUser" = 4242, "reviewUser" = 4243, "updateUser" = 4244 WHERE id = ${id};
      ${recountedPlaces}; ${uncounted}; RESET session_replication_role`)
    for (const call of ['detail', 'page']) {
      const answer = await t.app.inject({ url: `/api/blade-signup/signup/${call}?id=${id}`, headers: who.headers })
      expect(answer.statusCode).toBe(200)
      expect(answer.payload).toContain(id)
      expect(answer.payload).not.toMatch(/"(examineUser|reviewUser|createUser|updateUser)\w*"|424[234]/)
    }
  })
})

describe('a ticket by hand', () => {
  const tickets = async () =>
    (await get<{ records: Record<string, unknown>[] }>('/api/blade-exam/examination/getExamTicketList')).data.records

  test('says no number and no seat before its release, and no seat before nothing stands before it', async () => {
    await t.pool.query(`UPDATE examinationticket SET "ticketStatus" = 0 WHERE id = $1`, [rows.examinationticket])
    for (const one of await tickets()) expect(one).toMatchObject({ ticketNo: '', address: '', roomNo: '', seatNo: '' })
    await t.pool.query(`UPDATE examinationticket SET "ticketStatus" = 1 WHERE id = $1`, [rows.examinationticket])
    await t.pool.query(`UPDATE examinationitem SET "needPay" = 1, fee = 8000 WHERE id = $1`, [rows.examinationitem])
    await t.pool.query(`UPDATE payrecord SET "payState" = 0 WHERE id = $1`, [rows.payrecord])
    expect(await tickets()).toMatchObject([
      { ticketId: rows.examinationticket, stepCode: 25003, roomNo: '', seatNo: '' },
    ])
    const sheet = await get<object>(`/api/blade-exam/examination/getTicketInfo?id=${rows.examinationticket}`)
    expect(sheet.code).toBe(25003)
  })
})
