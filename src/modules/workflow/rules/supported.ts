import type { Element } from './bpmn.ts'
import { FlowProblem } from './problem.ts'

/** What is carried out. */
const carriedOut = ['startEvent', 'endEvent', 'userTask', 'exclusiveGateway', 'sequenceFlow']
/** What belongs to those, or only says something to a reader or to the program that draws. */
const beside = [
  'incoming',
  'outgoing',
  'documentation',
  'extensionElements',
  'laneSet',
  'lane',
  'childLaneSet',
  'flowNodeRef',
  'conditionExpression',
  'textAnnotation',
  'text',
  'association',
  'group',
]
const known = new Set([...carriedOut, ...beside])

/** Parts of other programs that would run something at a step. */
const runs = /listener$/i

const isKnown = ({ kind, isExtension }: Element): boolean => (isExtension ? !runs.test(kind) : known.has(kind))

/**
 * Refuses a model that asks for more than is carried out, so that nothing in it is silently left out.
 * @throws FlowProblem that names the element and its line
 */
export function requireSupported(elements: readonly Element[]): void {
  const other = elements.find(one => !isKnown(one))
  if (other)
    throw new FlowProblem(`第${other.line}行：不支持元素${other.id ? `${other.kind} ${other.id}` : other.kind}`)
  const ids = new Set<string>()
  for (const { kind, id, line, isExtension } of elements) {
    if (isExtension) continue
    if (!id && carriedOut.includes(kind)) throw new FlowProblem(`第${line}行：${kind}缺少编号`)
    if (!id) continue
    if (ids.has(id)) throw new FlowProblem(`第${line}行：编号${id}重复`)
    ids.add(id)
  }
}
