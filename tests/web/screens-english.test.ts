import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { texts } from '#resources/texts'
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
