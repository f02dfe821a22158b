import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
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
