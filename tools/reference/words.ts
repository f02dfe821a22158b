import { type ESTree, parseSync } from 'vite'

/** A member of a word, or a parameter of a function. */
export interface Part {
  readonly name: string
  readonly optional: boolean
  /** Its type as it is written. */
  readonly type: string
  readonly text: string
}

/** One exported word of the definition language. */
export interface Word {
  readonly name: string
  /** How it is called or what it stands for: `text(title, options?)`, or nothing for an interface. */
  readonly form: string
  readonly text: string
  readonly parts: readonly Part[]
}

interface Docs {
  readonly source: string
  readonly comments: readonly { readonly value: string; readonly start: number; readonly end: number }[]
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** The docstring right before a place of the source, without its stars; empty where there is none. */
function docOf({ source, comments }: Docs, start: number): string {
  const before = comments.find(
    ({ value, end }) => value.startsWith('*') && end <= start && source.slice(end, start).trim() === '',
  )
  const lines = before?.value.slice(1).split('\n') ?? []
  return lines
    .map(line => line.replace(/^\s*\*? ?/, '').trimEnd())
    .join('\n')
    .replaceAll(/\{@link ([^}]+)\}/g, '`$1`')
    .trim()
}

const textOf = ({ source }: Docs, { start, end }: { start: number; end: number }): string =>
  oneLine(source.slice(start, end))

/** Members of an interface or of an object type. */
function partsOf(docs: Docs, members: readonly ESTree.TSSignature[]): Part[] {
  return members.flatMap(member => {
    if (member.type !== 'TSPropertySignature' && member.type !== 'TSMethodSignature') return []
    const named = member.type === 'TSPropertySignature' ? member.typeAnnotation : member.returnType
    return {
      name: textOf(docs, member.key),
      optional: Boolean(member.optional),
      type: named ? textOf(docs, named.typeAnnotation) : '',
      text: oneLine(docOf(docs, member.start)),
    }
  })
}

function callForm(docs: Docs, name: string, params: readonly ESTree.ParamPattern[]): string {
  const names = params.map(one => {
    if (one.type === 'AssignmentPattern') return `${textOf(docs, one.left).replace(/:.*$/, '')}?`
    return textOf(docs, one).replace(/(\?)?:.*$/, '$1')
  })
  return `${name}(${names.join(', ')})`
}

function isFunction(node: ESTree.Expression | null): node is ESTree.ArrowFunctionExpression | ESTree.Function {
  return node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression'
}

function wordOf(docs: Docs, start: number, node: ESTree.Declaration): Word[] {
  const text = docOf(docs, start)
  if (node.type === 'TSInterfaceDeclaration')
    return [{ name: node.id.name, form: '', text, parts: partsOf(docs, node.body.body) }]
  if (node.type === 'TSTypeAliasDeclaration') {
    const { typeAnnotation: type } = node
    const parts = type.type === 'TSTypeLiteral' ? partsOf(docs, type.members) : []
    return [{ name: node.id.name, form: parts.length > 0 ? '' : textOf(docs, type), text, parts }]
  }
  if (node.type === 'FunctionDeclaration' && node.id)
    return [{ name: node.id.name, form: callForm(docs, node.id.name, node.params), text, parts: [] }]
  if (node.type !== 'VariableDeclaration') return []
  return node.declarations.flatMap(({ id, init }) => {
    if (id.type !== 'Identifier') return []
    return { name: id.name, form: isFunction(init) ? callForm(docs, id.name, init.params) : '', text, parts: [] }
  })
}

/** The exported words of a file of the definition language, with their docstrings, in the order in which they stand. */
export function wordsOf(file: string, source: string): Word[] {
  const { program, comments } = parseSync(file, source)
  const docs: Docs = { source, comments }
  const found = program.body.flatMap(node =>
    node.type === 'ExportNamedDeclaration' && node.declaration ? wordOf(docs, node.start, node.declaration) : [],
  )
  // Of several forms of one function the first one's docstring serves.
  return found.filter((one, i) => found.findIndex(({ name }) => name === one.name) === i)
}
