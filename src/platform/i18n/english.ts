import contracts from '../../../resources/english/contracts.json'
import definitions from '../../../resources/english/definitions.json'
import sentences from '../../../resources/english/sentences.json'

/** Texts of one channel stand in its folder. */
const channels = import.meta.glob<Record<string, string>>('../channels/*/*/english.json', {
  import: 'default',
  eager: true,
})

const known: Readonly<Record<string, string>> = Object.assign(
  {},
  definitions,
  contracts,
  sentences,
  ...Object.values(channels),
)

/** A sentence around names and numbers, as a pattern of its Chinese and the text of its English. */
interface Shape {
  chinese: string
  pattern: RegExp
  english: string
}

const isChinese = /\p{Script=Han}/u
const gap = /\{\{(\w+)\}\}/g

function shapeOf([chinese, english]: [string, string]): Shape {
  const plain = chinese.replace(/[.*+?^$()[\]|\\/]/g, '\\$&')
  // `n` and `m` are numbers, all others names.
  const source = plain.replace(gap, (_, name: string) => `(?<${name}>${/^[nm]$/.test(name) ? '\\d+' : '.+?'})`)
  return { pattern: new RegExp(`^${source}$`, 'su'), chinese, english }
}

const weight = ([chinese]: [string, string]): number => chinese.replace(gap, '').length

/** Those that say most first: a longer sentence may hold the words of a shorter one. */
const shapes: readonly Shape[] = Object.entries(sentences as Record<string, string>)
  .filter(([chinese]) => chinese.includes('{{'))
  .toSorted((a, b) => weight(b) - weight(a))
  .map(shapeOf)

/** What joins sentences and words, and how English does. */
const joints = [
  ['；', '; '],
  ['，', ', '],
  ['、', ', '],
] as const

/** Longer texts are nobody's sentence. */
const longest = 2000

/**
 * What the server says, in English: sentences around names of fields, words of dictionaries, numbers and times. What has
 * no English, such as what people wrote, stays as it is.
 */
export function inEnglish(text: string): string {
  if (!isChinese.test(text) || text.length > longest) return text
  const whole = known[text]
  if (whole !== undefined) return whole
  for (const [joint, english] of joints) {
    const isOne = shapes.some(({ chinese, pattern }) => chinese.includes(joint) && pattern.test(text))
    if (text.includes(joint) && !isOne) return text.split(joint).map(inEnglish).join(english)
  }
  return shaped(text) ?? text
}

function shaped(text: string): string | undefined {
  for (const { pattern, english } of shapes) {
    const groups = pattern.exec(text)?.groups
    if (groups) return english.replace(gap, (_, name: string) => inEnglish(groups[name] ?? ''))
  }
  return undefined
}
