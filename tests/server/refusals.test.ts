import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  addRefusals,
  isRefusal,
  Refusal,
  refusalCode,
  refuse,
  refuseSaying,
} from '../../src/platform/http/server/refusal.ts'
import { englishOf } from '../../src/platform/http/server/refusal-english.ts'
import { refusals } from '../../src/server/refusals.ts'
import { browserFiles, filesBelow, serverFiles } from '../helper/tree.ts'

const table = Object.entries(refusals)
const root = path.resolve(import.meta.dirname, '../..')
const isOther = (file: string) => /\.tsx?$/.test(file) && !file.endsWith('/refusals.ts')
const server = [...serverFiles, ...filesBelow('resources')].filter(isOther)
const source = (file: string) => readFileSync(path.join(root, file), 'utf8')

describe('the table of refusals', () => {
  test('code, status and text are on the wire as they have always been', () => {
    const frozen = readFileSync(path.join(import.meta.dirname, 'refusals.tsv'), 'utf8')
      .trim()
      .split('\n')
      .slice(1)
    expect(table.map(([, [code, status, text]]) => [code, status, text].join('\t')).toSorted()).toEqual(
      frozen.toSorted(),
    )
  })

  test('no code means two refusals', () => {
    const codes = table.map(([, [code]]) => code)
    expect(codes.filter((code, i) => codes.indexOf(code) !== i)).toEqual([])
    expect(() => addRefusals({ 'lamp.broken': [29001, 404, '灯坏了', 'The lamp is broken'] })).toThrow(/row\.notFound/)
    expect(() => addRefusals({ 'row.notFound': [29999, 404, '无', 'None'] })).toThrow(/defined twice/)
  })

  test('every name stands in a place that refuses with it', () => {
    const text = server.map(source).join('\n')
    expect(table.map(([name]) => name).filter(name => !text.includes(`'${name}'`))).toEqual([])
  })

  test('every English text keeps the values of its Chinese', () => {
    const braces = (text: string) => [...text.matchAll(/\{[^}]+\}/g)].map(String).toSorted()
    for (const [name, [, , chinese, english]] of table) {
      expect([name, braces(english)]).toEqual([name, braces(chinese)])
      expect(english).not.toBe('')
      expect(english.replace(/\{[^}]+\}/g, '')).not.toMatch(/\p{Script=Han}/u)
    }
  })

  test('no number of a refusal stands outside its table', () => {
    const codes = table.map(([, [code]]) => code).filter(code => code > 20000)
    // In quotes and patterns stand codes of PostgreSQL.
    const number = new RegExp(`(?<![\\d'.]|\\^\\()(${codes.join('|')})(?![\\d.])`)
    const found = [...server, ...browserFiles.filter(isOther)].flatMap(name =>
      source(name)
        .split('\n')
        .flatMap((line, i) =>
          number.test(line) || /\b(refuse|new Refusal)\(\d/.test(line) ? `${name}:${i + 1} ${line.trim()}` : [],
        ),
    )
    expect(found).toEqual([])
  })
})

describe('a refusal', () => {
  test('has the values of its text, in both languages', () => {
    const refusal = refuse('review.taken', { 审核人: '张三', 时间: '09:00' }, { id: '1' })
    expect(refusal).toMatchObject({ code: 22031, status: 409, data: { id: '1' } })
    expect([refusal.message, englishOf(refusal)]).toEqual([
      '该报名已由张三于09:00处理，请刷新',
      '张三 decided on this at 09:00; please refresh',
    ])
  })

  test('may say a sentence of its own', () => {
    const refusal = refuseSaying('auth.providerUnavailable', '请先阅读并同意《个人信息处理告知书》')
    expect(refusal).toMatchObject({ code: 20042, status: 400, message: '请先阅读并同意《个人信息处理告知书》' })
    expect(englishOf(refusal)).not.toBe(englishOf(refuse('auth.providerUnavailable')))
    expect(englishOf(refusal)).not.toMatch(/\p{Script=Han}/u)
    // HTTP's own say the same whatever their sentence.
    expect(englishOf(refuseSaying('request.forbidden', '没有导出权限'))).toBe('You have no permission for this')
  })

  test('is known by its name, whatever it says', () => {
    const refusal = refuseSaying('row.wrongState', '功能尚未开放')
    expect([isRefusal(refusal, 'row.notFound', 'row.wrongState'), isRefusal(refusal, 'row.notFound')]).toEqual([
      true,
      false,
    ])
    expect(isRefusal({ code: refusalCode('row.wrongState') }, 'row.wrongState')).toBe(false)
    expect(new Refusal(418, 418, '无').code).toBe(418)
  })
})
