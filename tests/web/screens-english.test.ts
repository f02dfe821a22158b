import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { headingOf } from '#engine'
import { modules } from '#resources'
import { menuPlaces } from '#resources/menu-places'
import { texts } from '#resources/texts'
import { dictionaries } from '#schemas'
import { english } from '../helper/english.ts'
import { browserFiles } from '../helper/tree.ts'

/** Every text the generated screens and fields translate. */
function screenTexts(): string[] {
  const files = browserFiles.filter(file => /^src\/screens\/(fields\/)?[^/]+$/.test(file))
  const found = files.flatMap(file =>
    [...readFileSync(file, 'utf8').matchAll(/'([^'\n]*[\u4e00-\u9fff][^'\n]*)'/g)].map(match => match[1] as string),
  )
  return [...new Set(found)]
}

test('every text of a definition has English', () => {
  expect(texts().filter(text => !english[text])).toEqual([])
})

test('every text of the generated screens has English', () => {
  expect(screenTexts().filter(text => !english[text])).toEqual([])
})

/** Texts whose English is longer than fits, in characters. */
const longer = (shown: readonly string[], most: number): string[] =>
  [...new Set(shown)].filter(text => text.length > most)

const said = (text: string): string => english[text] ?? text

test('an entry of the menu has at most 22 characters', () => {
  const groups = menuPlaces.flatMap(({ group }) => group ?? [])
  const entries = [...groups, ...modules.flatMap(one => [one, ...(one.pages ?? []), ...one.resources, ...one.views])]
  expect(
    longer(
      entries.map(one => said(one.title)),
      22,
    ),
  ).toEqual([])
})

test('a heading of a column has at most 28 characters', () => {
  const screens = modules.flatMap(one => [...one.resources, ...one.views])
  const headings = screens.flatMap(one => one.columns.map(({ field }) => headingOf(one, field).map(said).join(' · ')))
  expect(longer(headings, 28)).toEqual([])
})

/** Words that are said of what is done and of what has come of it alike. */
const both = ['作废', '免缴', '恢复', '新增', '查看', '撤销审核', '运行']

test('a button whose word is also that of a state says what it does', () => {
  const states = new Set(dictionaries.flatMap(one => Object.values<string>(one.entries)))
  const buttons = modules
    .flatMap(one => [...one.resources, ...one.views])
    .flatMap(one => Object.values<{ label: string }>(one.actions))
  const shared = [...new Set(buttons.map(one => one.label))].filter(label => states.has(label))
  expect(shared.filter(label => !english[`${label}_act`]).toSorted()).toEqual(both.toSorted())
})

test('one term stands for one thing', () => {
  const refused =
    /\b(anew|in force|put on|take off|goes on|(un)?hand(ed|s|ing)? in|job post|posts|post (code|category|name)|recruiting unit|choos(e|ing) (another post|anew)|publicity|opening ratio)\b/i
  expect(Object.values(english).filter(text => refused.test(text))).toEqual([])
})
