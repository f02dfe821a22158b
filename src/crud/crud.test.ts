import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entity, json, sealed, secret, text, writableFields } from '#engine'
import { resources } from '#resources'
import { Examination } from '#schemas/exams/examination'
import { Examinationitem } from '#schemas/exams/examinationitem'
import { Examroom } from '#schemas/exams/examroom'
import { Examuser } from '#schemas/exams/examuser'
import { Items } from '#schemas/exams/items'
import { Exampay } from '#schemas/payment/exampay'
import { Signup } from '#schemas/sign-up/signup'
import { Dept } from '#schemas/system/dept'
import { Post } from '#schemas/system/post'
import { Role } from '#schemas/system/role'
import { User } from '#schemas/system/user'
import { shanghai, type TestApp, testApp } from '../../tests/helper/app.ts'
import { type Caller, signIn } from '../../tests/helper/person.ts'
import { insert, sample, sampleIdCard } from '../../tests/helper/sample.ts'
import { keepHistory } from './history.ts'

let t: TestApp
let admin: Caller
let other: Caller

type Row = Record<string, string | number>

beforeAll(async () => {
  t = await testApp({ now: '2026-06-01 08:00:00' })
  admin = await signIn(t, { role: 'administrator' })
  other = await signIn(t, {
    tenantId: '000002',
    role: 'administrator',
    permissions: ['param', 'param_view', 'param_add', 'param_edit', 'param_delete', 'param_export'],
  })
})
afterAll(() => t.close())

/** An exam whose times are in order, so that its own rules let it be changed. */
const newExam = (examCode: string) =>
  insert(t.app, Examination, {
    examCode,
    signStartTime: shanghai('2026-07-01 08:00:00'),
    signEndTime: shanghai('2026-07-09 18:00:00'),
    modifyEndTime: shanghai('2026-07-10 18:00:00'),
    examineEndTime: shanghai('2026-07-11 18:00:00'),
  })

const post = (path: string, payload: object = {}, caller = admin) =>
  t.call({ method: 'POST', url: `/api${path}`, headers: caller.headers, payload })
const get = <T = Row>(path: string, caller = admin) => t.call<T>({ url: `/api${path}`, headers: caller.headers })
const stored = async (table: string, where: string, values: unknown[]) =>
  (await t.pool.query(`SELECT * FROM "${table}" WHERE ${where}`, values)).rows

/** Makes a parameter through the server and answers its row. */
async function makeParam(paramKey: string, more: object = {}, caller = admin): Promise<Row> {
  const made = await post(
    '/blade-system/param/submit',
    { paramName: '名', paramValue: '值', paramKey, ...more },
    caller,
  )
  expect(made).toMatchObject({ status: 200, code: 200, success: true, data: {}, msg: '操作成功' })
  const found = await get<{ records: Row[] }>(`/blade-system/param/page?paramKey_equal=${paramKey}`, caller)
  return found.data.records[0] as Row
}

