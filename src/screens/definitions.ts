import { readFileSync } from 'node:fs'
import path from 'node:path'
import { normalizePath, type Plugin, parseSync, type ViteDevServer } from 'vite'
import { firstView, type Resource, type Workspace } from '#engine'
import * as resourceLists from '#resources'
import { workspaces } from '#resources/workspaces'
import * as schemaLists from '#schemas'
import * as administration from '#schemas/dictionaries/administration'
import * as exam from '#schemas/dictionaries/exam'
import * as pay from '#schemas/dictionaries/pay'
import * as platform from '#schemas/dictionaries/platform'
import * as signUp from '#schemas/dictionaries/sign-up'
import type { FirstWords } from './fields/first-words.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** Module that names every resource and loads the definition of one; see `virtual.d.ts`. */
const CATALOGUE = 'virtual:catalogue'
/** Module that holds the words of every dictionary, for pages that show one which no definition has brought. */
const WORDS = 'virtual:dictionaries'
/** Modules that hold the names of the keys, one for each file of dictionaries. */
const NAMES = 'virtual:dictionary-names'
/** Module that holds all resources. */
const ALL = 'virtual:resources'
/** Modules that hold one workspace each. */
const PLACES = 'virtual:workspaces'
/** Modules that hold what a file of resources defines, as pages import it. */
const FILES = 'virtual:resource-files'

/** The definitions as they are now. */
export interface Definitions {
  readonly modules: typeof resourceLists.modules
  readonly resources: typeof resourceLists.resources
  readonly views: typeof resourceLists.views
  readonly workspaces: readonly Workspace[]
  readonly constants: typeof resourceLists.constants
  readonly dictionaries: typeof schemaLists.dictionaries
  readonly names: Readonly<Record<string, object>>
}

/** The definitions of this program. */
export const current: Definitions = {
  modules: resourceLists.modules,
  resources: resourceLists.resources,
  views: resourceLists.views,
  workspaces,
  constants: resourceLists.constants,
  dictionaries: schemaLists.dictionaries,
  names: { administration, exam, pay, platform, 'sign-up': signUp },
}

/** What is known of every resource before its definition is loaded. */
export function catalogue({ modules }: Pick<Definitions, 'modules'> = current) {
  const listed = (
    module: string,
    { name, path, route, calls, tree, entity, pageSize, view, views, code }: Resource,
  ) => ({
    name,
    entity: entity.name,
    label: entity.label,
    path,
    calls,
    tree,
    pageSize,
    screen: route ?? `${module}/${name}`,
    isView: view !== null,
    chip: firstView({ views }) ?? null,
    code,
  })
  // What looks for an entity finds its resource before its views.
  return [
    ...modules.flatMap(module => module.resources.map(one => listed(module.path, one))),
    ...modules.flatMap(module => module.views.map(one => listed(module.path, one))),
  ]
}

/** Without some words. */
const less = (words: readonly string[], one: object): object => ({
  ...one,
  ...Object.fromEntries(words.map(word => [word, undefined])),
})

/** The same under each name without some words. */
const without = (words: string | readonly string[], all: object): object =>
  Object.fromEntries(Object.entries<object>({ ...all }).map(([name, one]) => [name, less([words].flat(), one)]))

/** What an entity and its fields say of the persons whom rows are about: the server tells it on their own page. */
const keptWords = ['about', 'personal', 'purpose', 'keep'] as const

/** What an entity says of its table. */
const tableWords = ['uniques', 'taken', 'indexes', 'covered', 'partition', 'retired'] as const

/**
 * Without what the server alone reads of a definition: who meets which rows and why, how its table is made, what its actions answer,
 * what its structured values consist of, and how long they are kept.
 */
const forPages = (one: Resource): object => ({
  ...less(['scope'], one),
  entity: {
    ...less([...keptWords, ...tableWords], one.entity),
    properties: without(['of', ...keptWords], one.entity.properties),
  },
  derived: without('of', one.derived),
  actions: without('answer', one.actions),
})

/** The codes of the dictionaries that fields name, those in structured values and in the inputs of actions among them. */
function dictionariesIn(value: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const one of value) dictionariesIn(one, found)
  else if (value && typeof value === 'object')
    for (const [name, one] of Object.entries(value))
      if (name === 'dict' && typeof one === 'string') found.add(one)
      else dictionariesIn(one, found)
  return found
}

