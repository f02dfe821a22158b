import { type Plugin, parseAst } from 'vite'

/** A node of the syntax tree, as far as it is read here. */
interface Node {
  type: string
  name?: string
  value?: unknown
  body?: Node[]
  declaration?: Node | null
  declarations?: Node[]
  id?: Node
  init?: Node
  callee?: Node
  arguments?: Node[]
  properties?: Node[]
  key?: Node
}

const isContract = (id: string): boolean => /\/contract\.ts$/.test(id.split('?')[0] ?? '')

const nameOf = (node: Node | undefined): string => String(node?.name ?? node?.value ?? '')

/** The text of a literal. @throws when it is none, because then the page would not know whom to call */
function textOf(node: Node | undefined, file: string): string {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  throw new Error(`${file}: name and address of an endpoint are plain texts in quotes`)
}

const propertyOf = (about: Node | undefined, name: string): Node | undefined =>
  about?.properties?.find(one => nameOf(one.key) === name)?.value as Node | undefined

/** The names in the address of a POST: a page tells them from those of the body. @throws when they are not written out */
function queryOf(method: string, about: Node | undefined, file: string): Record<string, true> | undefined {
  const query = propertyOf(about, 'query')
  if (method === 'GET' || !query) return undefined
  if (query.type !== 'ObjectExpression' || query.properties?.some(one => one.type !== 'Property'))
    throw new Error(`${file}: a POST with values in its address names them in the endpoint itself`)
  return Object.fromEntries((query.properties ?? []).map(one => [nameOf(one.key), true]))
}

/** What pages carry of an endpoint: whom to call, and where its values go. */
function carried({ arguments: given = [] }: Node, file: string): string {
  const [method = '', path = ''] = textOf(given[1], file).split(' ')
  const upload = propertyOf(given[2], 'upload') ? true : undefined
  const query = queryOf(method, given[2], file)
  return JSON.stringify({ method, path, query, upload })
}

/** The endpoints of a contract without their shapes: names, addresses, and nothing that they are made of. */
export function contractForPages(code: string, file: string): string {
  const { body = [] } = parseAst(code, { lang: 'ts' }) as unknown as Node
  const lines = body.flatMap(({ type, declaration }) => {
    if (type !== 'ExportNamedDeclaration' || declaration?.type !== 'VariableDeclaration') return []
    return (declaration.declarations ?? [])
      .filter(({ init }) => init?.type === 'CallExpression' && init.callee?.name === 'endpoint')
      .map(({ id, init }) => `export const ${nameOf(id)} = ${carried(init as Node, file)}`)
  })
  return `${lines.join('\n')}\n`
}

/**
 * Leaves of each module's `contract.ts` what a page needs of it. Its shapes, with the entities and dictionaries that they are
 * made of, are for the compiler and the server.
 */
export function contracts(): Plugin {
  return {
    name: 'contracts',
    enforce: 'pre',
    transform: (code, id) => (isContract(id) ? { code: contractForPages(code, id), map: null } : undefined),
  }
}
