import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { unexplained } from './helper/source.ts'

const root = new URL('..', import.meta.url).pathname
const files = ['src', 'schemas', 'resources']
  .flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(one => join(folder, one)),
  )
  .filter(name => /\.tsx?$/.test(name))
const source = (file: string) => readFileSync(join(root, file), 'utf8')

/** Where an import leads, as a path of the repository; null for packages. */
function target(file: string, specifier: string): string | null {
  if (specifier === '#engine') return 'src/engine/index.ts'
  if (specifier.startsWith('#')) return specifier.slice(1).replace(/^(schemas|resources)$/, '$1/index.ts')
  return specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : null
}

const importsOf = (file: string) =>
  [...source(file).matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].flatMap(
    ([, specifier = '']) => target(file, specifier) ?? [],
  )

/** Layers in the order in which data flows: a file may import from its own layer and from those before it. */
const whole = ['src/engine', 'schemas', 'resources', ['src/server', 'src/web']]
const server = [
  'config',
  'domain',
  'access',
  'channels',
  'documents',
  'database',
  'plugins',
  'database/seed/base',
  'crud',
  'actions',
  'database/seed/demo',
  'routes',
  'app',
  ['server', 'database/seed/demo.ts'],
]
const web = [['http', 'session'], 'providers', 'fields', 'screens', 'pages', 'routes', 'App']

const holds = (name: string, path: string) =>
  path === name || path.startsWith(`${name}/`) || path.startsWith(`${name}.`)

/** The layer of a path: the one whose name says most about it. */
const layerOf = (order: readonly (string | readonly string[])[], path: string) => {
  const fits = order.map(layer => Math.max(0, ...[layer].flat().map(name => (holds(name, path) ? name.length : 0))))
  const best = Math.max(...fits)
  return best ? fits.indexOf(best) : -1
}

const backwards = (order: readonly (string | readonly string[])[], within: string) =>
  files
    .filter(file => file.startsWith(within))
    .flatMap(file => importsOf(file).map(to => [file, to] as const))
    .filter(([, to]) => to.startsWith(within))
    .filter(([from, to]) => {
      const [a, b] = [from, to].map(path => layerOf(order, path.slice(within.length)))
      return a !== undefined && b !== undefined && a >= 0 && b > a
    })
    .map(([from, to]) => `${from} → ${to}`)

describe('who may import whom', () => {
  test('engine ← schemas ← resources ← server, web', () => expect(backwards(whole, '')).toEqual([]))

  test('server and web never meet', () => {
    const meeting = files
      .flatMap(file => importsOf(file).map(to => `${file} → ${to}`))
      .filter(line => /^src\/(server|web)\/.* → src\/(?!engine)/.test(line))
    expect(meeting.filter(line => /src\/server.* → src\/web|src\/web.* → src\/server/.test(line))).toEqual([])
  })

  test('inside the server', () => expect(backwards(server, 'src/server/')).toEqual([]))
  test('inside the web', () => expect(backwards(web, 'src/web/')).toEqual([]))

  test('pages ask the server through one door, which tells whether somebody is there', () => {
    const others = /\b(axios|XMLHttpRequest|sendBeacon|EventSource|WebSocket)\b|\bfetch\(/
    const pages = files.filter(file => /^src\/web\/(?!login\/|slim\/|http\.ts)/.test(file))
    // A part that is missing asks whether the window could be loaded anew: the page, without its person.
    expect(pages.filter(file => others.test(source(file)))).toEqual([
      // It ends a session that is not this window's, by that session's own token.
      'src/web/chrome/SignInDialog.tsx',
      'src/screens/window/lazy-page.ts',
    ])
  })

  test('forms with files are read by one reader, which waits for all their parts', () => {
    const others =
      /@fastify\/multipart|busboy|\b(request|req)\s*\.\s*(parts|files?|saveRequestFiles|formData)\s*\(|\bmultipartErrors\b/
    const own = files.filter(file => file.startsWith('src/server/'))
    expect(own.filter(file => others.test(source(file)))).toEqual(['src/platform/http/server/form.ts'])
  })

  test('documents are drawn at one place, which keeps them', () => {
    const own = files.filter(file => /^src\/server\/(?!documents\/)/.test(file))
    const others = /import \{[^}]*\bdraw\b[^}]*\} from '[^']*drawing\.ts'/
    expect(own.filter(file => others.test(source(file)))).toEqual(['src/platform/pdf/drawings.ts'])
  })

  test('fields of an object stand in it, not in an object that is spread into it', () => {
    expect(files.filter(file => /\.\.\.\(?\{/.test(source(file)))).toEqual([])
  })

  test('no drawer for leftovers', () => {
    expect(files.filter(file => /\/(utils?|helpers?|common|misc|managers?|services?)[/.]/.test(file))).toEqual([])
  })
})

test('public functions of the engine and the server have docstrings', () => {
  const called = files.filter(file => /^src\/(engine|server)\//.test(file))
  expect(called.flatMap(file => unexplained(file, source(file)))).toEqual([])
})
