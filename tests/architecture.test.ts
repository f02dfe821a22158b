import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import type { Plugin } from 'vite'
import { describe, expect, test } from 'vitest'
import type { Entity } from '#engine'
import { resources } from '#resources'
import { workspaces } from '#resources/workspaces'
import { dictionaries, entities } from '#schemas'
import { builtIn } from '../tools/build/built-in.ts'
import { bareNumbers } from './helper/bare-numbers.ts'
import { namesIn, unexplained } from './helper/source.ts'
import { browserFiles, filesBelow, serverFiles, serverOnlyFiles } from './helper/tree.ts'

const root = new URL('..', import.meta.url).pathname
const filesOf = (folders: readonly string[]) =>
  folders
    .flatMap(folder =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(one => join(folder, one)),
    )
    .filter(name => /(?<!\.test)\.tsx?$/.test(name))
const files = filesOf(['src', 'schemas', 'resources'])
const source = (file: string) => readFileSync(join(root, file), 'utf8')

/** Where an import leads, as a path of the repository; null for packages. */
function target(file: string, specifier: string): string | null {
  if (specifier === '#engine') return 'src/engine/index.ts'
  if (specifier.startsWith('#')) return `${specifier.slice(1).replace(/^(schemas|resources)$/, '$1/index')}.ts`
  return specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : null
}

const importsOf = (file: string) =>
  [...source(file).matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].flatMap(
    ([, specifier = '']) => target(file, specifier) ?? [],
  )

/** The base of the platform, the areas that stand on crud and screens, and the features: each in the order of who may know whom. */
const base = [
  'config',
  'metrics',
  'tracing',
  'database',
  'i18n',
  'http',
  'vault',
  'queue',
  'files',
  'workbook',
  'pdf',
  'channels',
]
const areas = ['auth', 'tenants', 'access', 'audit', 'settings', 'attachments', 'accounts', 'backup']
const features = [
  'exams',
  'sign-up',
  'payment',
  'review',
  'reduction',
  'notices',
  'tickets',
  'results',
  'publicity',
  'messages',
  'notifications',
  'webhooks',
  'privacy',
  'archives',
  'workflow',
  'jobs',
  'statistics',
  'desk',
  'development',
]
const platform = (names: readonly string[]) => names.map(name => `src/platform/${name}`)

/** Rooms in the order in which data flows: a file may import from its own room and from those before it. */
const rooms: readonly (readonly string[])[] = [
  ['src/engine'],
  ['schemas'],
  ['resources'],
  platform(base),
  ['src/crud', 'src/screens'],
  ...platform(areas).map(area => [area]),
  ...features.map(name => [`src/modules/${name}`]),
  ['src/demo'],
  ['src/server', 'src/web'],
]

const inFolder = (file: string, folder: string) => file.startsWith(`${folder}/`)
const roomOf = (file: string) => rooms.findIndex(some => some.some(folder => inFolder(file, folder)))

const imports = files.flatMap(file => importsOf(file).map(to => [file, to] as const))

