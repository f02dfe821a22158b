import { type ESTree, parseSync } from 'vite'

type Node = ESTree.Node
/** Keys of the dictionaries that a field of this name may have, by the field's name. */
export type Keys = ReadonlyMap<string, ReadonlySet<number>>

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

const childrenOf = (node: Node): Node[] =>
  Object.values(node).flatMap((value: unknown) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  )

const wrappers = [
  'ParenthesizedExpression',
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'ChainExpression',
]

/** An expression without what only types and brackets add to it, and without `Number(…)`. */
function bare(node: Node): Node {
  if (wrappers.includes(node.type)) return bare((node as ESTree.ParenthesizedExpression).expression)
  if (node.type !== 'CallExpression' || node.arguments.length !== 1) return node
  const [only] = node.arguments
  return only && node.callee.type === 'Identifier' && node.callee.name === 'Number' ? bare(only) : node
}

/** The name of the field that an expression reads: of `row.payState`, `payState`, `row['payState'] ?? 0`. */
function fieldOf(node: Node): string | undefined {
  const inner = bare(node)
  if (inner.type === 'Identifier') return inner.name
  if (inner.type === 'LogicalExpression') return fieldOf(inner.left)
  if (inner.type !== 'MemberExpression') return undefined
  if (!inner.computed) return inner.property.type === 'Identifier' ? inner.property.name : undefined
  return inner.property.type === 'Literal' ? String(inner.property.value) : undefined
}

/** The numbers an expression may come to as far as they stand in it. */
function numbersOf(node: Node | null | undefined): ESTree.NumericLiteral[] {
  if (!node) return []
  const inner = bare(node)
  if (inner.type === 'Literal') return typeof inner.value === 'number' ? [inner as ESTree.NumericLiteral] : []
  if (inner.type === 'ArrayExpression') return inner.elements.flatMap(numbersOf)
  if (inner.type === 'ConditionalExpression') return [inner.consequent, inner.alternate].flatMap(numbersOf)
  return inner.type === 'LogicalExpression' ? numbersOf(inner.right) : []
}

/** A field together with what it is compared with, set to or asked for. */
type Pair = [field: string | undefined, value: Node | null | undefined]

const textOf = (node: Node | undefined): string | undefined =>
  node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined

function pairsOfCall({ callee, arguments: given }: ESTree.CallExpression): Pair[] {
  const [first, , third] = given
  // `.where('r.payState', '=', 1)`, `eb('payState', 'in', [0, 1])`
  if (given.length === 3) return [[textOf(first)?.split('.').at(-1), third]]
  const isList = callee.type === 'MemberExpression' && !callee.computed && callee.property.name === 'includes'
  // `[0, 2].includes(row.payState)`
  return isList && first ? [[fieldOf(first), callee.object]] : []
}

/** Everything in a node that brings a field and a value together. */
function pairsOf(node: Node): Pair[] {
  if (node.type === 'BinaryExpression' && /^([!=]==?|[<>]=?)$/.test(node.operator)) {
    const sides: Pair[] = [
      [fieldOf(node.left), node.right],
      [fieldOf(node.right), node.left],
    ]
    return sides.filter(([, value]) => value && bare(value).type === 'Literal')
  }
  if (node.type === 'CallExpression') return pairsOfCall(node)
  if (node.type === 'SwitchStatement') return node.cases.map(one => [fieldOf(node.discriminant), one.test])
  if (node.type === 'AssignmentExpression') return [[fieldOf(node.left), node.right]]
  if (node.type === 'AssignmentPattern') return [[fieldOf(node.left), node.right]]
  if (node.type === 'VariableDeclarator') return [[fieldOf(node.id), node.init]]
  if (node.type !== 'Property' || node.computed) return []
  return [[node.key.type === 'Identifier' ? node.key.name : textOf(node.key), node.value]]
}

/** Columns that text of SQL compares or sets: `"payState" = 1`, `s.examine IN (0, 3)`, `coalesce(r."sureState", 0) < 2`. */
const inSql =
  /(?<![\w"'/])(?:\w+\.)?(?:"(\w+)"|(\w+))(?:, \d+\))? (?:=|<>|!=|[<>]=?|(?:NOT )?IN|IS (?:NOT )?DISTINCT FROM) \(?((?:\d+(?:, )?)+)(?![\w.])/gi

/**
 * Places where a field that has a dictionary meets a number that is one of its keys, as `file:line field number`: code says
 * such a key by its name. Found by the name of the field in comparisons, `includes`, queries, objects, declarations,
 * assignments, and in SQL.
 */
export function bareNumbers(file: string, text: string, keys: Keys): string[] {
  const found = new Map<number, string>()
  const note = (field: string | undefined, value: number, at: number) => {
    if (field && keys.get(field)?.has(value)) found.set(at, `${field} ${value}`)
  }
  const look = (node: Node): void => {
    for (const [field, value] of pairsOf(node)) for (const one of numbersOf(value)) note(field, one.value, one.start)
    if (node.type === 'TemplateElement' || (node.type === 'Literal' && typeof node.value === 'string'))
      for (const one of text.slice(node.start, node.end).matchAll(inSql))
        for (const value of one[3]?.split(', ') ?? []) note(one[1] ?? one[2], Number(value), node.start + one.index)
    for (const child of childrenOf(node)) look(child)
  }
  look(parseSync(file, text).program)
  const lineOf = (at: number) => text.slice(0, at).split('\n').length
  return [...found].map(([at, what]) => `${file}:${lineOf(at)} ${what}`)
}
