import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')

/** The files of the product's English: that of the definitions and the server, and that of the pages. */
export const englishFiles = ['resources/english', 'src/platform/i18n/locales']
  .map(folder => path.join(root, folder))
  .flatMap(folder => readdirSync(folder).map(name => path.join(folder, name)))

/** All English by its Chinese. */
export const english: Readonly<Record<string, string>> = Object.assign(
  {},
  ...englishFiles.map(file => JSON.parse(readFileSync(file, 'utf8'))),
)
