import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import postcss, { type ChildNode } from 'postcss'
import type { Plugin } from 'vite'
import { componentOf, SHARED } from './component-of.ts'

const require = createRequire(import.meta.url)
const antd = path.dirname(require.resolve('antd/package.json'))

const SHEET = 'virtual:antd/'
/** A module of styles; the group is the component's folder. */
const STYLES = /\/antd\/es\/(.+)\/style(?:\.js$|\/)/
/** The grid's styles lend a function to other components, which need none of its sheet: that travels with these. */
const GRID = /\/antd\/es\/grid\/(?:row|col)\.js$/
/** What every page stands in. */
const ROOT = /\/antd\/es\/config-provider\/index\.js$/
/** Functions of antd that register styles, made by their second argument. */
const REGISTERS = new Set(['genStyleHooks', 'genSubStyleComponent', 'genComponentStyleHook'])

/** Values of antd's own theme, for ours come from the page, and what is for languages written from right to left. */
const NOT_OURS = /css-var-_R|data-ant|-rtl\b/

interface Part {
  readonly owner: string
  readonly css: string
}

/** Several values of each key, in their order. */
function grouped<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one])
  return groups
}

/** Rules by whom they belong to, each within the conditions it stands in, such as a width of the window. */
function partsOf(node: ChildNode, owner: (selector: string) => string): Part[] {
  if (node.type === 'rule') {
    const declared = node.nodes.map(String).join(';')
    const own = grouped(
      node.selectors.filter(one => !NOT_OURS.test(one)),
      owner,
    )
    return [...own].map(([name, selectors]) => ({ owner: name, css: `${selectors.join()}{${declared}}` }))
  }
  if (node.type !== 'atrule') return []
  if (node.name.endsWith('keyframes')) return [{ owner: SHARED, css: String(node) }]
  const inside = (node.nodes ?? []).flatMap(one => partsOf(one, owner))
  return [...grouped(inside, part => part.owner)].map(([name, parts]) => ({
    owner: name,
    css: `@${node.name} ${node.params}{${parts.map(part => part.css).join('')}}`,
  }))
}

/**
 * antd's whole style sheet as one for each component. What it says several times is said once, at the last place.
 * @param folders of the components, below `antd/es`
 */
export function sheetsOf(css: string, folders: readonly string[]): ReadonlyMap<string, string> {
  const owner = componentOf(folders)
  const sheets = new Map<string, Set<string>>()
  for (const part of postcss.parse(css).nodes.flatMap(node => partsOf(node, owner))) {
    const sheet = sheets.get(part.owner) ?? new Set()
    sheets.set(part.owner, sheet)
    sheet.delete(part.css)
    sheet.add(part.css)
  }
  return new Map([...sheets].map(([name, parts]) => [name, [...parts].join('\n')]))
}

/** Folders of antd that hold styles. */
function folders(): string[] {
  const es = path.join(antd, 'es')
  const files = readdirSync(es, { recursive: true, encoding: 'utf8' }).map(
    file => `/antd/es/${file.replaceAll('\\', '/')}`,
  )
  return [...new Set(files.flatMap(file => STYLES.exec(file)?.[1] ?? []))]
}

interface Node {
  readonly start: number
  readonly end: number
}

/** The functions that would make styles in the browser, by where they stand in the module. */
function makers(program: unknown): Node[] {
  const found: Node[] = []
  const look = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, callee, arguments: given } = node as { type?: string; callee?: { name?: string }; arguments?: Node[] }
    if (type === 'CallExpression' && REGISTERS.has(callee?.name ?? '') && given?.[1]) found.push(given[1])
    Object.values(node).forEach(look)
  }
  look(program)
  return found.sort((a, b) => b.start - a.start)
}

/** Whose sheet comes with a module. */
function componentAt(id: string): string | undefined {
  if (ROOT.test(id)) return SHARED
  const folder = STYLES.exec(id)?.[1]
  if (folder === 'grid') return undefined
  return folder ?? 'grid'
}

/**
 * antd's styles as style sheets that travel with their components, in what is built: the functions that would make them in the
 * browser stay at home. Their colours and sizes are variables, which the page sets by its theme.
 */
export function antdSheets(): Plugin {
  let sheets: ReadonlyMap<string, string> = new Map()
  return {
    name: 'antd-sheets',
    apply: 'build',
    buildStart() {
      sheets = sheetsOf(readFileSync(path.join(antd, 'dist/antd.css'), 'utf8'), folders())
    },
    resolveId: source => (source.startsWith(SHEET) ? source : undefined),
    load(id) {
      return id.startsWith(SHEET) ? (sheets.get(id.slice(SHEET.length, -'.css'.length)) ?? '') : undefined
    },
    transform: {
      filter: { id: [STYLES, GRID, ROOT] },
      handler(code, id) {
        const component = componentAt(id)
        let text = code
        for (const { start, end } of makers(this.parse(code)))
          text = `${text.slice(0, start)}() => []${text.slice(end)}`
        return { code: component ? `import '${SHEET}${component}.css'\n${text}` : text, map: null }
      },
    },
  }
}
