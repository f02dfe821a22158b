import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

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
  'src/web/pages/role',
  'src/web/pages/candidate/home',
  'src/web/pages/candidate/exams',
  'src/web/pages/candidate/form',
  'src/web/pages/candidate/files',
  'src/web/pages/candidate/inputs',
  'src/web/pages/candidate/mine',
  'src/web/pages/candidate/pay',
  'src/web/pages/candidate/ticket',
  'src/web/pages/candidate/notice',
  'src/web/pages/candidate/info',
  'src/web/pages/candidate/parts',
  'src/web/pages/candidate',
  'src/web/pages/public',
  'src/web/pages/register',
]

const filesIn = (folder: string, ending: RegExp): string[] =>
  readdirSync(folder)
    .filter(name => ending.test(name))
    .map(name => `${folder}/${name}`)

const english: Record<string, string> = Object.assign(
  {},
  ...filesIn('src/web/locales', /\.json$/).map(file => JSON.parse(readFileSync(file, 'utf8'))),
)

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|(?<=\s)\/\/.*/g, '')
const chinese = /'([^'\n]*\p{Script=Han}[^'\n]*)'/gu

test.each(PARTS.flatMap(folder => filesIn(folder, /\.tsx?$/)))('every Chinese text of %s has its English', file => {
  const texts = [...withoutComments(readFileSync(file, 'utf8')).matchAll(chinese)].map(match => match[1] ?? '')
  expect(texts.filter(text => english[text] === undefined && text !== '中文')).toEqual([])
})

test('no English text lost a variable of its Chinese', () => {
  const variables = (text: string): string[] => [...text.matchAll(/\{\{\w+\}\}/g)].map(String).toSorted()
  const lost = Object.entries(english).filter(([zh, en]) => String(variables(zh)) !== String(variables(en)))
  expect(lost).toEqual([])
})
