import { expect, test } from 'vitest'
import { DataScopeType } from '#schemas/dictionaries/administration'
import { bodyOf, columnsFor, conditionFields, gapOf, type Rule, ruleFrom } from './rule.ts'

const row = {
  id: '7',
  menuId: '1',
  scopeName: '规则',
  resourceCode: 'r',
  scopeClass: 'examination',
  scopeType: DataScopeType.custom,
  scopeColumn: '',
  remark: '',
  scopeValue: { examStatus: ['1', '2'], createUser: { not: ['$caller'] } },
}

test('a stored rule comes back from the dialog as it was', () => {
  const { scopeColumn: _column, ...same } = row
  expect(bodyOf(ruleFrom(row))).toMatchObject({ ...same, scopeColumn: '', scopeField: '*' })
})

test('a rule by user or department takes no conditions along, one of all rows no column', () => {
  const rule = { ...ruleFrom(row), scopeType: DataScopeType.own, scopeColumn: 'updateUser' }
  expect(bodyOf(rule).scopeValue).toBeUndefined()
  expect(bodyOf(rule)).toMatchObject({ scopeColumn: 'updateUser' })
  expect(bodyOf({ ...rule, scopeType: DataScopeType.all })).toMatchObject({ scopeColumn: '' })
})

test('offers columns of users or departments, and fields that can be compared', () => {
  const of = (scopeClass: string, scopeType: Rule['scopeType']) => ({ ...ruleFrom(null), scopeClass, scopeType })
  expect(columnsFor(of('user', 3)).map(([name]) => name)).toEqual(['deptId', 'createDept'])
  expect(columnsFor(of('user', 2)).map(([name]) => name)).toContain('createUser')
  const names = conditionFields(of('user', 5)).map(([name]) => name)
  expect(names).toContain('userType')
  expect(names).not.toContain('password')
  expect(names).not.toContain('idCard')
})

test('says the first thing that is missing', () => {
  const empty = ruleFrom(null)
  expect(gapOf(empty)).toBe('请选择菜单')
  const named = { ...empty, menuId: '1', scopeName: 'a', resourceCode: 'b' }
  expect(gapOf(named)).toBe('请选择数据')
  const custom = { ...named, scopeClass: 'user', scopeType: DataScopeType.custom }
  expect(gapOf(custom)).toBe('请至少填写一个条件')
  const [first] = custom.conditions
  const filled = { ...custom, conditions: [{ ...first!, field: 'userType', text: '1，3' }] }
  expect(gapOf(filled)).toBeUndefined()
  expect(bodyOf(filled)).toMatchObject({ scopeValue: { userType: ['1', '3'] } })
})
