import { expect, test } from 'vitest'
import { compileForm } from './form-validator.ts'

const form = (most: number) => ({ type: 'object', properties: { text: { type: 'string', maxLength: most } } })

test('more forms than are kept are each checked by their own rules, also one whose place another took', () => {
  const tooLong = (most: number) => compileForm(form(most))({ text: 'x'.repeat(200) })
  const found = Array.from({ length: 310 }, (_, most) => tooLong(most).length)
  expect(found).toEqual(Array.from({ length: 310 }, (_, most) => (most < 200 ? 1 : 0)))
  expect([tooLong(0), tooLong(309)]).toEqual([[{ path: ['text'], keyword: 'maxLength' }], []])
})

test('a missing value is named, and so is one inside a list, whatever its name is made of', () => {
  const row = { type: 'object', properties: { 'a/b~': { type: 'string', pattern: '^x$' } }, required: ['c'] }
  const check = compileForm({ type: 'object', properties: { rows: { type: 'array', items: row } }, required: ['name'] })
  expect(check({ rows: [{ c: 1 }, { 'a/b~': 'y' }] })).toEqual([
    { path: ['name'], keyword: 'required' },
    { path: ['rows', '1', 'c'], keyword: 'required' },
    { path: ['rows', '1', 'a/b~'], keyword: 'pattern' },
  ])
})
