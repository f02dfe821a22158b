import { isEngine, isModel } from './vocabulary.ts'
import type { XmlElement } from './xml.ts'

/** The value of an attribute that engines add; nothing where it stands without a value. */
export function engineAttribute(element: XmlElement, name: string): string | undefined {
  const value = element.attributes.find(one => isEngine(one.space) && one.name === name)?.value.trim()
  return value === '' ? undefined : value
}

/** Elements of BPMN directly inside. */
export const childrenOf = (element: XmlElement, kind: string): readonly XmlElement[] =>
  element.children.filter(one => one.kind === kind && isModel(one.space))

/** What engines add inside of an element. */
export const extensionsOf = (element: XmlElement, kind: string): readonly XmlElement[] =>
  childrenOf(element, 'extensionElements').flatMap(({ children }) =>
    children.filter(one => one.kind === kind && isEngine(one.space)),
  )