describe('a row through its life', () => {
  test('is added, read, changed in part, emptied and removed', async () => {
    const row = await makeParam('life.1', { remark: '备注' })
    expect(row).toMatchObject({
      paramName: '名',
      createUser: admin.userId,
      createTime: '2026-06-01 08:00:00',
      status: 1,
    })
    expect(row.id).toMatch(/^\d{18,19}$/)
    t.setNow('2026-06-01 08:20:00')
    await post('/blade-system/param/submit', { id: row.id, paramValue: '新值', paramName: null })
    const changed = await get(`/blade-system/param/detail?id=${row.id}`)
    expect(changed.data).toMatchObject({ paramName: '名', paramValue: '新值', remark: '备注' })
    expect(changed.data).toMatchObject({ createTime: '2026-06-01 08:00:00', updateTime: '2026-06-01 08:20:00' })
    await post('/blade-system/param/submit', { id: row.id, remark: '' })
    expect((await get(`/blade-system/param/detail?id=${row.id}`)).data.remark).toBe('')
    expect(await post(`/blade-system/param/remove?ids=${row.id}`)).toMatchObject({ code: 200, data: {} })
    expect((await get(`/blade-system/param/detail?id=${row.id}`)).code).toBe(29001)
    expect(await stored('param', 'id = $1', [row.id])).toMatchObject([{ isDeleted: 1, updateUser: admin.userId }])
    t.setNow('2026-06-01 08:00:00')
  })

  test('keeps its history, for those who may see the row', async () => {
    const { id } = await makeParam('life.2')
    await post('/blade-system/param/submit', { id, paramValue: '新值', paramName: '名' })
    const history = (caller = admin) => get<object[]>(`/blade-system/param/history?id=${id}`, caller)
    const done = { userId: admin.userId, time: '2026-06-01 08:00:00', reason: '' }
    const change = (field: string, from: string, to: string) => ({ field, from, to, fromName: '', toName: '' })
    expect((await history()).data).toMatchObject([
      { ...done, actName: '修改', changes: [change('paramValue', '值', '新值')] },
      {
        ...done,
        actName: '新增',
        changes: [change('paramName', '', '名'), change('paramKey', '', 'life.2'), change('paramValue', '', '值')],
      },
    ])
    expect((await history(other)).code).toBe(29001)
    const stranger = await signIn(t, { role: 'exam_admin', permissions: ['examination'] })
    expect((await history(stranger)).status).toBe(403)
    await post(`/blade-system/param/remove?ids=${id}`)
    expect(await stored('history', 'entity = $1 AND "rowId" = $2 ORDER BY id', ['param', id])).toMatchObject([
      { act: 'add' },
      { act: 'edit' },
      { act: 'remove', changes: {} },
    ])
    expect((await get('/blade-system/role/history?id=1')).status).toBe(404)
  })

  test('a history holds no number that is sealed, no secret and nothing large', async () => {
    const fields = { idCard: sealed('证件号码'), key: secret('密钥'), form: json('表单'), name: text('名称') }
    const Card = entity('card', '证', fields, { history: true })
    const row = { id: '77', tenantId: '000000', name: '甲', idCard: 'sealed-1', idCardHash: 'h1', idCardMask: '11**11' }
    const before = { ...row, key: 'hash-1', form: { a: 1 } }
    const sealedAnew = { ...before, idCard: 'sealed-2' }
    const after = {
      ...before,
      idCard: 'sealed-3',
      idCardHash: 'h3',
      idCardMask: '22**22',
      key: 'hash-2',
      form: { a: 2 },
    }
    const deed = { act: 'edit', userId: admin.userId, now: t.app.now() }
    await keepHistory(t.db, Card, [[before, sealedAnew]], deed)
    await keepHistory(t.db, Card, [[before, after]], deed)
    expect((await stored('history', 'entity = $1 ORDER BY id', ['card'])).map(one => one.changes)).toEqual([
      {},
      { idCard: ['11**11', '22**22'], key: [null, null], form: [null, null] },
    ])
  })

  test('a text of spaces is none', async () => {
    const [key, blank] = ['blank.one', ' \n\u3000']
    const bad = await post('/blade-system/param/submit', { paramKey: key, paramName: blank, paramValue: blank })
    expect((bad.data as { field: string }[]).map(one => one.field).toSorted()).toEqual(['paramName', 'paramValue'])
    const good = await post('/blade-system/param/submit', {
      paramKey: key,
      paramName: '名',
      paramValue: '值',
      remark: blank,
    })
    expect(good.code).toBe(200)
    const [row] = await stored('param', '"paramKey" = $1', [key])
    expect(row).toMatchObject({ remark: null })
    const edit = await post('/blade-system/param/submit', { id: row!.id, paramValue: blank })
    expect(edit).toMatchObject({ code: 29005, data: [{ field: 'paramValue' }] })
    await post(`/blade-system/param/remove?ids=${row!.id}`)
  })

  test('its fields are checked, in words that name them', async () => {
    const answer = await post('/blade-system/param/submit', { paramKey: 'NOT ALLOWED', paramName: 'x'.repeat(101) })
    expect([answer.status, answer.code]).toEqual([400, 29005])
    expect(answer.data).toEqual(
      expect.arrayContaining([
        { field: 'paramValue', msg: '请输入参数键值' },
        { field: 'paramName', msg: '参数名称最多100个字' },
        { field: 'paramKey', msg: expect.stringContaining('参数键名') },
      ]),
    )
    for (const payload of [[], 'text', 5].map(body => JSON.stringify(body)))
      expect(
        (
          await t.call({
            method: 'POST',
            url: '/api/blade-system/param/submit',
            payload,
            headers: { ...admin.headers, 'content-type': 'application/json' },
          })
        ).code,
      ).toBe(29005)
  })

  test.each([
    ['number too large', { examYear: 99999999999 }],
    ['day that does not exist', { ageBaseDate: '2026-02-30' }],
    ['time that does not exist', { signStartTime: '2026-01-01 25:00:00' }],
    ['decimal that is none', { openRatio: '3,5' }],
    ['key of no dictionary', { examineMode: 77 }],
    ['NUL in a text', { examName: 'a\u0000b' }],
    ['reference to nothing', { deptId: '999999' }],
    ['reference beyond all ids', { deptId: '99999999999999999999' }],
    ['object for a text', { examName: { $ne: 1 } }],
    ['required field emptied', { examName: '' }],
  ])('%s is refused as input, not as a fault', async (_, change) => {
    const exam = await insert(t.app, Examination, { examCode: `C${Math.random()}`.slice(2, 10) })
    const answer = await post('/blade-exam/examination/submit', { id: exam.id, version: 0, ...change })
    expect([answer.status, answer.code]).toEqual([400, 29005])
    expect((answer.data as { field: string }[])[0]?.field).toBe(Object.keys(change)[0])
  })

  test('repeating what is unique is refused by name', async () => {
    await makeParam('twice')
    const again = await post('/blade-system/param/submit', { paramName: '名', paramValue: '值', paramKey: 'twice' })
    expect(again).toMatchObject({ status: 409, code: 29004, msg: '参数键名重复' })
    expect(again.data).toEqual([{ field: 'paramKey', msg: '参数键名已存在' }])
  })

  test('a version that is not the last is refused, one that is missing too', async () => {
    const exam = await newExam('VERSION1')
    const submit = (body: object) => post('/blade-exam/examination/submit', { id: exam.id, ...body })
    expect((await submit({ organizer: 'A' })).code).toBe(29005)
    expect((await submit({ organizer: 'A', version: 0 })).code).toBe(200)
    expect(await submit({ organizer: 'B', version: 0 })).toMatchObject({ status: 409, code: 29002 })
    expect(await stored('examination', 'id = $1', [exam.id])).toMatchObject([{ organizer: 'A', version: 1 }])
  })

  test('two changes of one version at the same moment: one wins', async () => {
    const exam = await newExam('RACE1')
    const all = await Promise.all(
      [...'ABCDEFGH'].map(organizer => post('/blade-exam/examination/submit', { id: exam.id, version: 0, organizer })),
    )
    expect(all.map(one => one.code).sort()).toEqual([200, ...Array(7).fill(29002)])
  })

  test('B15 · rich text is cleaned when saved', async () => {
    const exam = await newExam('RICH1')
    const signNotice = '<p onclick="x()">须知<script>alert(1)</script><a href="javascript:x">a</a><b>粗</b></p>'
    await post('/blade-exam/examination/submit', { id: exam.id, version: 0, signNotice })
    const [row] = await stored('examination', 'id = $1', [exam.id])
    expect(row.signNotice).toBe('<p>须知<a rel="noopener noreferrer">a</a><b>粗</b></p>')
  })
})

