import { FlowProblem } from './problem.ts'
import { modelSpace } from './vocabulary.ts'
import { attribute, mostBytes, readXml, type XmlElement } from './xml.ts'

/** An element of a model inside its process. */
export interface Element {
  /** Its name without the prefix. */
  kind: string
  id: string | undefined
  /** Where it begins, from 1. */
  readonly line: number
  /** Whether it belongs to some other program, as `extensionElements` holds them. */
  isExtension: boolean
}

/** What a workflow model says of itself before anybody looks at what it means. */
export interface Bpmn {
  /** Id of the process that is run. */
  processId: string
  /** How many processes it has. */
  processes: number
  /** Everything inside of processes, in the order of the text. */
  elements: readonly Element[]
  /** The whole of it. */
  definitions: XmlElement
  /** The process that is run. */
  process: XmlElement
}

/** Largest model, in bytes. */
export const mostBpmn = mostBytes

/** Elements that would run a program of whoever wrote the model. */
const forbidden: Readonly<Record<string, string>> = { scripttask: '不支持脚本任务', script: '不支持脚本' }

function* within(element: XmlElement): Generator<XmlElement> {
  for (const child of element.children) {
    yield child
    yield* within(child)
  }
}

function* elementsIn(parent: XmlElement, isExtension: boolean): Generator<Element> {
  for (const child of parent.children) {
    yield {
      kind: child.kind,
      id: attribute(child, 'id'),
      isExtension,
      get line() {
        return child.line
      },
    }
    yield* elementsIn(child, isExtension || child.kind === 'extensionElements')
  }
}

/** Pools that only stand for somebody else have nothing inside. */
const hasSteps = ({ children }: XmlElement): boolean => children.some(({ kind }) => kind.endsWith('Event'))

/** The process that is run: the only one, or the only one with steps, or the only one that is meant to be carried out. */
function processOf(processes: readonly XmlElement[]): XmlElement {
  const [first, ...others] = processes
  if (!first) throw new FlowProblem('流程定义中没有流程')
  if (others.length === 0) return first
  const drawn = processes.filter(hasSteps)
  const meant = drawn.length > 1 ? drawn.filter(one => attribute(one, 'isExecutable') === 'true') : drawn
  if (meant.length !== 1) throw new FlowProblem('一个文件只能有一个可执行的流程')
  return meant[0] as XmlElement
}

/**
 * Reads a workflow model strictly: well-formed, BPMN 2.0, without anything that reaches out and without script tasks.
 * @throws FlowProblem
 */
export function readBpmn(xml: string): Bpmn {
  const definitions = readXml(xml)
  if (definitions.kind !== 'definitions' || definitions.space !== modelSpace)
    throw new FlowProblem('不是BPMN 2.0流程定义')
  for (const one of within(definitions)) {
    const words = forbidden[one.kind.toLowerCase()]
    if (words) throw new FlowProblem(`第${one.line}行：${words}（${attribute(one, 'id') ?? one.kind}）`)
  }
  const processes = definitions.children.filter(({ kind, space }) => kind === 'process' && space === modelSpace)
  const process = processOf(processes)
  const processId = attribute(process, 'id')
  if (!processId) throw new FlowProblem('流程定义中没有流程')
  const elements = processes.flatMap(one => [...elementsIn(one, false)])
  return { processId, processes: processes.length, elements, definitions, process }
}
