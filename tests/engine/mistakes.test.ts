import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** Slips of the pen in a definition, and the word the compiler must name. */
const slips = [
  [`columns: ['examNmae']`, `'"examName"'`],
  [`columns: ['releaseUser.realNmae']`, `'"releaseUser.realName"'`],
  [`search: ['examStats']`, `'"examStatus"'`],
  [`sort: '-signStartTim'`, `'"-signStartTime"'`],
  [`serach: ['examName']`, `'search'`],
  [`can: ['remvoe']`, `'"remove"'`],
  [`owner: { field: 'releaseUser', where: {}, fields: ['examNmae'] }`, `'"examName"'`],
  [`form: { 基本: ['orgnizer'] }`, `'"organizer"'`],
  [`actions: { a: { label: '甲', call: 'POST a?id', when: { examStatu: 0 } } }`, `'examStatus'`],
  [`actions: { a: { label: '甲', call: 'POST a?id', confrim: '?' } }`, `'confirm'`],
] as const

const folder = new URL('../.mistakes/', import.meta.url)
const output: string[] = []

beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  const head = `import { resource } from '#engine'; import type {} from '#schemas'\nimport { Examination } from '#schemas/exams/examination'\n`
  const lines = slips.map(([slip]) => `resource(Examination, { path: '/x', ${slip} })`)
  writeFileSync(new URL('slips.ts', folder), `${head}${lines.join('\n')}\n`)
  writeFileSync(
    new URL('tsconfig.json', folder),
    JSON.stringify({ extends: '../../tsconfig.json', include: ['slips.ts'] }),
  )
  const run = promisify(execFile)(process.execPath, [
    'node_modules/typescript/bin/tsc',
    '-p',
    folder.pathname,
    '--pretty',
    'false',
  ])
  const { stdout } = await run.catch((error: { stdout: string }) => error)
  output.push(...stdout.split(/\n(?=\S)/))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a slip in a definition is refused with the nearest right word', () => {
  test.each(slips.map(([slip, word], i) => [slip, word, i + 3] as const))('%s', (_, word, line) => {
    const message = output.find(text => text.includes(`slips.ts(${line},`))
    expect(message, output.join('\n')).toMatch(
      new RegExp(`Did you mean.*${word}|does not exist in type.*Did you mean.*${word}`, 's'),
    )
  })
})