describe('what is sealed', () => {
  test('is encrypted, hashed, masked, and untouched when its mask comes back', async () => {
    const idCard = sampleIdCard(777)
    const user = await insert(t.app, User, { account: 'mask', idCard, phone: '13812345678', roleId: '', deptId: null })
    const shown = (await get(`/blade-system/user/detail?id=${user.id}`)).data
    expect(shown).toMatchObject({ phone: '138****5678', idCard: `${idCard.slice(0, 6)}********${idCard.slice(-4)}` })
    const before = (await stored('user', 'id = $1', [user.id]))[0]
    expect(before.idCard).toMatch(/^v1:/)
    await post('/blade-system/user/submit', { id: user.id, name: '新昵称', phone: shown.phone, idCard: shown.idCard })
    const kept = (await stored('user', 'id = $1', [user.id]))[0]
    expect([kept.name, kept.phone, kept.idCard]).toEqual(['新昵称', before.phone, before.idCard])
    await post('/blade-system/user/submit', { id: user.id, phone: '13700001111' })
    const moved = (await stored('user', 'id = $1', [user.id]))[0]
    expect(t.app.vault.open(moved.phone)).toBe('13700001111')
    expect(moved.phoneHash).toBe(t.app.vault.hash('000000', '13700001111'))
  })
})

