import { type ESTree, parseSync } from 'vite'

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

/** Exported functions that no comment explains, as `file:line`. Of several forms of one function the first one's comment is enough. */
export function unexplained(file: string, text: string): string[] {
  const { program, comments } = parseSync(file, text)
  const isExplained = (start: number) =>
    comments.some(({ value, end }) => value.startsWith('*') && end < start && text.slice(end, start).trim() === '')
  const open = program.body.filter(node => exportsFunction(node) && !isExplained(node.start))
  return open.map(node => `${file}:${text.slice(0, node.start).split('\n').length}`)
}

/** Every word of a file's code, names and texts alike, without those of its comments. */
export function namesIn(file: string, text: string): string[] {
  const { comments } = parseSync(file, text)
  const code = comments.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text)
  return code.match(/[A-Za-z]\w*/g) ?? []
}
