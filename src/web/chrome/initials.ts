/** The first character of each letter's stretch in the order of the dictionary, and those letters. */
const FIRST = `阿八嚓哒妸发旮哈讥咔垃妈拏噢妑七呥扨它穵夕丫帀`
const LETTERS = 'abcdefghjklmnopqrstwxyz'

let order: Intl.Collator | undefined

/**
 * The first letters of a Chinese text's pinyin, other characters as they are: `系统参数` is `xtcs`. They come from the
 * browser's own dictionary order, so nothing is loaded; a character with several readings has the commonest.
 */
export function initials(text: string): string {
  order ??= new Intl.Collator('zh-CN-u-co-pinyin')
  const { compare } = order
  return Array.from(text.toLowerCase(), character => {
    if (!/\p{Script=Han}/u.test(character)) return character
    const after = [...FIRST].findIndex(one => compare(one, character) > 0)
    return LETTERS.at(after < 0 ? -1 : Math.max(0, after - 1))
  }).join('')
}