describe('who may import whom', () => {
  test('every file stands in a room', () => expect(files.filter(file => roomOf(file) < 0)).toEqual([]))

  test('a room imports from itself and from those before it', () => {
    const forwards = imports.filter(([from, to]) => {
      const [a, b] = [roomOf(from), roomOf(to)]
      const isNeighbour = a === b && (inFolder(from, 'src/crud') || inFolder(from, 'src/screens'))
      return b > a || (isNeighbour && inFolder(from, 'src/crud') !== inFolder(to, 'src/crud'))
    })
    expect(forwards.map(([from, to]) => `${from} → ${to}`).toSorted()).toEqual([])
  })

  /** Definitions are part of their module; that the names in them exist is held by their types. */
  const refusing = (file: string) => (/^(schemas|resources)\//.test(file) ? rooms.length : roomOf(file))

  test('a room refuses with names of its own and of those before it; definitions may name any', () => {
    const tables = files.filter(file => file.endsWith('/refusals.ts') && file !== 'src/server/refusals.ts')
    const names = tables.flatMap(file =>
      [...source(file).matchAll(/^ {2}'([\w.]+)': \[/gm)].map(([, name = '']) => [name, roomOf(file)] as const),
    )
    const ahead = files.filter(file => {
      const text = tables.includes(file) ? '' : source(file).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
      const own = refusing(file)
      return names.some(
        ([name, room]) => room > own && (text.includes(`'${name}'`) || text.includes(`REFUSAL.${name}`)),
      )
    })
    expect(ahead.toSorted()).toEqual([])
    expect(names.length).toBeGreaterThan(140)
  })

  test('the language and what stands on it name no entity of a module', () => {
    const own = features.flatMap(name =>
      existsSync(join(root, 'schemas', name))
        ? filesBelow(`schemas/${name}`).flatMap(file =>
            [...source(file).matchAll(/\bentity\(\s*'(\w+)'/g)].map(([, one = '']) => one),
          )
        : [],
    )
    const references = entities.flatMap(({ properties }) =>
      Object.entries(properties as Entity['properties']).filter(([, { ref = '' }]) => own.includes(ref)),
    )
    /** What a reference calls the rows, `exam` of `examId`, where the entity is called alike. */
    const called = references.flatMap(([name, { ref = '' }]) => {
      const word = name.replace(/Ids?$/, '').toLowerCase()
      return word !== name && ref.startsWith(word) ? [word] : []
    })
    // Entities whose names are words of every program.
    const ordinary = ['code', 'files', 'hook', 'message', 'items', 'item', 'leave', 'news', 'result', 'send', 'workday']
    const words = new Set(
      [...own, ...references.map(([name]) => name), ...called].filter(one => !ordinary.includes(one)),
    )
    const isMeant = (name: string) =>
      words.has(name) || name.split(/(?=[A-Z])|_/).some(part => words.has(part.toLowerCase().replace(/s$/, '')))
    const found = files
      .filter(file => /^src\/(engine|crud)\//.test(file))
      .flatMap(file => namesIn(file, source(file)).flatMap(name => (isMeant(name) ? [`${file}: ${name}`] : [])))
    expect(words.size).toBeGreaterThan(60)
    expect(found).toEqual([])
  })

  test('no file needs itself through others', () => {
    const needs = new Map(files.map(file => [file, importsOf(file)]))
    const [done, open] = [new Set<string>(), [] as string[]]
    const circles: string[] = []
    const visit = (file: string): void => {
      if (open.includes(file)) circles.push([...open.slice(open.indexOf(file)), file].join(' → '))
      if (done.has(file) || open.includes(file)) return
      open.push(file)
      for (const next of needs.get(file) ?? []) visit(next)
      open.pop()
      done.add(file)
    }
    for (const file of files) visit(file)
    expect(circles).toEqual([])
  })

  test('pages and the server never meet, not through what both import either', () => {
    const server = new Set(serverOnlyFiles)
    const reached = new Map(browserFiles.map(file => [file, file]))
    for (const [file, way] of reached)
      for (const to of importsOf(file)) if (!reached.has(to)) reached.set(to, `${way} → ${to}`)
    expect([...reached].flatMap(([file, way]) => (server.has(file) ? [way] : []))).toEqual([])
    const browser = new Set(browserFiles)
    const backwards = imports.filter(([from, to]) => server.has(from) && browser.has(to))
    expect(backwards.map(([from, to]) => `${from} → ${to}`)).toEqual([])
  })

  test('the product imports neither tests nor tools', () => {
    const others = imports.filter(([, to]) => /^(tests|tools)\//.test(to))
    expect(others.map(([from, to]) => `${from} → ${to}`)).toEqual([])
  })

  test('rules and contracts run anywhere: neither they nor what they import needs Node', () => {
    const reached = new Map(files.filter(file => /\/rules\/|\/contract\.ts$/.test(file)).map(file => [file, file]))
    expect(reached.size).toBeGreaterThan(50)
    for (const [file, way] of reached)
      for (const to of importsOf(file))
        if (!reached.has(to) && existsSync(join(root, to))) reached.set(to, `${way} → ${to}`)
    const needing = [...reached].flatMap(([file, way]) => (/from 'node:/.test(source(file)) ? [way] : []))
    expect(needing.toSorted()).toEqual([])
  })

  test('pages ask the server through one door, which tells whether somebody is there', () => {
    const others = /\b(axios|XMLHttpRequest|sendBeacon|EventSource|WebSocket)\b|\bfetch\(/
    const pages = files.filter(
      file => browserFiles.includes(file) && !/^src\/(web\/login\/|platform\/http\/browser\/http\.ts)/.test(file),
    )
    // A part that is missing asks whether the window could be loaded anew: the page, without its person.
    expect(pages.filter(file => others.test(source(file))).toSorted()).toEqual([
      // A bucket is no server of ours: it is told nothing of the person.
      'src/platform/files/browser/send-file.ts',
      // Whether anything answers at all, asked without a person.
      'src/screens/window/Offline.tsx',
      'src/screens/window/lazy-page.ts',
      // It ends a session that is not this window's, by that session's own token.
      'src/web/chrome/SignInDialog.tsx',
    ])
  })

  test('pages take the names of keys without the words of the dictionaries', () => {
    const reached = files.filter(file => browserFiles.includes(file) || /\/rules\//.test(file))
    expect(reached.filter(file => /from '#schemas\/dictionaries'/.test(source(file)))).toEqual([
      // Before anybody is signed in the server gives no words.
      'src/platform/accounts/pages/register/fields.ts',
    ])
  })

  test('pages that may stand in a workspace ask for rights to change so that nothing is offered where nothing is changed any more', () => {
    const asked = files.flatMap(file =>
      [...source(file).matchAll(/\buseCan\('(\w+)'/g)].map(([, code = '']) => ({ file, code })),
    )
    const reads = /_(view|export|reveal)$|^[a-z]+$/
    // Workflows and their forms stand in no workspace.
    const writes = asked.filter(({ file, code }) => !reads.test(code) && !file.startsWith('src/modules/workflow/'))
    expect(writes).toEqual([])
  })

  test('pages of a workspace are about the row of the place that they stand in', () => {
    const routes = files
      .filter(file => file.endsWith('/routes.ts'))
      .flatMap(file =>
        [...source(file).matchAll(/path: '([^']+)'[^{}]*?import\('([^']+)'\)/g)].map(
          ([, path = '', page = '']) => [path, normalize(join(dirname(file), page))] as const,
        ),
      )
    const addresses = workspaces.flatMap(({ pages }) => pages.flatMap(one => ('page' in one ? [one.page] : [])))
    const inPlace = addresses.filter(address => address.startsWith('/') && !address.includes(':id'))
    const unaware = inPlace.filter(address => {
      const [, page] = routes.find(([path]) => path === address) ?? []
      if (!page) return true
      const own = [
        page,
        ...importsOf(page).filter(file => dirname(file) === dirname(page) && existsSync(join(root, file))),
      ]
      return !own.some(file => /\b(usePlaceRow|usePlaceFilter|useExam)\(/.test(source(file)))
    })
    expect(inPlace.length).toBeGreaterThan(5)
    expect(unaware).toEqual([])
  })

  test('what is typed into a form of staff is kept until it is sent', () => {
    const asks = /<(?:Input(?:\.TextArea|\.Password)?[\s>]|(?:InputNumber|FieldInput|RecordForm|Form|textarea)\b)/
    // A part of a form is given what it shows; whoever holds it keeps it.
    const holds = /\b(?:useState|useRef|useReducer|useForm)\s*(?:<[^;]*?>)?\(/
    const keeps = /\buse(?:Draft|FormDraft|KeptValues)\b/
    const isForCandidates = (file: string) =>
      /\/(?:candidate|public|register|outside|sign-up\/pages\/form)\//.test(file)
    const isOneInput = (file: string) => /^src\/screens\/fields\/|\/modeler\/panel\//.test(file)
    const forms = files.filter(file => file.endsWith('.tsx') && !isForCandidates(file) && !isOneInput(file))
    const open = forms.filter(file => {
      const text = source(file)
      return asks.test(text) && holds.test(text) && !keeps.test(text)
    })
    const excused: Readonly<Record<string, string>> = {
      'src/modules/exams/pages/new-exam/FactsStep.tsx': 'a step of NewExamPage.tsx, which keeps it',
      'src/modules/exams/pages/new-exam/TimesStep.tsx': 'a step of NewExamPage.tsx, which keeps it',
      'src/modules/messages/pages/Receivers.tsx': 'two choices, nothing typed',
      'src/modules/notices/pages/RemindButton.tsx': 'two choices, nothing typed',
      'src/modules/reduction/pages/PlanTable.tsx': 'the table of ReductionPage.tsx, which keeps it',
      'src/modules/review/pages/ReviewPage.tsx': 'use-review.ts keeps it',
      'src/modules/tickets/pages/check-in/People.tsx': 'looks for somebody',
      'src/modules/tickets/pages/check-in/Scanner.tsx': 'looks for somebody',
      'src/modules/workflow/pages/DeploymentActs.tsx': 'a password alone',
      'src/modules/workflow/pages/UploadButton.tsx': 'files, which a browser cannot choose again',
      'src/screens/FindBar.tsx': 'searches a list',
      'src/screens/SearchFields.tsx': 'searches a list',
      'src/screens/form-parts.tsx': 'parts of RecordForm.tsx, which is given what it shows',
      'src/web/chrome/LockDialog.tsx': 'a password alone',
      'src/web/chrome/LockPage.tsx': 'a password alone',
      'src/web/chrome/MenuSearch.tsx': 'searches the menu',
      'src/web/chrome/SwitchDialog.tsx': 'signs somebody in',
      'src/web/chrome/TabChooser.tsx': 'looks for a tab',
    }
    expect(open.toSorted()).toEqual(Object.keys(excused).toSorted())
  })

  test('forms with files are read by one reader, which waits for all their parts', () => {
    const others =
      /@fastify\/multipart|busboy|\b(request|req)\s*\.\s*(parts|files?|saveRequestFiles|formData)\s*\(|\bmultipartErrors\b/
    expect(serverFiles.filter(file => others.test(source(file)))).toEqual(['src/platform/http/server/form.ts'])
  })

  test('documents are drawn at one place, which keeps them', () => {
    const own = serverFiles.filter(file => !/\/documents\/|^src\/platform\/pdf\/drawing(-thread)?\.ts/.test(file))
    const others = /import \{[^}]*\bdraw\b[^}]*\} from '[^']*drawing\.ts'/
    expect(own.filter(file => others.test(source(file)))).toEqual(['src/platform/pdf/drawings.ts'])
  })

  test('fields of an object stand in it, not in an object that is spread into it', () => {
    expect(files.filter(file => /\.\.\.\(?\{/.test(source(file)))).toEqual([])
  })

  /** Files of packages that their manuals or their `exports` name, beside the package itself. */
  const documented = [
    'altcha-lib/v1',
    'antd/dist/antd.css',
    'antd/locale/en_US',
    'antd/locale/zh_CN',
    'bpmn-js/dist/assets/bpmn-font/css/bpmn.css',
    'bpmn-js/dist/assets/bpmn-js.css',
    'bpmn-js/dist/assets/diagram-js.css',
    'bpmn-js/lib/Modeler',
    'bpmn-js/lib/NavigatedViewer',
    'dayjs/locale/zh-cn',
    'kysely/helpers/postgres',
    'quill/dist/quill.snow.css',
    'libheif-js/libheif-wasm/libheif.js?url',
    'libheif-js/libheif-wasm/libheif.wasm?url',
    'react-dom/client',
    '@rjsf/core/lib/components/Form.js',
    '@rjsf/core/lib/components/fields/ArrayField.js',
    '@noble/hashes/sha2.js',
    '@noble/hashes/utils.js',
  ]

  test('packages are named in package.json and asked by what their manuals name', () => {
    const { dependencies, devDependencies = {} } = JSON.parse(source('package.json')) as Record<string, object>
    // Pages have theirs built in; types are of no use when the server runs.
    const ofPages = new Set(browserFiles)
    const isBuiltIn = (name: string) => builtIn.some(one => (typeof one === 'string' ? one === name : one.test(name)))
    const strange = files.flatMap(file => {
      const known = { ...dependencies, ...(ofPages.has(file) && devDependencies) }
      const found = source(file).matchAll(
        /^(?:import|export) (?!type)[\w*{}\s,$]*?from '([^'.#$][^'$]*)'|^import '([^'.#$][^'$]*)'|\bimport\('([^'.#$][^'$]*)'\)/gm,
      )
      return [...found].flatMap(([, ...ways]) => {
        const asked = ways.find(Boolean) ?? ''
        if (/^(node|virtual):/.test(asked) || documented.includes(asked)) return []
        if (isBuiltIn(asked) && asked in devDependencies) return []
        return asked in known ? [] : [`${file} ${asked}`]
      })
    })
    expect(strange).toEqual([])
  })

  test('packages are built as they are published: no step of the build puts anything in the place of their files', async () => {
    const { webConfig } = await import('../src/web/build.ts')
    expect(webConfig.resolve?.alias).toBeUndefined()
    expect(webConfig.css?.postcss).toBeUndefined()
    const steps = ((await Promise.all([webConfig.plugins].flat(9))) as Plugin[]).flat(9).filter(Boolean)
    const own = steps.filter(step => !step.name.startsWith('vite:'))
    expect(own.length).toBeGreaterThan(4)
    const file = join(root, 'node_modules/antd/es/table/Table.js')
    for (const step of own) {
      const [resolve, load, transform] = [step.resolveId, step.load, step.transform].map(hook => {
        const work = typeof hook === 'object' ? hook.handler : hook
        return work as ((...given: unknown[]) => unknown) | undefined
      })
      const answers = ['antd', 'qs', './Table', file].map(asked => resolve?.call({}, asked, file, {}))
      const made = [load?.call({}, file), transform?.call({}, 'export const x = 1', file)]
      expect([step.name, ...(await Promise.all([...answers, ...made])).filter(one => one != null)]).toEqual([step.name])
    }
  })

  test('pages have definitions from the catalogue: what defines an entity does not travel with them', () => {
    const defining = new Set(files.filter(file => /^schemas\/.*\.ts$/.test(file) && /\bentity\(/.test(source(file))))
    const found = browserFiles.flatMap(file =>
      [...source(file).matchAll(/^import (?!type)(.*) from '#(schemas\/[^']+)'/gm)]
        .filter(([, names = '', path]) => defining.has(`${path}.ts`) && !/^\{ (?:type \w+(?:, )?)+ \}$/.test(names))
        .map(([line]) => `${file}: ${line}`),
    )
    expect(defining.size).toBeGreaterThan(50)
    expect(found).toEqual([])
  })

  test('signs are ornaments unless they are given a name: by themselves they say their English one', () => {
    const drawn = browserFiles.flatMap(file => {
      const text = source(file)
      const [, imported = ''] = /import \{([^}]*)\} from '@ant-design\/icons'/.exec(text) ?? []
      const names = imported.split(',').flatMap(name => name.trim() || [])
      const signs = names.flatMap(name => [...text.matchAll(new RegExp(`<${name}\\b[^>]*`, 'g'))].map(([tag]) => tag))
      return signs.map(tag => `${file} ${tag}`)
    })
    expect(drawn.length).toBeGreaterThan(100)
    expect(drawn.filter(tag => !/\baria-(hidden|label)\b/.test(tag))).toEqual([])
  })

  test('no drawer for leftovers', () => {
    expect(files.filter(file => /\/(utils?|helpers?|common|misc|managers?|services?)[/.]/.test(file))).toEqual([])
  })
})

test('paths that the documents name exist', () => {
  const documents = [
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    ...filesBelow('docs').filter(file => file.endsWith('.md')),
  ]
  const named = documents.flatMap(file =>
    [...source(file).matchAll(/(?<![\w/.])(?:src|tests|tools|schemas|resources|docs)\/[\w./-]*\w/g)].map(
      ([path]) => path,
    ),
  )
  const isExample = (path: string) => /\/lamp\.ts$/.test(path)
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter(path => !existsSync(join(root, path)) && !isExample(path))).toEqual([])
})

test('rows are locked against references only by what removes them', () => {
  const isTrial = (file: string) => inFolder(file, 'src/platform/database/conformance')
  const locks = files.filter(file => !isTrial(file) && /\.forUpdate\(|(?<!NO KEY )FOR UPDATE/.test(source(file)))
  expect(locks.toSorted()).toEqual([
    'src/crud/remove.ts',
    'src/modules/payment/server/fee.ts',
    'src/modules/privacy/server/expiry.ts',
    'src/modules/tickets/server/reissue.ts',
    'src/platform/tenants/server/tenant-handlers.ts',
  ])
})

test('public functions of the engine and the server have docstrings', () => {
  const called = serverFiles.filter(file => file.endsWith('.ts') && file !== 'src/launch.mjs')
  expect(called.flatMap(file => unexplained(file, source(file)))).toEqual([])
})

describe('a key of a dictionary is said by its name', () => {
  const numbers = new Map(
    dictionaries.filter(one => one.type === 'integer').map(one => [one.code, Object.keys(one.entries).map(Number)]),
  )
  /** Names that other things have, too: a flag in all tables but one; the status of HTTP and a column of every table. */
  const others = ['enable', 'status']
  const stored = entities.map(({ properties }) => properties as Entity['properties'])
  const fields = [...stored, ...resources.map(({ derived }) => derived)].flatMap(one => Object.entries(one ?? {}))
  // A flag is 1 or 0 wherever it stands.
  const named = fields.filter(
    ([name, { kind, dict }]) => kind !== 'flag' && dict !== 'yes_no' && !others.includes(name),
  )
  const keys = new Map<string, Set<number>>()
  for (const [name, { dict = '' }] of named)
    for (const key of numbers.get(dict) ?? []) keys.set(name, (keys.get(name) ?? new Set()).add(key))

  test('in code and in SQL', () => {
    const code = filesOf(['src', 'schemas', 'resources', 'tools', 'tests/helper'])
    expect(code.flatMap(file => bareNumbers(file, source(file), keys))).toEqual([])
  })

  test.each([
    ['row.payState === 1', 'payState 1'],
    ['if (1 !== Number(row?.payState ?? null)) stop()', 'payState 1'],
    ['send.sendStatus >= 3', 'sendStatus 3'],
    ['[0, 7].includes(row.payState)', 'payState 0'],
    ['switch (payState) { case 2: stop() }', 'payState 2'],
    ["db.where('r.payState', 'in', [5])", 'payState 5'],
    ["eb('payState', '=', 4)", 'payState 4'],
    ['db.set({ payState: isPaid ? 1 : other })', 'payState 1'],
    ['const made = { payState: 1 as const }', 'payState 1'],
    ['row.payState = (2)', 'payState 2'],
    ['const { payState = 3 } = row', 'payState 3'],
    ['sql`r."payState" = 1`', 'payState 1'],
    ['sql`examine NOT IN (9, 3)`', 'examine 3'],
    ['sql`coalesce(r."sureState", 0) < 2`', 'sureState 2'],
    ['sql`"noticeType" IS DISTINCT FROM 1`', 'noticeType 1'],
    [`const where = 't."userType" <> 2'`, 'userType 2'],
  ])('and is found where it is not: %s', (text, found) => {
    expect(bareNumbers('some.ts', text, keys)).toEqual([`some.ts:1 ${found}`])
  })

  test.each([
    'row.payState === PayState.paid',
    'row.amount === 1',
    'row.payState === 77',
    "db.where('payState', '=', PayState.paid)",
    'sql`r."isDeleted" = 0 AND r.amount = 1`',
    'db.set({ enable: 1, needPay: 1 })',
  ])('and not where it is: %s', text => expect(bareNumbers('some.ts', text, keys)).toEqual([]))
})

/** What a live handle does by itself, as it looks where it is written by hand; and handles without limits. */
const byHand = {
  deletion: /isDeleted['"]?(?:, '=',| *=) *0/g,
  tenant: /tenantId['"]?(?:, '=',| *= *\$)/g,
  raw: /\b(?:app|server)\.db\b|\braw\((?:app|trx|db|live|caller\.db)\)/g,
}

const isModule = (file: string): boolean => file.startsWith('src/modules/')

test('modules say neither tenant nor deletion by hand', () => {
  const found = serverFiles
    .filter(isModule)
    .flatMap(file =>
      [byHand.deletion, byHand.tenant].flatMap(kind =>
        (source(file).match(kind) ?? []).map(text => `${file}: ${text} (a live handle does that)`),
      ),
    )
  expect(found).toEqual([])
})

/** How a file comes by a handle without limits: by the word, from the server, or given as one. */
const takesRaw =
  /import \{[^}]*\braw\b[^}]*\} from '[^']*\/database\/live\.ts'|\b(?:app|server)\.db\b|\b(?:Reader|Trx)\b[^}]*\} from '[^']*\/database\/database\.ts'/

test('modules take the raw handle for rows that are meant whatever has become of them, and for nothing else', () => {
  expect(serverFiles.filter(file => isModule(file) && takesRaw.test(source(file))).toSorted()).toEqual([
    // The register of exports is kept in the transaction of the piece of work.
    'src/modules/archives/server/work.ts',
    // Rows that have been removed come back.
    'src/modules/development/server/prototype.ts',
    // Runs end when their turn comes, those of removed jobs, too.
    'src/modules/jobs/server/instances.ts',
    // What is erased of a person or an exam is erased in removed rows, too.
    'src/modules/privacy/server/erase.ts',
    'src/modules/privacy/server/erasing.ts',
    'src/modules/privacy/server/expiry.ts',
    'src/modules/privacy/server/purge/count.ts',
    'src/modules/privacy/server/purge/protocol.ts',
    'src/modules/privacy/server/purge/rules.ts',
    'src/modules/privacy/server/purge/work.ts',
    // What the program keeps of its own work is tidied whatever has become of it.
    'src/modules/privacy/server/traces.ts',
    // Chains are compared with acts on sign-ups that were removed.
    'src/modules/review/server/log-chain.ts',
    // Counts of places are no rows of a tenant: they are compared as the database has them.
    'src/modules/sign-up/server/place-check.ts',
    // Pictures of removed registers go as well.
    'src/modules/tickets/server/purge.ts',
  ])
})

test('conditions of tenant and deletion by hand, and raw handles, only become fewer in each room below the modules', () => {
  const places = (file: string) => /^src\/(?:platform\/)?[^/]+/.exec(file)?.[0] ?? file
  const found = new Map<string, number[]>()
  for (const file of serverFiles.filter(one => one.endsWith('.ts') && !isModule(one))) {
    const text = source(file)
    const before = found.get(places(file))
    const counts = Object.values(byHand).map((kind, i) => (text.match(kind)?.length ?? 0) + (before?.[i] ?? 0))
    found.set(places(file), counts)
  }
  const lines = source('tests/limits-by-hand.txt').trim().split('\n').slice(1)
  const most = new Map(lines.map(line => line.split(' ')).map(([room = '', ...counts]) => [room, counts.map(Number)]))
  const grown = [...found].filter(([room, counts]) => counts.some((n, i) => n > (most.get(room)?.[i] ?? 0)))
  expect(grown.map(([room, counts]) => [room, ...counts].join(' '))).toEqual([])
  expect([...most.keys()].filter(room => !found.has(room))).toEqual([])
})

test.each([
  // 109,989 when this was written: what runs over all entities at once multiplies it.
  ['all definitions', 'tests/tsconfig.words.json', 230_000],
  // 680,386 with the definitions of today; without the types of conditions in columns.ts three quarters more.
  ['handles and statements', 'tests/tsconfig.types.json', 720_000],
])('the compiler works out the types of %s with few instantiations', (_what, config, most) => {
  const options = ['-p', config, '--checkers', '1', '--incremental', 'false', '--extendedDiagnostics']
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), options, { cwd: root, encoding: 'utf8' })
  const [, count] = /^Instantiations: +(\d+)$/m.exec(stdout) ?? []
  expect(Number(count)).toBeLessThan(most)
})