/** The module of the browser that knows the first words of dictionaries. */
const FIRST_WORDS = normalizePath(path.join(import.meta.dirname, 'fields/first-words.ts'))

/**
 * The definition of a resource or a view as a module. It is plain JSON, so nothing of what made it travels. With it come the words of
 * the dictionaries that its fields name.
 */
export function definitionCode(
  name: string,
  { resources, views, dictionaries }: Pick<Definitions, 'resources' | 'views' | 'dictionaries'> = current,
): string {
  const found = [...resources, ...views].find(one => one.name === name)
  if (!found) throw new Error(`No resource is called "${name}"`)
  const named = dictionariesIn({ ...found, actions: without('answer', found.actions) })
  const words = dictionaries.filter(({ code }) => named.has(code)).map(wordsFor)
  const learnt = `import { learn } from ${JSON.stringify(FIRST_WORDS)}\nlearn(${JSON.stringify(words)})\n`
  return `${words.length > 0 ? learnt : ''}export default ${JSON.stringify(forPages(found))}`
}

function catalogueCode(now: Definitions): string {
  const loaders = [...now.resources, ...now.views].map(
    ({ name }) => `  '${name}': () => import('${CATALOGUE}/${name}'),`,
  )
  const places = now.workspaces.map(
    ({ name, route }) => `  { name: '${name}', route: '${route}', load: () => import('${PLACES}/${name}') },`,
  )
  const { usual, others } = abridged(catalogue(now))
  return `const usual = ${JSON.stringify(usual)}
export const catalogue = ${JSON.stringify(others)}.map(({ below, on, ...one }) =>
  ({ ...usual, entity: one.name, code: one.name.replaceAll('-', '_'), path: below + '/' + one.name, screen: on + '/' + one.name, ...one }))
export const loaders = {\n${loaders.join('\n')}\n}
export const workspaces = [\n${places.join('\n')}\n]\n`
}

type Listed = ReturnType<typeof catalogue>[number]

/** The catalogue is fetched with the first page: what most resources have is said once, and of each only what differs. */
function abridged(all: readonly Listed[]): { usual: Partial<Listed>; others: readonly object[] } {
  const usual = Object.fromEntries(
    (['calls', 'tree', 'pageSize', 'isView', 'chip'] as const).map(name => {
      const counts = new Map<string, number>()
      for (const one of all) counts.set(JSON.stringify(one[name]), (counts.get(JSON.stringify(one[name])) ?? 0) + 1)
      const [[most = 'null'] = []] = [...counts].toSorted(([, a], [, b]) => b - a)
      return [name, JSON.parse(most)]
    }),
  ) as Partial<Listed>
  /** What follows from its name where a resource says nothing else. */
  const named = ({ name }: Listed) => ({ entity: name, code: name.replaceAll('-', '_') })
  const isUsual = (one: Listed, name: keyof Listed): boolean =>
    JSON.stringify(one[name]) === JSON.stringify({ ...usual, ...named(one) }[name])
  /** An address as what it is below, where it ends with the name. */
  const below = (one: Listed, name: 'path' | 'screen', as: string) =>
    one[name].endsWith(`/${one.name}`) ? { [as]: one[name].slice(0, -one.name.length - 1) } : { [name]: one[name] }
  const others = all.map(one => {
    const { path: _, screen: __, ...rest } = one
    const own = Object.entries(rest).filter(([name]) => !isUsual(one, name as keyof Listed))
    return { ...Object.fromEntries(own), ...below(one, 'path', 'below'), ...below(one, 'screen', 'on') }
  })
  return { usual, others }
}

/** A workspace as a module; what only the server reads of its line stays there. */
function workspaceCode(name: string, { workspaces }: Definitions): string {
  const found = workspaces.find(one => one.name === name)
  if (!found) throw new Error(`No workspace is called "${name}"`)
  const { line } = found.header
  const header = { ...found.header, line: line && { ...line, value: { ...line.value, of: undefined } } }
  return `export default ${JSON.stringify({ ...found, header })}`
}

/**
 * What pages read of a dictionary before the server has answered: without the names of the keys, as pages import those that they
 * use, and without its title, which no page shows but those that ask the server for dictionaries.
 */
const wordsFor = ({ code, entries, type, biz, sealed }: Definitions['dictionaries'][number]): FirstWords => ({
  code,
  entries,
  type,
  ...(biz && { biz }),
  ...(sealed && { sealed }),
})