describe('removing', () => {
  test('is refused while something points at the row, and for built-in rows', async () => {
    const dept = await insert(t.app, Dept, {})
    await insert(t.app, Dept, { parentId: dept.id })
    expect(await post(`/blade-system/dept/remove?ids=${dept.id}`)).toMatchObject({ status: 409, code: 29003 })
    const item = await insert(t.app, Items, { itemCode: 'mine', builtin: 1 })
    expect((await post(`/blade-items/items/remove?ids=${item.id}`)).code).toBe(29008)
    expect((await post('/blade-items/items/submit', { id: item.id, itemName: '改' })).code).toBe(29008)
  })

  test('takes along what goes with the row, and keeps all while something else refers to any of it', async () => {
    const exam = await newExam('follows')
    const stage = await insert(t.app, Examinationitem, { examId: exam.id })
    const other = await newExam('stays')
    // As a row from before the stage had to be one of the exam.
    const fee = await insert(t.app, Exampay, { examId: other.id, itemId: stage.id })
    const isThere = async (table: string, id: string) => (await stored(table, 'id = $1', [id]))[0]?.isDeleted === 0
    const act = () => post(`/blade-exam/examination/remove?ids=${exam.id}`)
    expect(await act()).toMatchObject({ status: 409, code: 29003 })
    expect([await isThere('examination', exam.id), await isThere('examinationitem', stage.id)]).toEqual([true, true])
    await t.pool.query('UPDATE exampay SET "isDeleted" = 1 WHERE id = $1', [fee.id])
    expect((await act()).code).toBe(200)
    expect([await isThere('examination', exam.id), await isThere('examinationitem', stage.id)]).toEqual([false, false])
    const deeds = await stored('history', '"rowId" = ANY($1) AND act = \'remove\'', [[exam.id, stage.id]])
    expect(deeds.map(one => one.entity).toSorted()).toEqual(['examination', 'examinationitem'])
    expect((await act()).code).toBe(200)
  })

  test('needs ids, at most 500, all there', async () => {
    const row = await makeParam('stays')
    const codes = []
    for (const ids of ['', 'abc', '1,2;3', Array.from({ length: 501 }, (_, i) => i + 1).join(), `${row.id},1`])
      codes.push((await post(`/blade-system/param/remove?ids=${encodeURIComponent(ids)}`)).code)
    expect(codes).toEqual([29005, 29005, 29005, 29005, 29001])
    expect(await stored('param', 'id = $1', [row.id])).toMatchObject([{ isDeleted: 0 }])
  })

  test('takes ids as a form, too', async () => {
    const row = await makeParam('formed')
    const headers = { ...admin.headers, 'content-type': 'application/x-www-form-urlencoded' }
    const done = await t.call({
      method: 'POST',
      url: '/api/blade-system/param/remove',
      headers,
      payload: `ids=${row.id}`,
    })
    expect(done.code).toBe(200)
  })
})

