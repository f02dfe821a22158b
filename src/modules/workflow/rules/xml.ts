import { Parser } from 'saxen'
import { FlowProblem } from './problem.ts'

/** An attribute of an element. */
export interface Attribute {
  /** Address of its namespace; null for one without a prefix, undefined for a prefix that nothing explains. */
  readonly space: string | null | undefined
  readonly name: string
  /** As it is written, with its prefix. */
  readonly qualified: string
  readonly value: string
}

/** An element of a document. */
export interface XmlElement {
  /** Address of its namespace; null for none, undefined for a prefix that nothing explains. */
  readonly space: string | null | undefined
  /** Its name without the prefix. */
  readonly kind: string
  /** Its name as it is written. */
  readonly qualified: string
  readonly attributes: readonly Attribute[]
  readonly children: readonly XmlElement[]
  /** All text directly inside. */
  readonly text: string
  /** Where it begins, from 1; looked up when it is asked for, which is when there is something to say about it. */
  readonly line: number
}

/** Largest document, in bytes. */
export const mostBytes = 1024 * 1024

const deepest = 100

/** A reference to a character that is none of XML's own: an entity of the text's own making, or nothing at all. */
const wrongReference = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/i
const xmlSpace = 'http://www.w3.org/XML/1998/namespace'

const malformed = (): FlowProblem => new FlowProblem('XML格式不正确')

/** Namespaces by prefix; '' is that of elements without one. */
type Spaces = Readonly<Record<string, string>>

/** An element that is being read. */
interface Open {
  readonly element: XmlElement
  readonly children: XmlElement[]
  readonly texts: string[]
  readonly spaces: Spaces
}

const splitName = (qualified: string): [prefix: string, name: string] => {
  const at = qualified.indexOf(':')
  return [qualified.slice(0, Math.max(at, 0)), qualified.slice(at + 1)]
}

/** The namespaces that hold inside of an element. */
function spacesIn(around: Spaces, given: Readonly<Record<string, string>>): Spaces {
  const declared = Object.entries(given).flatMap(([name, value]) =>
    name === 'xmlns' ? [['', value]] : name.startsWith('xmlns:') ? [[name.slice('xmlns:'.length), value]] : [],
  )
  return declared.length === 0 ? around : { ...around, ...Object.fromEntries(declared) }
}

const spaceOf = (spaces: Spaces, prefix: string): string | null | undefined => {
  const found = Object.hasOwn(spaces, prefix) ? spaces[prefix] : undefined
  return found ?? (prefix === '' ? null : undefined)
}

const isDeclaration = (name: string): boolean => name === 'xmlns' || name.startsWith('xmlns:')

/** Builds the tree out of what the parser meets. */
class Tree {
  root: XmlElement | undefined
  private readonly open: Open[] = []

  get isOpen(): boolean {
    return this.open.length > 0
  }

  begin(
    qualified: string,
    given: Readonly<Record<string, string>>,
    decode: (text: string) => string,
    line: () => number,
  ) {
    if (this.open.length >= deepest || (!this.isOpen && this.root)) throw malformed()
    if (Object.values(given).some(value => wrongReference.test(value) || value.includes('<'))) throw malformed()
    const around = this.open.at(-1)
    const spaces = spacesIn(around?.spaces ?? { xml: xmlSpace }, given)
    const [prefix, kind] = splitName(qualified)
    const attributes = Object.entries(given).flatMap(([written, value]) => {
      if (isDeclaration(written)) return []
      const [own, name] = splitName(written)
      return { space: own === '' ? null : spaceOf(spaces, own), name, qualified: written, value: decode(value) }
    })
    const children: XmlElement[] = []
    const texts: string[] = []
    const element: XmlElement = {
      space: spaceOf(spaces, prefix),
      kind,
      qualified,
      attributes,
      children,
      get text() {
        return texts.join('')
      },
      get line() {
        return line()
      },
    }
    around?.children.push(element)
    this.root ??= element
    this.open.push({ element, children, texts, spaces })
  }

  write(text: string): void {
    this.open.at(-1)?.texts.push(text)
  }

  end(): void {
    this.open.pop()
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
 * Reads a document strictly: well-formed, without DOCTYPE, entities of its own or processing instructions, so that nothing in it
 * reaches out. The parser keeps no lines.
 * @throws FlowProblem
 */
export function readXml(xml: string): XmlElement {
  if (new TextEncoder().encode(xml).length > mostBytes) throw new FlowProblem('流程定义不能超过1MB')
  const [space = ''] = /^\uFEFF?\s*/.exec(xml) ?? []
  const before = space.split('\n').length
  const text = xml.slice(space.length)
  const tree = new Tree()
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
    guarded((found: string, decode: (text: string) => string) => {
      if (wrongReference.test(found) || (!tree.isOpen && found.trim() !== '')) throw malformed()
      tree.write(decode(found))
    }),
  )
  parser.on(
    'cdata',
    guarded((found: string) => {
      if (!tree.isOpen) throw malformed()
      tree.write(found)
    }),
  )
  parser.on(
    'openTag',
    guarded(
      (name: string, attributes: () => false | Readonly<Record<string, string>>, decode: (text: string) => string) => {
        const at = tags++
        tree.begin(name, attributes() || {}, decode, () => before + lineOf(text, at))
      },
    ),
  )
  parser.on('closeTag', () => tree.end())
  parser.parse(text)
  if (problem) throw problem
  if (tree.isOpen || !tree.root) throw malformed()
  return tree.root
}

/** The value of an attribute without a prefix. */
export const attribute = (element: XmlElement, name: string): string | undefined =>
  element.attributes.find(one => one.space === null && one.name === name)?.value
