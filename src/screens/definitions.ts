import type { Plugin } from 'vite'
import { modules, resources } from '#resources'
import { dictionaries } from '#schemas'

/** Module that names every resource and loads the definition of one; see `virtual.d.ts`. */
const CATALOGUE = 'virtual:catalogue'
/** Module that holds the words of every dictionary. */
const WORDS = 'virtual:dictionaries'

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

function load(id: string): string | undefined {
  if (id === `\0${CATALOGUE}`) return catalogueCode()
  if (id === `\0${WORDS}`) return wordsCode()
  return id.startsWith(`\0${CATALOGUE}/`) ? definitionCode(id.slice(CATALOGUE.length + 2)) : undefined
}

/** Gives the browser the definitions one by one, as JSON: a first list carries its own and not those of all others. */
export function definitions(): Plugin {
  const ours = (source: string) => source === CATALOGUE || source === WORDS || source.startsWith(`${CATALOGUE}/`)
  return { name: 'definitions', resolveId: source => (ours(source) ? `\0${source}` : undefined), load }
}