describe('B26 · tenants', () => {
  test('never meet', async () => {
    const mine = await makeParam('tenant.1')
    const id = String(mine.id)
    expect((await get(`/blade-system/param/detail?id=${id}`, other)).code).toBe(29001)
    expect((await post('/blade-system/param/submit', { id, paramValue: 'x' }, other)).code).toBe(29001)
    expect((await post(`/blade-system/param/remove?ids=${id}`, {}, other)).code).toBe(29001)
    expect((await get<{ total: number }>('/blade-system/param/page', other)).data.total).toBe(0)
    expect((await get<Row[]>(`/blade-system/param/select?ids=${id}`, other)).data).toEqual([])
    expect((await makeParam('tenant.1', { tenantId: '000000' }, other)).tenantId).toBe('000002')
    const missing = await get('/blade-system/param/detail?id=1', other)
    const foreign = await get(`/blade-system/param/detail?id=${id}`, other)
    expect(foreign).toEqual(missing)
  })

  test('a reference cannot reach into another tenant', async () => {
    const dept = await insert(t.app, Dept, { tenantId: '000002' })
    const exam = await newExam('FOREIGN1')
    const answer = await post('/blade-exam/examination/submit', { id: exam.id, version: 0, deptId: dept.id })
    expect(answer).toMatchObject({ code: 29005, data: [{ field: 'deptId' }] })
  })

  test('nor can one of several in a text, which must all be there', async () => {
    const { roleId } = (await stored('user', 'id = $1', [admin.userId]))[0]
    const { id } = await insert(t.app, User, { userType: 1, roleId })
    const [own, removed, foreign] = [
      await insert(t.app, Post, {}),
      await insert(t.app, Post, { isDeleted: 1 }),
      await insert(t.app, Post, { tenantId: '000002' }),
    ]
    const give = (...ids: string[]) => post('/blade-system/user/submit', { id, postId: ids.join() })
    for (const wrong of [removed.id, foreign.id, '4711'])
      expect(await give(own.id, wrong)).toMatchObject({
        code: 29005,
        data: [{ field: 'postId', msg: '职务岗位不存在，请重新选择' }],
      })
    expect((await give(own.id)).code).toBe(200)
  })

  test('a reference stays with what it shares when that alone is changed', async () => {
    const [exam, other] = [await newExam('TIED1'), await newExam('TIED2')]
    const stage = await insert(t.app, Examinationitem, { examId: exam.id })
    const { id } = await insert(t.app, Examroom, { examId: exam.id, itemId: stage.id })
    const move = (examId: string) => post('/blade-exam/examroom/submit', { id, examId, version: 0 })
    expect(await move(other.id)).toMatchObject({ code: 29005, data: [{ field: 'itemId' }] })
    expect((await move(exam.id)).code).toBe(200)
  })
})

