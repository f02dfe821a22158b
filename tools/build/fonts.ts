import { cpSync, readdirSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'
import { fontPackages, fontsFolder } from '../../src/platform/pdf/font-packages.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** Puts the fonts beside the built program: a few files of packages that are much larger. */
export const fonts: Plugin = {
  name: 'fonts',
  writeBundle({ dir = '' }) {
    for (const [name, wanted] of Object.entries(fontPackages)) {
      const folder = path.join(root, 'node_modules', name)
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      for (const file of files.filter(one => wanted.test(one.replaceAll('\\', '/'))))
        cpSync(path.join(folder, file), path.join(dir, fontsFolder, name, file))
    }
  },
}
