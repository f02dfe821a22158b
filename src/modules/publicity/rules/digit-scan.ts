/** Digits in a row that tell something of a number. */
const telling = 4

/**
 * Whether a text holds a part of somebody's number: four of its digits in a row. What people put between digits does not count, and
 * full-width digits are digits.
 * @param numbers ID and phone numbers, empty ones for those that are not known
 */
export function holdsPartOf(text: string, numbers: readonly string[]): boolean {
  const runs =
    text
      .normalize('NFKC')
      .replace(/(?<=\d)[\s\-–—_.·*/\\]+(?=\d)/gu, '')
      .match(/\d+/gu) ?? []
  return runs.some(run => {
    for (let at = 0; at + telling <= run.length; at++) {
      const part = run.slice(at, at + telling)
      if (numbers.some(number => number.includes(part))) return true
    }
    return false
  })
}
