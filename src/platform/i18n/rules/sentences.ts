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

/** What joins sentences and words, and how English does. */
const joints = [
  ['；', '; '],
  ['，', ', '],
  ['、', ', '],
] as const

/** What a text of one thing ends with where its English differs from that of several. */
const ofOne = '_one'

/** Longer texts are nobody's sentence. */
const longest = 2000

/** English by its Chinese. */
type Texts = Readonly<Record<string, string>>

/**
 * Makes the translation of sentences that stand around names of fields, words of dictionaries, numbers and times. What has no
 * English, such as what people wrote, stays as it is.
 * @param known texts that are translated as a whole, the names and words among them
 * @param sentences the sentences; a name or number in one is `{{what}}`, and one about a single thing (`n` is 1) may stand beside
 *   that about several, under its name and `_one`
 */
export function sentencesIn(known: Texts, sentences: Texts): (text: string) => string {
  // Those that say most first: a longer sentence may hold the words of a shorter one.
  const shapes: readonly Shape[] = Object.entries(sentences)
    .filter(([chinese]) => chinese.includes('{{') && !chinese.endsWith(ofOne))
    .toSorted((a, b) => weight(b) - weight(a))
    .map(shapeOf)

  function shaped(text: string): string | undefined {
    for (const { pattern, chinese, english } of shapes) {
      const groups = pattern.exec(text)?.groups
      const said = (groups?.n === '1' && sentences[chinese + ofOne]) || english
      if (groups) return said.replace(gap, (_, name: string) => inEnglish(groups[name] ?? ''))
    }
    return undefined
  }

  function inEnglish(text: string): string {
    if (!isChinese.test(text) || text.length > longest) return text
    const whole = known[text]
    if (whole !== undefined) return whole
    for (const [joint, english] of joints) {
      const isOne = shapes.some(({ chinese, pattern }) => chinese.includes(joint) && pattern.test(text))
      if (text.includes(joint) && !isOne) return text.split(joint).map(inEnglish).join(english)
    }
    return shaped(text) ?? text
  }

  return inEnglish
}
