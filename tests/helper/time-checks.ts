import { parseSync } from 'vite'

/** A node of a parsed file, as far as it is walked here. */
interface Node {
  type: string
  start: number
  end: number
  [field: string]: unknown
}

/** Times of an exam, of its stages and of its fees, and what is worked out from them. */
const moment = new RegExp(
  [
    String.raw`\b(sign|reduce|pay|ticket|exam|start|end)(Start|End)?Time\b`,
    String.raw`\b(modify|examine|result|appeal)EndTime\b|\bresultTime\b|\bpublicity(Start|End)\b`,
    String.raw`\b(down|examTicket)(Start|End)\b|\bopen(From|Until)\b`,
  ].join('|'),
)
const present = /\b(now|serverNow|Date\.now)\b/
const order = /^[<>]=?$/

const isNode = (one: unknown): one is Node => typeof one === 'object' && one !== null && 'type' in one

/** Whether a node compares a time with the present: in the program, in a query, or in SQL text. */
function compares(node: Node, text: (node: Node) => string): boolean {
  if (node.type === 'BinaryExpression' && order.test(String(node.operator))) {
    const [left, right] = [text(node.left as Node), text(node.right as Node)]
    return (moment.test(left) && present.test(right)) || (moment.test(right) && present.test(left))
  }
  if (node.type === 'CallExpression') {
    const [field, operator, value, ...others] = (node.arguments as Node[]).map(text)
    const isThree = field !== undefined && operator !== undefined && value !== undefined && others.length === 0
    return isThree && /^'[<>]=?'$/.test(operator) && moment.test(field) && present.test(value)
  }
  if (node.type !== 'TemplateLiteral') return false
  return (node.expressions as Node[]).some(one => {
    if (!present.test(text(one))) return false
    const before = text({ ...node, end: one.start - 2 }).slice(-60)
    const after = text({ ...node, start: one.end + 1 }).slice(0, 60)
    return (/[<>]=?\s*$/.test(before) && moment.test(before)) || (/^\s*[<>]=?/.test(after) && moment.test(after))
  })
}

/** Lines of a file that compare a time of an exam, or of something with times called alike, with the present. */
export function timeChecks(file: string, source: string): string[] {
  const text = ({ start, end }: Node) => source.slice(start, end)
  const found = new Set<number>()
  const walk = (node: Node): void => {
    if (compares(node, text)) found.add(source.slice(0, node.start).split('\n').length)
    for (const one of Object.values(node).flat()) if (isNode(one)) walk(one)
  }
  walk(parseSync(file, source).program as unknown as Node)
  return [...found].map(line => `${file}:${line}`)
}
