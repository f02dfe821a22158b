import { describe, expect, test } from 'vitest'
import { resources } from '#resources'
import '../../tests/helper/screens-page.tsx'
import { type AnyAction, actionsAt } from './actions.ts'
import { partly, readAnswer } from './answers.ts'
import { rowName } from './fields/shown-name.ts'
import { messagesOf } from './form-messages.ts'
import { bodyOf, startValues, visibleFields, withoutStrays } from './form-values.ts'
import { partsOf } from './run-action.ts'
import { filtersOf } from './use-rows.ts'

const named = (name: string) => {
  const found = resources.find(one => one.name === name)
  if (!found) throw new Error(name)
  return found
}

const action = (resource: string, name: string): AnyAction => {
  const all = (['row', 'rows', 'toolbar'] as const).flatMap(place => actionsAt(named(resource), place))
  return all.find(one => one.name === name) as AnyAction
}

test.each([
  ['param', { paramName: ' 站点名称 ' }, '站点名称'],
  ['param', {}, ''],
  // What a row is called by another one is read, and not its number.
  ['notifyread', { noticeId: '1123598812738675201', noticeIdName: '考前须知' }, '考前须知'],
  ['notifyread', { noticeId: '1123598812738675201' }, ''],
])('a row of %s is called as its list shows it', (name, row, text) => {
  expect(rowName(named(name).entity, row)).toBe(text)
})

describe('a form', () => {
  test('starts a new row with the defaults and what the caller knows', () => {
    expect(startValues(named('dict'), null, { parentId: '7' })).toEqual({ parentId: '7', isSealed: 0 })
  })

  test('takes the wire apart: empty texts are nothing, numbers are numbers', () => {
    const row = { id: '1', deptCategory: '2', deptName: '甲', sort: '3', remark: '' }
    expect(startValues(named('dept'), row)).toEqual({ deptCategory: 2, deptName: '甲', sort: 3 })
  })

  test('forgets the stage of one exam when another exam is chosen', () => {
    const before = { examId: '1', itemId: '7', roomNo: '001' }
    expect(withoutStrays(named('examroom'), before, { ...before, examId: '2' })).toEqual({ examId: '2', roomNo: '001' })
    expect(withoutStrays(named('examroom'), before, { ...before, roomNo: '002' })).toMatchObject({ itemId: '7' })
    expect(withoutStrays(named('examroom'), {}, before)).toEqual(before)
  })

  test('sends what a person cleared as an empty text, and never what was never there', () => {
    const row = { id: '1', remark: 'old', paramName: 'a' }
    expect(bodyOf(named('param'), { paramName: 'b' }, row)).toEqual({ paramName: 'b', remark: '' })
    expect(bodyOf(named('param'), { paramName: 'b' }, null)).toEqual({ paramName: 'b' })
  })

  test('guards an edit with the version the row was read with', () => {
    expect(bodyOf(named('examination'), {}, { id: '1', version: 4 })).toEqual({ version: 4 })
  })

  test('shows an input only while its condition holds, and sends it only then', () => {
    const exam = named('examination')
    expect(visibleFields(exam, { needPay: 0 }).has('payStartTime')).toBe(false)
    expect(visibleFields(exam, { needPay: 1 }).has('payStartTime')).toBe(true)
    expect(bodyOf(exam, { needPay: 0, payStartTime: '2026-01-01 00:00:00' }, null)).toEqual({ needPay: 0 })
  })
})

describe('messages', () => {
  const broken = (name: string, property: string) => [{ name, property, stack: '' }]
  const said = (resource: string, name: string, property: string, values: object, row: object | null = null) =>
    messagesOf(broken(name, `.${property}`), named(resource), values as never, row as never).map(one => one.message)

  test.each([
    ['param', 'required', 'paramName', {}, '请输入参数名称'],
    ['tenant-package', 'required', 'packageName', {}, '请输入产品包名称'],
    ['tenant-package', 'required', 'menuId', {}, '请选择菜单'],
    ['user', 'required', 'phone', {}, '手机号码不能为空'],
    ['user', 'format', 'phone', { phone: '123' }, '手机号码长度不为11位'],
    ['user', 'format', 'idCard', { idCard: '110101199003071234' }, '证件号码校验位错误'],
    ['user', 'format', 'email', { email: 'a' }, '邮箱格式不正确'],
    ['param', 'maxLength', 'paramName', { paramName: 'x' }, '不能超过 100 个字'],
    ['examitems', 'minimum', 'planNum', { planNum: 0 }, '不能小于 1'],
  ])('%s %s %s', (resource, rule, property, values, message) => {
    expect(said(resource, rule, property, values)).toEqual([message])
  })

  test('an unchanged masked number is no mistake, a changed one is', () => {
    const row = { idCard: '350102********1234' }
    expect(said('user', 'format', 'idCard', { ...row }, row)).toEqual([])
    expect(said('user', 'format', 'idCard', { idCard: '350102********1235' }, row)).toHaveLength(1)
  })
})

describe('a call of an action', () => {
  test('carries the row and what the definition fixes', () => {
    expect(partsOf(named('user'), action('user', 'disable'), { ids: ['5'] })).toEqual({
      method: 'POST',
      url: '/blade-system/user/changeStatus',
      query: { id: '5', status: '2' },
      body: undefined,
    })
  })

  test('carries several rows and what was asked under the names of the call', () => {
    const values = { roleIds: '1,2' }
    const { query } = partsOf(named('user'), action('user', 'grant'), { ids: ['5', '6'], values })
    expect(query).toEqual({ userIds: '5,6', roleIds: '1,2' })
  })

  test('puts in the body what the call does not name', () => {
    const values = { exemptReason: '低保' }
    const { query, body } = partsOf(named('payrecord'), action('payrecord', 'exempt'), { ids: ['5'], values })
    expect({ query, body }).toEqual({ query: { id: '5' }, body: values })
  })
})

describe('an answer', () => {
  test.each([[{}], [null], [{ id: '1' }], [{ changed: 2, total: 2 }], [{ ok: ['1'], skipped: [] }]])(
    'with nothing to read: %j',
    answer => expect(readAnswer(answer)).toBeNull(),
  )

  test('with one-time passwords is shown without ids', () => {
    const report = readAnswer([{ userId: '1', account: 'a', password: 'p' }])
    expect(report?.columns).toEqual(['account', 'password'])
  })

  test('with skipped rows tells why', () => {
    expect(readAnswer({ ok: [], skipped: [{ id: '1', reason: 'x' }] })?.columns).toEqual(['reason'])
  })

  test('with skipped rows says of how many rows, and which they were', () => {
    const answer = { ok: ['2', '3'], skipped: [{ id: '1', reason: 'x' }] }
    expect(readAnswer(answer, id => ({ name: `row ${id}` }))?.lines).toEqual([{ id: '1', name: 'row 1', reason: 'x' }])
    expect(partly(answer)).toEqual({ changed: 2, total: 3 })
    expect(partly({ ok: ['1'], skipped: [] })).toBeNull()
  })

  test('that changed fewer rows than chosen says so', () => {
    expect(partly({ changed: 1, total: 3 })).toEqual({ changed: 1, total: 3 })
    expect(partly({ changed: 3, total: 3 })).toBeNull()
  })
})

test('a search drops what is empty, trims texts and keeps open spans', () => {
  const search = { name: ' 张 ', code: '', state: undefined, createTime: [undefined, '2026-01-01'], other: ['', ''] }
  expect(filtersOf(search)).toEqual([
    { field: 'name', operator: 'eq', value: '张' },
    { field: 'createTime', operator: 'between', value: [undefined, '2026-01-01'] },
  ])
})
