import { FlowProblem } from './problem.ts'

/** An element of a model inside its process. */
export interface Element {
  /** Its name without the prefix. */
  kind: string
  id: string | undefined
  line: number
  /** Whether it belongs to some other program, as `extensionElements` holds them. */
  isExtension: boolean
}

/** What a workflow model says of itself before anybody looks at what it means. */
export interface Bpmn {
  /** Id of its first process. */
  processId: string
  /** How many processes it has. */
  processes: number
  /** Everything inside of processes, in the order of the text. */
  elements: readonly Element[]
}

/** Largest model, in bytes. */
export const mostBpmn = 1024 * 1024

const modelNamespace = 'http://www.omg.org/spec/BPMN/20100524/MODEL'
/** Elements that would run a program of whoever wrote the model. */
const forbidden = new Set(['scripttask', 'script'])
const deepest = 100

const name = '[\\p{L}_][\\p{L}\\p{N}_.-]*(?::[\\p{L}_][\\p{L}\\p{N}_.-]*)?'
const tokens = {
  declaration: /<\?xml\s[^?<>]*\?>/y,
  comment: /<!--(?:(?!--)[\s\S])*-->/y,
  data: /<!\[CDATA\[(?:(?!\]\]>)[\s\S])*\]\]>/y,
  close: new RegExp(`</(${name})\\s*>`, 'uy'),
  open: new RegExp(`<(${name})`, 'uy'),
  attribute: new RegExp(`\\s+(${name})\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')`, 'uy'),
  end: /\s*(\/?)>/y,
  text: /[^<]+/y,
}

const wrongReference = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/i

/** Reads a text from left to right, one token after another. */
class Scanner {
  at = 0
  private line: number
  private counted = 0

  /** @param line number of the line the text begins in */
  constructor(
    readonly text: string,
    line: number,
  ) {
    this.line = line
  }

  /** The line that is being read, from 1. */
  lineNow(): number {
    for (; this.counted < this.at; this.counted += 1) if (this.text[this.counted] === '\n') this.line += 1
    return this.line
  }

  take(kind: keyof typeof tokens): RegExpExecArray | null {
    const pattern = tokens[kind]
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)
    if (found) this.at = pattern.lastIndex
    return found
  }
}

const local = (qualified: string): string => qualified.slice(qualified.indexOf(':') + 1)

function readAttributes(scan: Scanner): Map<string, string> {
  const found = new Map<string, string>()
  for (let one = scan.take('attribute'); one; one = scan.take('attribute')) {
    const value = one[2] ?? one[3] ?? ''
    if (found.has(one[1] ?? '') || wrongReference.test(value)) throw new FlowProblem('XML格式不正确')
    found.set(one[1] ?? '', value)
  }
  return found
}

interface Reading {
  open: string[]
  roots: number
  processIds: (string | undefined)[]
  elements: Element[]
}

const isInside = (open: readonly string[], kind: string): boolean => open.some(one => local(one) === kind)

function readElement(scan: Scanner, qualified: string, reading: Reading): void {
  const line = scan.lineNow()
  const attributes = readAttributes(scan)
  const end = scan.take('end')
  const kind = local(qualified)
  if (!end || reading.open.length >= deepest) throw new FlowProblem('XML格式不正确')
  if (forbidden.has(kind.toLowerCase())) throw new FlowProblem('不能包含脚本任务')
  if (reading.open.length === 0) {
    reading.roots += 1
    if (kind !== 'definitions' || ![...attributes.values()].includes(modelNamespace))
      throw new FlowProblem('不是BPMN 2.0流程定义')
  }
  if (isInside(reading.open, 'process')) {
    const isExtension = isInside(reading.open, 'extensionElements')
    reading.elements.push({ kind, id: attributes.get('id'), line, isExtension })
  } else if (kind === 'process') reading.processIds.push(attributes.get('id'))
  if (!end[1]) reading.open.push(qualified)
}

/** Takes one token; false where none fits. */
function step(scan: Scanner, reading: Reading): boolean {
  if (scan.take('comment') || (reading.open.length > 0 && scan.take('data'))) return true
  const close = scan.take('close')
  if (close) return reading.open.pop() === close[1]
  const open = scan.take('open')
  if (open) {
    readElement(scan, open[1] ?? '', reading)
    return true
  }
  const text = scan.take('text')?.[0]
  return text !== undefined && !wrongReference.test(text) && (reading.open.length > 0 || text.trim() === '')
}

/**
 * Reads a workflow model strictly: well-formed, BPMN 2.0, without DOCTYPE, entities of its own, processing instructions or
 * script tasks, so that no engine meets anything that reaches out or runs.
 * @throws FlowProblem
 */
export function readBpmn(xml: string): Bpmn {
  if (Buffer.byteLength(xml) > mostBpmn) throw new FlowProblem('流程定义不能超过1MB')
  if (/<!(?!--|\[CDATA\[)/.test(xml)) throw new FlowProblem('不能包含DOCTYPE或实体声明')
  const [space = ''] = /^\uFEFF?\s*/.exec(xml) ?? []
  const scan = new Scanner(xml.slice(space.length), space.split('\n').length)
  const reading: Reading = { open: [], roots: 0, processIds: [], elements: [] }
  scan.take('declaration')
  while (scan.at < scan.text.length) if (!step(scan, reading)) throw new FlowProblem('XML格式不正确')
  if (reading.open.length > 0 || reading.roots !== 1) throw new FlowProblem('XML格式不正确')
  const [processId] = reading.processIds
  if (!processId) throw new FlowProblem('流程定义中没有流程')
  return { processId, processes: reading.processIds.length, elements: reading.elements }
}
