import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sentence, setLanguage, startLanguage, t } from '../../src/platform/i18n/i18n.ts'
import { english, englishFiles } from '../helper/english.ts'
import { browserFiles } from '../helper/tree.ts'

/** Pages and layouts; the sign-in page keeps its few words itself, and definitions have a test of their own. */
const files = browserFiles.filter(
  file => /\.tsx?$/.test(file) && !/^src\/(web\/login|screens\/(fields\/)?[^/]+$)/.test(file),
)

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|(?<=\s)\/\/.*/g, '')
const chinese = /'([^'\n]*\p{Script=Han}[^'\n]*)'/gu

test('there are files to look at', () => expect(files.length).toBeGreaterThan(400))

test.each(files)('every Chinese text of %s has its English', file => {
  const texts = [...withoutComments(readFileSync(file, 'utf8')).matchAll(chinese)].map(match => match[1] ?? '')
  expect(texts.filter(text => english[text] === undefined && text !== '中文')).toEqual([])
})

test('no text has two kinds of English', () => {
  const all = englishFiles.flatMap(file => Object.keys(JSON.parse(readFileSync(file, 'utf8'))))
  expect(all.filter((text, i) => all.indexOf(text) !== i)).toEqual([])
})

test('no English text lost a variable of its Chinese', () => {
  const variables = (text: string): string[] => [...text.matchAll(/\{\{\w+\}\}/g)].map(String).toSorted()
  const lost = Object.entries(english).filter(([zh, en]) => String(variables(zh)) !== String(variables(en)))
  expect(lost).toEqual([])
})

test('what is wrong in a form is said in the language in use', async () => {
  const said = [
    '请输入姓名',
    '姓名格式不正确',
    '姓名含有不可见字符，请重新输入',
    '身高不能小于150',
    '出生日期不能早于1980-01-01',
    '岗位至少选择2项',
    '第2条：姓名不是有效的日期',
    '照片单个不能超过500KB',
    '照片不支持gif格式，可用jpg、png',
    '附件合计不能超过50MB',
  ]
  await startLanguage()
  expect(said.map(sentence)).toEqual(said)
  await setLanguage('en')
  const names = /身高|照片/g
  expect(said.map(sentence).filter(one => /\p{Script=Han}/u.test(one.replace(names, '')))).toEqual([])
  await setLanguage('zh')
})

test('one thing is said of in the singular, several in the plural', async () => {
  await startLanguage()
  await setLanguage('en')
  expect([1, 2, 0].map(n => t('{{n}} 个岗位', { n }))).toEqual(['1 position', '2 positions', '0 positions'])
  expect([1, 12].map(n => sentence(`还有${n}个岗位待定`))).toEqual([
    '1 position is undecided',
    '12 positions are undecided',
  ])
  await setLanguage('zh')
  expect(t('{{n}} 个岗位', { n: 1 })).toBe('1 个岗位')
})
