import type { Plugin } from 'vite'
import { modules, resources } from '#resources'
import { dictionaries } from '#schemas'
import * as administration from '#schemas/dictionaries/administration'
import * as exam from '#schemas/dictionaries/exam'
import * as pay from '#schemas/dictionaries/pay'
import * as platform from '#schemas/dictionaries/platform'
import * as signUp from '#schemas/dictionaries/sign-up'

/** Module that names every resource and loads the definition of one; see `virtual.d.ts`. */
const CATALOGUE = 'virtual:catalogue'
/** Module that holds the words of every dictionary. */
const WORDS = 'virtual:dictionaries'
/** Modules that hold the names of the keys, one for each file of dictionaries. */
const NAMES = 'virtual:dictionary-names'

/** What is known of every resource before its definition is loaded. */
export function catalogue() {
  return modules.flatMap(module =>
    module.resources.map(({ name, path, route, calls, tree, entity, pageSize }) => ({
      name,
      entity: entity.name,
      label: entity.label,
      path,
      calls,
      tree,
      pageSize,
      screen: route ?? `${module.path}/${name}`,
    })),
  )
}

/** The definition of a resource as a module. It is plain JSON, so nothing of what made it travels. */
export function definitionCode(name: string): string {
  const found = resources.find(one => one.name === name)
  if (!found) throw new Error(`No resource is called "${name}"`)
  return `export default ${JSON.stringify(found)}`
}

function catalogueCode(): string {
  const loaders = resources.map(({ name }) => `  '${name}': () => import('${CATALOGUE}/${name}'),`)
  return `export const catalogue = ${JSON.stringify(catalogue())}\nexport const loaders = {\n${loaders.join('\n')}\n}\n`
}

/** Without the names of the keys: pages import those that they use. */
function wordsCode(): string {
  const words = dictionaries.map(({ code, title, entries, type, biz }) => ({ code, title, entries, type, biz }))
  return `export const dictionaries = ${JSON.stringify(words)}`
}

const files: Readonly<Record<string, object>> = { administration, exam, pay, platform, 'sign-up': signUp }

/** The names of the keys of a file of dictionaries, as literals. */
const namesCode = (file: string): string =>
  Object.entries<object>({ ...files[file] })
    .filter(([, value]) => !('entries' in value))
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
    .join('\n')

function load(id: string): string | undefined {
  if (id === `\0${CATALOGUE}`) return catalogueCode()
  if (id === `\0${WORDS}`) return wordsCode()
  if (id.startsWith(`\0${NAMES}/`)) return namesCode(id.slice(NAMES.length + 2))
  return id.startsWith(`\0${CATALOGUE}/`) ? definitionCode(id.slice(CATALOGUE.length + 2)) : undefined
}

/**
 * Gives the browser the definitions one by one, as JSON: a first list carries its own and not those of all others. A file of
 * dictionaries gives pages the names of its keys alone, so that the words of all keys do not travel with each page that says
 * one by its name; who needs the words takes the dictionary from `#schemas/dictionaries`.
 */
export function definitions(): Plugin {
  const ours = (source: string) => source === CATALOGUE || source === WORDS || source.startsWith(`${CATALOGUE}/`)
  const resolveId = (source: string): string | undefined => {
    const [, file] = /^#schemas\/dictionaries\/([\w-]+)$/.exec(source) ?? []
    if (file) return `\0${NAMES}/${file}`
    return ours(source) ? `\0${source}` : undefined
  }
  return { name: 'definitions', enforce: 'pre', resolveId, load }
}
