import { Parser } from 'saxen'
import { FlowProblem } from './problem.ts'

/** An element of a model inside its process. */
export interface Element {
  /** Its name without the prefix. */
  kind: string
  id: string | undefined
  /** Where it begins, from 1; looked up when it is asked for, which is when there is something to say about it. */
  readonly line: number
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

/** A reference to a character that is none of XML's own: an entity of the text's own making, or nothing at all. */
const wrongReference = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/i

const local = (qualified: string): string => qualified.slice(qualified.indexOf(':') + 1)

const malformed = (): FlowProblem => new FlowProblem('XML格式不正确')

/** What has been read of a model so far. */
class Reading {
  readonly open: string[] = []
  readonly processIds: (string | undefined)[] = []
  readonly elements: Element[] = []
  roots = 0

  #isInside(kind: string): boolean {
    return this.open.some(one => local(one) === kind)
  }

  begin(qualified: string, attributes: Readonly<Record<string, string>>, line: () => number): void {
    const kind = local(qualified)
    if (
      this.open.length >= deepest ||
      Object.values(attributes).some(value => wrongReference.test(value) || value.includes('<'))
    )
      throw malformed()
    if (forbidden.has(kind.toLowerCase())) throw new FlowProblem('不能包含脚本任务')
    if (this.open.length === 0) {
      this.roots += 1
      if (kind !== 'definitions' || !Object.values(attributes).includes(modelNamespace))
        throw new FlowProblem('不是BPMN 2.0流程定义')
    }
    if (this.#isInside('process')) {
      const isExtension = this.#isInside('extensionElements')
      const element = { kind, id: attributes.id, isExtension }
      this.elements.push(Object.defineProperty(element, 'line', { get: line }) as typeof element & { line: number })
    } else if (kind === 'process') this.processIds.push(attributes.id)
    this.open.push(qualified)
  }

  text(text: string): void {
    if (wrongReference.test(text) || (this.open.length === 0 && text.trim() !== '')) throw malformed()
  }
}

/** The line, from 0, in which the element that is opened after `before` others begins. */
function lineOf(xml: string, before: number): number {
  const parser = new Parser()
  let [line, seen] = [0, 0]
  parser.on('openTag', (_name, _attributes, _decode, _isClosed, context) => {
    if (seen++ < before) return
    line = context().line
    parser.stop()
  })
  parser.parse(xml)
  return line
}

/**
 * Reads a workflow model strictly: well-formed, BPMN 2.0, without DOCTYPE, entities of its own, processing instructions or
 * script tasks, so that no engine meets anything that reaches out or runs. The parser is the one that `bpmn-moddle` reads with,
 * which keeps no lines.
 * @throws FlowProblem
 */
export function readBpmn(xml: string): Bpmn {
  if (Buffer.byteLength(xml) > mostBpmn) throw new FlowProblem('流程定义不能超过1MB')
  const [space = ''] = /^\uFEFF?\s*/.exec(xml) ?? []
  const before = space.split('\n').length
  const text = xml.slice(space.length)
  const reading = new Reading()
  let [tags, declarations] = [0, 0]
  const parser = new Parser()
  // What is thrown while it reads comes back to `error`; the first problem is the one to tell.
  let problem: unknown
  const tell = (error: unknown): void => {
    problem ??= error instanceof FlowProblem ? error : malformed()
    parser.stop()
  }
  const guarded =
    <A extends unknown[]>(work: (...given: A) => void) =>
    (...given: A): void => {
      try {
        work(...given)
      } catch (error) {
        tell(error)
      }
    }
  parser.on('error', tell)
  parser.on('warn', tell)
  parser.on('attention', () => tell(new FlowProblem('不能包含DOCTYPE或实体声明')))
  parser.on('question', (found: string) => {
    // Only the declaration, which stands first.
    if (!/^<\?xml\s[^?<>]*\?>$/.test(found) || !text.startsWith(found) || declarations++ > 0) tell(malformed())
  })
  parser.on(
    'text',
    guarded(value => reading.text(value)),
  )
  parser.on(
    'cdata',
    guarded(() => reading.open.length === 0 && tell(malformed())),
  )
  parser.on(
    'openTag',
    guarded((name: string, attributes: () => false | Record<string, string>) => {
      const given = attributes()
      const at = tags++
      reading.begin(name, given || {}, () => before + lineOf(text, at))
    }),
  )
  parser.on('closeTag', () => void reading.open.pop())
  parser.parse(text)
  if (problem) throw problem
  if (reading.open.length > 0 || reading.roots !== 1) throw malformed()
  const [processId] = reading.processIds
  if (!processId) throw new FlowProblem('流程定义中没有流程')
  return { processId, processes: reading.processIds.length, elements: reading.elements }
}
