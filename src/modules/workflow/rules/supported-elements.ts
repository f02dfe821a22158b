import { FlowProblem } from './problem.ts'
import {
  ignored,
  isEditor,
  isEngine,
  isModel,
  isWithoutEffect,
  onlyAs,
  refusedElements,
  vocabulary,
} from './vocabulary.ts'
import { type Attribute, attribute, type XmlElement } from './xml.ts'

/** A problem that tells already where it is. */
class PlacedProblem extends FlowProblem {}

/** What to call an element by. */
const nameOf = (element: XmlElement): string => attribute(element, 'id') || attribute(element, 'name') || element.kind

/** Words about an element, with its line and its name. */
export const problemAt = (element: XmlElement, words: string): FlowProblem =>
  new PlacedProblem(`第${element.line}行：${words}（${nameOf(element)}）`)

/** Does something about an element, and tells where it is when that goes wrong. */
export function about<T>(element: XmlElement, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof FlowProblem && !(error instanceof PlacedProblem) ? problemAt(element, error.message) : error
  }
}

function unknownElement(element: XmlElement): FlowProblem {
  const words =
    Object.hasOwn(refusedElements, element.kind) && isModel(element.space) ? refusedElements[element.kind] : undefined
  if (words) return problemAt(element, words)
  const id = attribute(element, 'id')
  return new PlacedProblem(`第${element.line}行：不支持元素${id ? `${element.kind} ${id}` : element.kind}`)
}

/** Why an attribute cannot be carried out; null where it can. */
function attributeProblem(element: XmlElement, { space, name, qualified, value }: Attribute): string | null {
  if (space === undefined) return '无法解析'
  if (isEditor(space)) return null
  const { plain = [], engine = [] } = vocabulary[element.kind] ?? {}
  const isKnown =
    space === null
      ? name === 'id' || name === 'name' || plain.includes(name)
      : isEngine(space) && (engine.includes(name) || isWithoutEffect(name))
  if (!isKnown) return `不支持属性${qualified}`
  const only = Object.hasOwn(onlyAs, name) ? onlyAs[name] : undefined
  return only && value !== '' && !only.includes(value.trim()) ? `不支持${name}` : null
}

/** The elements inside that say something about what is done, those in `extensionElements` among them. */
function partsOf(element: XmlElement): readonly XmlElement[] {
  if (!isModel(element.space)) return element.children
  return element.children.flatMap(one =>
    one.kind === 'extensionElements' && isModel(one.space) ? one.children : [one],
  )
}

function isExpected(parent: XmlElement, element: XmlElement): boolean {
  const { inside = [], extensions = [] } = vocabulary[parent.kind] ?? {}
  const isInExtensions = !parent.children.includes(element) || !isModel(parent.space)
  return isInExtensions
    ? isEngine(element.space) && extensions.includes(element.kind)
    : isModel(element.space) && inside.includes(element.kind)
}

/**
 * Refuses what cannot be carried out, so that nothing in a model is silently left out.
 * @throws FlowProblem that names the element and its line
 */
export function requireSupported(element: XmlElement): void {
  for (const one of element.attributes) {
    const words = attributeProblem(element, one)
    if (words) throw problemAt(element, words)
  }
  for (const part of partsOf(element)) {
    if (part.space === undefined) throw problemAt(part, '无法解析')
    if (isEditor(part.space)) continue
    if (!isExpected(element, part) || part.kind === 'ioSpecification') throw unknownElement(part)
    // Kinds of events that are not carried out are refused as what they are when their event is read.
    if (!ignored.has(part.kind) && Object.hasOwn(vocabulary, part.kind)) requireSupported(part)
  }
}
