/** Levels of lists and objects within each other that a body may have. No form of ours has more than six. */
const deepest = 20

const [quote, backslash, open, close, begin, end] = [...'"\\[]{}'].map(char => char.charCodeAt(0))

/** Where the text that begins at a quote ends. */
function endOfText(json: string, from: number): number {
  let at = from + 1
  while (at < json.length && json.charCodeAt(at) !== quote) at += json.charCodeAt(at) === backslash ? 2 : 1
  return at
}

/** Whether JSON text nests deeper than 20 levels: looked at before it is parsed, because what walks it afterwards recurses. */
export function isTooDeep(json: string): boolean {
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const char = json.charCodeAt(at)
    if (char === quote) at = endOfText(json, at)
    else if (char === open || char === begin) depth += 1
    else if (char === close || char === end) depth -= 1
    if (depth > deepest) return true
  }
  return false
}
