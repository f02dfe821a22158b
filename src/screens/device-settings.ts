/** What is kept under one name. */
type Value = Readonly<Record<string, unknown>>

/** What was kept on this device alone, by the names under which the server has it; each with its own key here. */
const before: readonly (readonly [start: string, name: (rest: string) => string, read: (text: string) => Value])[] = [
  ['juxian-table-', rest => `table.${rest}`, text => JSON.parse(text) as Value],
  ['juxian-folded', () => 'window', text => ({ folded: text === '1' })],
]

/**
 * Takes what was kept on this device alone for a person, by name; it is gone from here afterwards.
 * @param isKnown whether the person has something of a name at the server: then what was here counts no more
 */
export function takeSettings(person: string, isKnown: (name: string) => boolean): [name: string, value: Value][] {
  return Object.keys(localStorage).flatMap((key): [string, Value][] => {
    const found = before.find(([start]) => key.startsWith(start))
    if (!found) return []
    const [start, nameOf, readText] = found
    const rest = key.slice(start.length)
    const [whose, ...of] = rest.split('-')
    // Tables were kept for each person; what others have chosen stays until they come.
    if (rest && whose !== person) return []
    const name = nameOf(of.join('-'))
    const text = localStorage.getItem(key) ?? '{}'
    localStorage.removeItem(key)
    try {
      return isKnown(name) ? [] : [[name, readText(text)]]
    } catch {
      // What cannot be read is nobody's choice.
      return []
    }
  })
}
