import { type ESTree, parseSync, Visitor } from 'vite'

/** A piece of a source file: where it stands, and how many lines it takes. */
export interface Piece {
  /** `file:line`. */
  place: string
  lines: number
}

interface Span {
  start: number
  end: number
}

const lineOf = (text: string, at: number) => text.slice(0, at).split('\n').length

function pieceOf(file: string, text: string, { start, end }: Span): Piece {
  const first = lineOf(text, start)
  return { place: `${file}:${first}`, lines: lineOf(text, end) - first + 1 }
}

/** Every function of a source file, those without a name included. */
export function functionsOf(file: string, text: string): Piece[] {
  const found: Piece[] = []
  const note = (node: Span) => void found.push(pieceOf(file, text, node))
  const visitor = new Visitor({ FunctionDeclaration: note, FunctionExpression: note, ArrowFunctionExpression: note })
  visitor.visit(parseSync(file, text).program)
  return found
}

const functionTypes = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']

/** True when a statement exports a function: by declaration, as a constant, or as what a plugin wrapper takes. */
function exportsFunction(node: ESTree.Program['body'][number]): boolean {
  if (node.type === 'ExportDefaultDeclaration') {
    const { declaration: one } = node
    const inner = one.type === 'CallExpression' ? one.arguments[0] : one
    return inner !== undefined && functionTypes.includes(inner.type)
  }
  if (node.type !== 'ExportNamedDeclaration' || !node.declaration) return false
  if (node.declaration.type === 'FunctionDeclaration') return true
  if (node.declaration.type !== 'VariableDeclaration') return false
  return node.declaration.declarations.some(({ init }) => init && functionTypes.includes(init.type))
}

/** Exported functions that no comment explains. Of several forms of one function the first one's comment is enough. */
export function unexplained(file: string, text: string): string[] {
  const { program, comments } = parseSync(file, text)
  const isExplained = (start: number) =>
    comments.some(({ value, end }) => value.startsWith('*') && end < start && text.slice(end, start).trim() === '')
  const open = program.body.filter(node => exportsFunction(node) && !isExplained(node.start))
  return open.map(node => pieceOf(file, text, node).place)
}
