import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parameters } from '#schemas/parameters'
import { refusals } from '../src/server/refusals.ts'
import { pages } from '../tools/reference/pages.ts'
import { wordsOf } from '../tools/reference/words.ts'

const root = new URL('..', import.meta.url).pathname
const engine = readdirSync(`${root}/src/engine`).filter(name => /^(?!index).*(?<!\.test)\.ts$/.test(name))
const words = engine.flatMap(file => wordsOf(file, readFileSync(`${root}/src/engine/${file}`, 'utf8')))

describe('the reference', () => {
  test('explains every word of the definition language', () => {
    expect(words.length).toBeGreaterThan(100)
    expect(words.flatMap(({ name, text }) => (text ? [] : [name]))).toEqual([])
  })

  test('names every word, parameter and refusal', () => {
    const made = pages(root)
    for (const { name } of words) expect(made['words.md']).toContain(`\n### ${name}\n`)
    for (const key of Object.keys(parameters)) expect(made['parameters.md']).toContain(`| \`${key}\` |`)
    for (const [name, [number]] of Object.entries(refusals))
      expect(made['refusals.md']).toContain(`| \`${name}\` | ${number} |`)
  })

  test('reads members, parameters and docstrings', () => {
    const source = `/** A thing. */\nexport interface Thing {\n  /** Its name. */\n  readonly name?: string\n}\n/** Makes one. */\nexport const make = (title: string, size = 1) => ({ title, size })\n`
    expect(wordsOf('thing.ts', source)).toEqual([
      {
        name: 'Thing',
        form: '',
        text: 'A thing.',
        parts: [{ name: 'name', optional: true, type: 'string', text: 'Its name.' }],
      },
      { name: 'make', form: 'make(title, size?)', text: 'Makes one.', parts: [] },
    ])
  })
})
