import { readFileSync } from 'node:fs'
import path from 'node:path'
import { filesBelow } from './tree.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** The files of the product's English: that of the definitions and the server, that of the pages, and that of single channels. */
export const englishFiles = [
  ...filesBelow('resources/english', 'src/platform/i18n/locales'),
  ...filesBelow('src/platform/channels').filter(file => file.endsWith('/english.json')),
].map(file => path.join(root, file))

/** All English by its Chinese. */
export const english: Readonly<Record<string, string>> = Object.assign(
  {},
  ...englishFiles.map(file => JSON.parse(readFileSync(file, 'utf8'))),
)
