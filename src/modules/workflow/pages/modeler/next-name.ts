/** A name that is not taken yet: a word and a number. */
export function nextName(taken: readonly string[], word: string): string {
  let number = taken.length + 1
  while (taken.includes(`${word}${number}`)) number += 1
  return `${word}${number}`
}
