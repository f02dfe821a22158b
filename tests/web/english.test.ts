import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { english, englishFiles } from '../helper/english.ts'

/** Parts whose Chinese has its English in `locales/`. A new part adds itself here. */
const PARTS = [
  'src/web',
  'src/web/chrome',
  'src/web/providers',
  'src/web/pages/home',
  'src/web/pages/error',
  'src/web/pages/exam',
  'src/web/pages/examine',
  'src/web/pages/ticket',
  'src/web/pages/checkin',
  'src/web/pages/reduction',
  'src/web/pages/role',
  'src/web/pages/result',
  'src/web/pages/statistics',
  'src/web/pages/system',
  'src/web/pages/tasks',
  'src/web/pages/candidate/adjust',
  'src/web/pages/candidate/home',
  'src/web/pages/candidate/exams',
  'src/web/pages/candidate/form',
  'src/web/pages/candidate/files',
  'src/web/pages/candidate/inputs',
  'src/web/pages/candidate/mine',
  'src/web/pages/candidate/pay',
  'src/web/pages/candidate/ticket',
  'src/web/pages/candidate/score',
  'src/web/pages/candidate/notice',
  'src/web/pages/candidate/info',
  'src/web/pages/candidate/parts',
  'src/web/pages/candidate',
  'src/web/pages/public',
  'src/web/pages/notice',
  'src/web/pages/notice/public',
  'src/web/pages/outside',
  'src/web/pages/register',
  'src/web/pages/info',
  'src/web/pages/flow',
  'src/web/pages/develop',
  'src/web/pages/pay',
  'src/web/pages/send',
]

const filesIn = (folder: string, ending: RegExp): string[] =>
  readdirSync(folder)
    .filter(name => ending.test(name))
    .map(name => `${folder}/${name}`)

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|(?<=\s)\/\/.*/g, '')
const chinese = /'([^'\n]*\p{Script=Han}[^'\n]*)'/gu

test.each(PARTS.flatMap(folder => filesIn(folder, /\.tsx?$/)))('every Chinese text of %s has its English', file => {
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
