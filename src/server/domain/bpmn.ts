/** What a workflow model is called in its own XML. */
export interface Bpmn {
  /** Id of its first process. */
  processId: string
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

/** A sentence about what is wrong with a model; the caller makes it a refusal. */
export class BpmnProblem extends Error {}

/** Reads a text from left to right, one token after another. */
class Scanner {
  at = 0
  constructor(readonly text: string) {}

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
    if (found.has(one[1] ?? '') || wrongReference.test(value)) throw new BpmnProblem('XML格式不正确')
    found.set(one[1] ?? '', value)
  }
  return found
}

interface Reading {
  open: string[]
  roots: number
  processId: string | undefined
}

function readElement(scan: Scanner, qualified: string, reading: Reading): void {
  const attributes = readAttributes(scan)
  const end = scan.take('end')
  const kind = local(qualified)
  if (!end || reading.open.length >= deepest) throw new BpmnProblem('XML格式不正确')
  if (forbidden.has(kind.toLowerCase())) throw new BpmnProblem('不能包含脚本任务')
  if (reading.open.length === 0) {
    reading.roots += 1
    if (kind !== 'definitions' || ![...attributes.values()].includes(modelNamespace))
      throw new BpmnProblem('不是BPMN 2.0流程定义')
  }
  if (kind === 'process') reading.processId ??= attributes.get('id')
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
 * @throws BpmnProblem
 */
export function readBpmn(xml: string): Bpmn {
  if (Buffer.byteLength(xml) > mostBpmn) throw new BpmnProblem('流程定义不能超过1MB')
  if (/<!(?!--|\[CDATA\[)/.test(xml)) throw new BpmnProblem('不能包含DOCTYPE或实体声明')
  const scan = new Scanner(xml.replace(/^\uFEFF?\s*/, ''))
  const reading: Reading = { open: [], roots: 0, processId: undefined }
  scan.take('declaration')
  while (scan.at < scan.text.length) if (!step(scan, reading)) throw new BpmnProblem('XML格式不正确')
  if (reading.open.length > 0 || reading.roots !== 1) throw new BpmnProblem('XML格式不正确')
  if (!reading.processId) throw new BpmnProblem('流程定义中没有流程')
  return { processId: reading.processId }
}