describe('B7 · mass assignment', () => {
  const offered = resources.filter(one => one.can.includes('edit'))

  test.each(offered.map(one => [one.name, one] as const))(
    '%s: nothing but what may be written is',
    async (_, resource) => {
      const { entity, path } = resource
      const writable = new Set(writableFields(entity))
      const row = await insert(t.app, entity as never)
      const [before] = await stored(entity.name.replaceAll('-', '_'), 'id = $1', [(row as { id: string }).id])
      const forbidden = Object.keys(before).filter(name => !writable.has(name) && name !== 'id' && name !== 'version')
      const payload = Object.fromEntries(forbidden.map(name => [name, name === 'tenantId' ? '000002' : '7']))
      const version = before.version ?? 0
      await post(`${path}/submit`, { ...payload, id: before.id, version })
      const [after] = await stored(entity.name.replaceAll('-', '_'), 'id = $1', [before.id])
      // The server itself may fill such a field; what the caller sent must not arrive there.
      const arrived = forbidden.filter(name => String(after[name]) === payload[name])
      expect(arrived.filter(name => String(before[name]) !== payload[name])).toEqual([])
    },
  )

  test('a new row is never somebody else’s, released or another’s id', async () => {
    const row = await makeParam('mass.1', { id: '', tenantId: '000002', createUser: '1', isDeleted: 1, status: 9 })
    expect(row).toMatchObject({ tenantId: '000000', createUser: admin.userId, isDeleted: 0, status: 1 })
    const sent = sample(Examination, { examCode: 'MASS2', examStatus: 1 as never, releaseUser: '1' })
    const dept = (await stored('dept', '"tenantId" = $1 AND "isDeleted" = 0', ['000000']))[0]
    const time = { signStartTime: '2026-07-01 00:00:00', signEndTime: '2026-07-09 00:00:00' }
    const late = { modifyEndTime: '2026-07-10 00:00:00', examineEndTime: '2026-07-11 00:00:00' }
    const biz = (await stored('dict_biz', `code = 'exam_type' AND "parentId" > 0`, []))[0]
    const body = { ...sent, ...time, ...late, deptId: dept.id, examType: biz.dictKey }
    expect(await post('/blade-exam/examination/submit', body)).toMatchObject({ code: 200 })
    expect(await stored('examination', '"examCode" = $1', ['MASS2'])).toMatchObject([
      { examStatus: 0, releaseUser: null },
    ])
  })
})

describe('actions of data', () => {
  test('change rows that meet their condition, once', async () => {
    const role = await insert(t.app, Role, { isBack: 0 })
    const other = await signIn(t, { role: 'administrator' })
    const on = (who = admin) => post(`/blade-system/role/backOn?id=${role.id}`, {}, who)
    const codes = (await Promise.all([on(), on(), on()])).map(one => one.code)
    expect([...codes, (await on(other)).code]).toEqual([200, 200, 200, 29009])
    expect(await stored('role', 'id = $1', [role.id])).toMatchObject([{ isBack: 1, updateUser: admin.userId }])
    expect((await post('/blade-system/role/backOn?id=1')).code).toBe(29001)
    expect((await post('/blade-system/role/backOn')).code).toBe(29005)
  })
})

