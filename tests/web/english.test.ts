import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { english, englishFiles } from '../helper/english.ts'

/** Parts whose Chinese has its English in `locales/`. A new part adds itself here. */
const PARTS = [
  'src/web',
  'src/web/chrome',
  'src/web/providers',
  'src/modules/desk/pages',
  'src/web/error',
  'src/modules/exams/pages',
  'src/modules/review/pages',
  'src/modules/tickets/pages',
  'src/modules/tickets/pages/check-in',
  'src/modules/reduction/pages',
  'src/platform/access/pages',
  'src/modules/results/pages',
  'src/web/pages/statistics',
  'src/web/pages/system',
  'src/screens/tasks',
  'src/modules/reduction/pages/candidate',
  'src/modules/desk/pages/candidate',
  'src/modules/sign-up/pages/exams',
  'src/modules/sign-up/pages/form',
  'src/screens/candidate/files',
  'src/screens/candidate/inputs',
  'src/modules/sign-up/pages/mine',
  'src/modules/payment/pages/candidate',
  'src/modules/tickets/pages/candidate',
  'src/modules/results/pages/candidate',
  'src/modules/notices/pages/candidate',
  'src/platform/accounts/pages/candidate',
  'src/screens/candidate',
  'src/web/pages/candidate',
  'src/web/pages/public',
  'src/modules/notices/pages',
  'src/modules/notices/pages/public',
  'src/platform/auth/pages/outside',
  'src/platform/accounts/pages/register',
  'src/platform/accounts/pages/own',
  'src/modules/workflow/pages',
  'src/modules/development/pages',
  'src/modules/payment/pages',
  'src/modules/messages/pages',
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
