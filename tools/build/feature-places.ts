import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'
import { type Feature, features } from '../../src/platform/database/conformance/features.ts'

const isSource = (file: string): boolean =>
  /\.(?:ts|sql)$/.test(file) &&
  !/\.test\.|\.d\.ts$|\/(?:pages|browser)\//.test(file) &&
  !/^src\/(?:web|screens)\/|^src\/platform\/database\/conformance\//.test(file)

const withoutComments = (file: string, text: string): string =>
  file.endsWith('.sql')
    ? text.replaceAll(/--.*$/gm, '')
    : text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '')

/** How often each file of the server uses each feature of the database, by the name of the feature. */
export function featurePlaces(root: string): Record<string, Record<string, number>> {
  const files = ['src', 'schemas']
    .flatMap(folder =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map(file =>
        `${folder}/${file}`.replaceAll(path.sep, '/'),
      ),
    )
    .filter(isSource)
    .toSorted()
  const texts = files.map(file => [file, withoutComments(file, readFileSync(path.join(root, file), 'utf8'))] as const)
  const entries = Object.entries(features as Record<string, Feature>).map(([name, { pattern }]) => {
    const counts = texts.flatMap(([file, text]) => {
      const count = pattern ? [...text.matchAll(pattern)].length : 0
      return count > 0 ? [[file, count] as const] : []
    })
    return [name, Object.fromEntries(counts)] as const
  })
  return Object.fromEntries(entries)
}

/** `import places from './features.ts?places'`: what {@link featurePlaces} counts when the program is built. */
export const featurePlacesPlugin = (root: string): Plugin => ({
  name: 'feature-places',
  enforce: 'pre',
  load(id) {
    if (!id.endsWith('/features.ts?places')) return null
    return { code: `export default ${JSON.stringify(featurePlaces(root))}`, moduleType: 'js' }
  },
})
