import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { filesAsTheyAre } from '../tools/release/release.ts'

const root = path.resolve(import.meta.dirname, '..')
const files = filesAsTheyAre(root)
/** Files of a release, and the folders that they are in. */
const there = new Set(files.flatMap(file => file.split('/').map((_, at, all) => all.slice(0, at + 1).join('/'))))

/** The name by which a heading is led to. */
const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const documents = files.filter(file => file.endsWith('.md'))
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

test('every link of a document of a release leads to what the release has', () => {
  expect(documents.length).toBeGreaterThan(10)
  const dead = documents.flatMap(file =>
    [...read(file).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
      if (/^[a-z]+:/.test(link)) return []
      const [where = '', anchor] = link.split('#')
      const goal = where === '' ? file : path.posix.join(path.posix.dirname(file), where)
      if (!there.has(goal)) return [`${file}: ${link}`]
      const headings = goal.endsWith('.md')
        ? [...read(goal).matchAll(/^#+ (.*)$/gm)].map(([, text = '']) => anchorOf(text))
        : []
      return anchor && !headings.includes(anchor) ? [`${file}: ${link}`] : []
    }),
  )
  expect(dead).toEqual([])
})

test('nobody is sent to a command that an installed release refuses', () => {
  const refused = /npm run (bench|look|dev|check)\b/
  const guides = documents.filter(file => /^docs\/(deploy|handbook)/.test(file))
  expect(guides).toHaveLength(4)
  expect(guides.filter(file => refused.test(read(file)))).toEqual([])
})