/** The names of the keys of a file of dictionaries, as literals. */
const namesCode = (file: string, now: Definitions): string =>
  Object.entries<object>({ ...now.names[file] })
    .filter(([, value]) => !('entries' in value))
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
    .join('\n')

/**
 * Names of the values that a file gives others, however it is written that it does: declared or listed, under another name too.
 * `null` stands for what has no name in the file, its default and all that it passes on from another.
 */
export const exportedBy = (text: string): (string | null)[] =>
  parseSync('definitions.ts', text)
    .module.staticExports.flatMap(({ entries }) => entries)
    .filter(({ isType }) => !isType)
    .map(({ exportName }) => exportName.name)

const namesIn = (file: string): (string | null)[] =>
  exportedBy(readFileSync(path.join(root, 'resources', `${file}.ts`), 'utf8'))

/** The resource or view that a constant is. */
const definedAs = (name: string | null, { constants, resources, views }: Definitions): Resource | undefined =>
  name === null ? undefined : [...resources, ...views].find(one => one === constants[name])

/** Whether a file defines resources and views and nothing else that a page could import. */
const isOfResources = (file: string): boolean => {
  const names = namesIn(file)
  return names.length > 0 && names.every(name => definedAs(name, current))
}

/** The constants of a file of resources as the catalogue has them. */
const fileCode = (file: string, now: Definitions): string =>
  namesIn(file)
    .map(name => `export { default as ${name} } from '${CATALOGUE}/${definedAs(name, now)?.name}'`)
    .join('\n')

function codeOf(id: string, now: Definitions): string | undefined {
  if (id.startsWith(`\0${FILES}/`)) return fileCode(id.slice(FILES.length + 2), now)
  if (id.startsWith(`\0${PLACES}/`)) return workspaceCode(id.slice(PLACES.length + 2), now)
  if (id === `\0${CATALOGUE}`) return catalogueCode(now)
  if (id === `\0${WORDS}`) return `export const dictionaries = ${JSON.stringify(now.dictionaries.map(wordsFor))}`
  if (id === `\0${ALL}`) return `export const resources = ${JSON.stringify(now.resources.map(forPages))}`
  if (id.startsWith(`\0${NAMES}/`)) return namesCode(id.slice(NAMES.length + 2), now)
  return id.startsWith(`\0${CATALOGUE}/`) ? definitionCode(id.slice(CATALOGUE.length + 2), now) : undefined
}

/** What a program under development does with the plugin. */
export interface DefinitionsApi {
  /** From now on the definitions are read by `read`, for each page again. */
  follow(read: () => Promise<Definitions>): void
  /** A definition has changed: pages that are open are reloaded. */
  changed(): void
}

/**
 * Gives the browser the definitions one by one, as JSON: a first list carries its own and not those of all others. A file of
 * dictionaries gives pages the names of its keys alone, so that the words of all keys do not travel with each page that says
 * one by its name; who needs the words takes the dictionary from `#schemas/dictionaries`. A resource that a page imports by
 * its file, `#resources/system/role`, is the definition from the catalogue, too.
 */
export function definitions(): Plugin<DefinitionsApi> {
  let read = async (): Promise<Definitions> => current
  let server: ViteDevServer | undefined
  const isOurs = (source: string): boolean =>
    [CATALOGUE, WORDS, ALL].includes(source) ||
    [CATALOGUE, NAMES, FILES, PLACES].some(one => source.startsWith(`${one}/`))
  return {
    name: 'definitions',
    enforce: 'pre',
    configureServer(started) {
      server = started
    },
    resolveId(source) {
      const [, file] = /^#schemas\/dictionaries\/([\w-]+)$/.exec(source) ?? []
      if (file) return `\0${NAMES}/${file}`
      const [, resources] = /^#resources\/([\w-]+\/[\w-]+)$/.exec(source) ?? []
      if (resources && isOfResources(resources)) return `\0${FILES}/${resources}`
      return isOurs(source) ? `\0${source}` : undefined
    },
    async load(id) {
      return id.startsWith('\0') && isOurs(id.slice(1)) ? codeOf(id, await read()) : undefined
    },
    api: {
      follow(how) {
        read = how
      },
      changed() {
        if (!server) return
        const { client } = server.environments
        for (const one of client.moduleGraph.idToModuleMap.values()) {
          if (one.id?.startsWith('\0') && isOurs(one.id.slice(1))) client.moduleGraph.invalidateModule(one)
        }
        client.hot.send({ type: 'full-reload' })
      },
    },
  }
}
