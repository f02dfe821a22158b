import { expect, test } from 'vitest'
import { translator } from './bpmn-texts.ts'
import { braced } from './braced.ts'
import { readCondition, writeCondition } from './condition.ts'
import { inOneNamespace } from './flowable.ts'
import { readDone, readMembers, writeDone, writeMembers } from './loop.ts'
import { newModel } from './new-model.ts'
import { nextName } from './next-name.ts'
import { listed, readAssignee, readGroups, writeAssignee, writeGroups } from './people.ts'
import { placesOf } from './problem-place.ts'
import { readCycle, readDuration, writeCycle, writeDuration } from './timer.ts'

test.each([
  [braced('amount >= 5000'), { by: 'compare', variable: 'amount', sign: '>=', value: '5000' }],
  [braced("kind == 'meal'"), { by: 'compare', variable: 'kind', sign: '==', value: 'meal' }],
  [braced('done != true'), { by: 'compare', variable: 'done', sign: '!=', value: 'true' }],
  [braced('pass'), { by: 'pass', pass: true }],
  [braced('!pass'), { by: 'pass', pass: false }],
  [braced('empty reason'), { by: 'empty', variable: 'reason', isEmpty: true }],
  [braced('!(empty reason)'), { by: 'empty', variable: 'reason', isEmpty: false }],
  [braced('amount >= 5000 && pass'), { by: 'text', text: braced('amount >= 5000 && pass') }],
  // The text '5' would be written as the number 5.
  [braced("code == '5'"), { by: 'text', text: braced("code == '5'") }],
  [undefined, { by: 'always' }],
] as const)('the condition %s is read and written as it was', (text, condition) => {
  expect(readCondition(text)).toEqual(condition)
  expect(writeCondition(condition)).toBe(text)
})

test('a value cannot bring anything else into a condition', () => {
  const written = writeCondition({ by: 'compare', variable: 'kind', sign: '==', value: "a' || pass || 'b" })
  expect(readCondition(written)).toEqual({ by: 'compare', variable: 'kind', sign: '==', value: 'a || pass || b' })
})

test.each([
  [undefined, { by: 'nobody' }],
  [braced('initiator'), { by: 'initiator' }],
  [braced('leader(initiator)'), { by: 'leader' }],
  ['1123598821738675201', { by: 'user', id: '1123598821738675201' }],
  [braced('taskUser'), { by: 'variable', name: 'taskUser' }],
  ['zhangsan', { by: 'text', text: 'zhangsan' }],
  [braced('leader(taskUser)'), { by: 'text', text: braced('leader(taskUser)') }],
] as const)('the assignee %s is read and written as it was', (text, who) => {
  expect(readAssignee(text)).toEqual(who)
  expect(writeAssignee(who)).toBe(text)
})

test('the starter as the modeler of Flowable writes it', () => {
  for (const text of ['$INITIATOR', braced('INITIATOR'), braced(' initiator ')])
    expect(readAssignee(text)).toEqual({ by: 'initiator' })
})

test('groups are told apart by kind, and what is none of them stays', () => {
  const text = `admin,dept:12,post:P1,role:reviewer,${braced('f(a, b)')}`
  const groups = readGroups(text)
  expect(groups).toEqual({ roles: ['admin', 'reviewer'], depts: ['12'], posts: ['P1'], others: [braced('f(a, b)')] })
  expect(readGroups(writeGroups(groups))).toEqual(groups)
  expect(writeGroups(readGroups(undefined))).toBeUndefined()
  expect(listed(' a ,, b ')).toEqual(['a', 'b'])
})

test.each([
  ['all', undefined],
  ['any', braced('nrOfCompletedInstances >= 1')],
  ['majority', braced('nrOfPassed / nrOfInstances > 0.5')],
  ['veto', braced('nrOfRejected>0')],
  ['text', braced('nrOfPassed >= 2')],
] as const)('who decides is done when: %s', (done, text) => {
  expect(readDone(text)).toBe(done)
  if (done !== 'text') expect(readDone(writeDone(done))).toBe(done)
})

test.each([
  [braced("'11,12'"), { by: 'users', ids: ['11', '12'] }],
  [braced('approvers'), { by: 'variable', name: 'approvers' }],
  [braced('order.approvers'), { by: 'text', text: braced('order.approvers') }],
] as const)('the members %s are read and written as they were', (text, members) => {
  expect(readMembers(text)).toEqual(members)
  expect(writeMembers(members)).toBe(text)
})

test('a bare name is a variable, as Flowable has it', () => {
  expect(readMembers('approvers')).toEqual({ by: 'variable', name: 'approvers' })
})

test('lengths of time in one unit, others stay texts', () => {
  for (const [text, count, unit] of [
    ['PT30M', 30, 'minute'],
    ['PT2H', 2, 'hour'],
    ['P3D', 3, 'day'],
  ] as const) {
    expect(readDuration(text)).toEqual({ count, unit })
    expect(writeDuration(count, unit)).toBe(text)
  }
  expect(readDuration('P1DT2H')).toBeUndefined()
  expect(readCycle(writeCycle(3, 'PT1H'))).toEqual({ times: 3, every: 'PT1H' })
})

test('a refusal leads to the element that it names, else to the one above its line', () => {
  const xml = newModel('p', 'n', 's')
  const line = xml.split('\n').findIndex(text => text.includes('<bpmn:startEvent')) + 1
  expect(placesOf(`参数不正确：第${line}行的start：缺少办理人`, xml)[0]).toBe('start')
  expect(placesOf(`第${line}行：不支持的属性`, xml)[0]).toBe('start')
  expect(placesOf('不能保存', xml)).toEqual([])
})

test('names of processes cannot break a new model', () => {
  expect(newModel('p', 'a"<b>&', 's')).toContain('name="a&quot;&lt;b>&amp;"')
})

test('attributes of programs of the same family stand under one address', () => {
  expect(inOneNamespace('xmlns:activiti="http://activiti.org/bpmn"')).toBe('xmlns:activiti="http://flowable.org/bpmn"')
})

test('a name that is not taken', () => {
  expect(nextName([], 'field')).toBe('field1')
  expect(nextName(['field2'], 'field')).toBe('field3')
})

test('texts of the drawing program are said in our words, unknown ones as they are', () => {
  const say = translator((text, values) => `${text}${values?.element ?? ''}`)
  expect(say('Delete')).toBe('删除')
  expect(say('Open {element}', { element: 'A' })).toBe('打开{{element}}A')
  expect(say('Something {x}', { x: '1' })).toBe('Something 1')
})