describe('rows in the form of another', () => {
  const at = '/blade-system/menu'
  const menu = { name: '表', code: 'form_rows', alias: 'x', sort: 1, category: 1 }
  const scope = (resourceCode: string, more: object = {}) => ({
    resourceCode,
    scopeName: resourceCode,
    scopePath: '/api/blade-report/report/rest/list',
    scopeType: 1,
    ...more,
  })
  const scopes = async () =>
    (
      await t.pool.query(
        `SELECT "resourceCode", "scopeName" FROM api_scope WHERE "isDeleted" = 0 AND "resourceCode" LIKE 'a:%' ORDER BY "resourceCode"`,
      )
    ).rows.map(row => `${row.resourceCode} ${row.scopeName}`)
  const idOf = async (table: string, column: string, value: string) =>
    (await stored(table, `"${column}" = $1 AND "isDeleted" = 0`, [value]))[0]?.id as string

  test('are saved with it, or neither is', async () => {
    const wrong = await post(`${at}/submit`, {
      ...menu,
      'api-scope': [scope('a:1'), scope('a:2', { scopeName: '', scopePath: 'x' })],
    })
    expect(wrong).toMatchObject({ code: 29005, msg: expect.stringContaining('第2行：') })
    expect((wrong.data as { field: string }[]).map(one => one.field).toSorted()).toEqual([
      'api-scope.1.scopeName',
      'api-scope.1.scopePath',
    ])
    expect([await scopes(), await idOf('menu', 'code', menu.code)]).toEqual([[], undefined])
    expect((await post(`${at}/submit`, { ...menu, 'api-scope': [scope('a:1'), scope('a:2')] })).code).toBe(200)
    expect(await scopes()).toEqual(['a:1 a:1', 'a:2 a:2'])
    const twice = await post(`${at}/submit`, { ...menu, code: 'more', 'api-scope': [scope('a:1')] })
    expect(twice).toMatchObject({ code: 29004, data: [{ field: 'api-scope.0.resourceCode' }] })
    expect(await idOf('menu', 'code', 'more')).toBeUndefined()
    expect((await post(`${at}/submit`, { ...menu, code: 'more', 'api-scope': 'all' })).code).toBe(29005)
  })

  test('are changed, removed and added by one submit, and those it does not name stay', async () => {
    const id = await idOf('menu', 'code', menu.code)
    const first = await idOf('api_scope', 'resourceCode', 'a:1')
    const rows = [scope('a:1', { scopeName: '新' }), { id: first, isDeleted: 1 }]
    expect((await post(`${at}/submit`, { id, name: '改', 'api-scope': rows })).code).toBe(200)
    expect(await scopes()).toEqual(['a:1 新', 'a:2 a:2'])
    expect(await stored('menu', 'id = $1', [id])).toMatchObject([{ name: '改' }])
    const second = { id: await idOf('api_scope', 'resourceCode', 'a:2'), scopeName: '二' }
    expect((await post(`${at}/submit`, { id, 'api-scope': [second] })).code).toBe(200)
    expect(await scopes()).toEqual(['a:1 新', 'a:2 二'])
  })

  test('are those of this row alone, and want the permission of their own', async () => {
    const [{ id: elsewhere }] = await stored('menu', 'code = $1', ['param'])
    const one = { id: await idOf('api_scope', 'resourceCode', 'a:2'), scopeName: '三' }
    for (const row of [one, { ...one, isDeleted: 1 }])
      expect((await post(`${at}/submit`, { id: elsewhere, 'api-scope': [row] })).code).toBe(29001)
    const exam = await newExam('rows')
    const keeper = await signIn(t, { permissions: ['examination', 'examination_edit', 'typecode_edit'] })
    await insert(t.app, Examuser, { userId: keeper.userId, examId: exam.id, examRole: 1, units: null, codes: null })
    const code = { typeName: '甲', type: '01', typeCode: 'A', sort: 1 }
    const add = (who: Caller) =>
      post('/blade-exam/examination/submit', { id: exam.id, version: 0, typecode: [code] }, who)
    expect((await add(keeper)).code).toBe(403)
    expect((await add(admin)).code).toBe(200)
    expect(await stored('typecode', '"examId" = $1', [exam.id])).toMatchObject([{ typeCode: 'A', examId: exam.id }])
    await t.pool.query('DELETE FROM api_scope')
  })

  test('are described for programs', async () => {
    const { paths } = (await t.app.inject('/api/docs/json')).json()
    const { properties } = paths[`/api${at}/submit`].post.requestBody.content['application/json'].schema
    const row = properties['api-scope'].items.properties
    expect(Object.keys(row)).toEqual(expect.arrayContaining(['id', 'isDeleted', 'resourceCode', 'scopePath']))
    expect(row.menuId).toBeUndefined()
  })
})

describe('sign-ups', () => {
  test('are seen whole by their owner alone, and masked by staff', async () => {
    const [one, two] = [await signIn(t, { role: 'candidate' }), await signIn(t, { role: 'candidate' })]
    const idCard = sampleIdCard(55)
    const mine = await insert(t.app, Signup, { userId: one.userId, examId: '1', idCard })
    await insert(t.app, Signup, { userId: two.userId, examId: '1', idCard: sampleIdCard(56) })
    const list = await get<{ records: Row[]; total: number }>('/blade-signup/signup/page', one)
    expect(list.data).toMatchObject({ total: 1, records: [{ id: mine.id }] })
    const masked = `${idCard.slice(0, 6)}********${idCard.slice(-4)}`
    const staff = await get<{ records: Row[] }>(`/blade-signup/signup/page?idCard=${idCard}`)
    expect(staff.data.records).toMatchObject([{ id: mine.id, idCard: masked }])
  })
})
