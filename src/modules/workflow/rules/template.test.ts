import { expect, test } from 'vitest'
import type { Value } from './expression.ts'
import { fillTemplate, literalOf, readTemplate, templateValue, templateVariables } from './template.ts'

const known = {
  name: '李雷',
  days: 3,
  none: null,
  people: ['3', '4'],
  order: { id: '9', lines: [] },
  yes: true,
  odd: 'a b&c',
}

test.each([
  ['', ''],
  ['plain', 'plain'],
  ['${name}', '李雷'],
  ['#{name}', '李雷'],
  ['申请人：${name}，${days + 1}天', '申请人：李雷，4天'],
  ['${name}${days}', '李雷3'],
  ['[${none}]', '[]'],
  ['${people}', '3,4'],
  ['${order}', '{"id":"9","lines":[]}'],
  ['${order.lines}', ''],
  ['${yes}', 'true'],
  ['{"a": "${name}"}', '{"a": "李雷"}'],
  ['${\'}\'}${"{"}', '}{'],
  ["${'it\\'s }'}", "it's }"],
  ['100% $ # { }', '100% $ # { }'],
  ['a\n${days}\nb', 'a\n3\nb'],
  ["${days > 2 ? '长' : '短'}", '长'],
])('%s is filled in', (text, filled) => expect(fillTemplate(readTemplate(text), known)).toBe(filled))

test.each(['${', 'x ${', '${}', '${a', '${a b}', "${'}", '${{a}}', 'x #{', '${a} ${', '${"}'])(
  '%s is no text to fill in',
  text => expect(() => readTemplate(text)).toThrow('表达式不正确'),
)

test('values are written as the place needs it', () => {
  const write = (value: Value) => encodeURIComponent(String(value))
  expect(fillTemplate(readTemplate('/x?q=${odd}&n=${name}'), known, write)).toBe('/x?q=a%20b%26c&n=%E6%9D%8E%E9%9B%B7')
})

test('a variable that is missing is not left out', () => {
  expect(() => fillTemplate(readTemplate('hello ${nobody}'), known)).toThrow('缺少流程变量：nobody')
})

test('a text that is one expression has its value', () => {
  expect(templateValue(readTemplate('${people}'), known)).toEqual(['3', '4'])
  expect(templateValue(readTemplate(' ${people}'), known)).toBe(' 3,4')
  expect(templateValue(readTemplate('plain'), known)).toBe('plain')
  expect(templateValue(readTemplate(''), known)).toBe('')
})

test('a text without expressions is known before anything runs', () => {
  expect([literalOf(readTemplate('plain')), literalOf(readTemplate('')), literalOf(readTemplate('a ${b}'))]).toEqual([
    'plain',
    '',
    null,
  ])
})

test('the variables of a text', () => expect(templateVariables(readTemplate('${a} ${b.c} ${a}'))).toEqual(['a', 'b']))

test('nothing takes long', () => {
  const began = Date.now()
  for (const text of ['${'.repeat(300_000), "${'".repeat(300_000), '${"\\'.repeat(200_000), '${a'.repeat(300_000)])
    expect(() => readTemplate(text)).toThrow('表达式不正确')
  expect(Date.now() - began).toBeLessThan(2000)
})
