import { lazily } from './lazily.ts'

/** Surnames of two characters. */
const compound = new Set(
  '欧阳 太史 端木 上官 司马 东方 独孤 南宫 万俟 闻人 夏侯 诸葛 尉迟 公羊 赫连 澹台 皇甫 宗政 濮阳 公冶 太叔 申屠 公孙 慕容 仲孙 钟离 长孙 宇文 司徒 鲜于 司空 闾丘 子车 亓官 司寇 巫马 公西 颛孙 壤驷 公良 漆雕 乐正 宰父 谷梁 拓跋 夹谷 轩辕 令狐 段干 百里 呼延 东郭 南门 羊舌 微生 梁丘 左丘 西门 第五 即墨 达奚 褚师'.split(
    ' ',
  ),
)

const letters = lazily(() => new Intl.Segmenter('zh', { granularity: 'grapheme' }))
const star = '*'

/**
 * A name as public lists have it, of which nobody reads more than is needed to find oneself: 张*, 张*明, 欧阳*娜, 买买提·*. Of a name
 * without Chinese characters the first word stays.
 */
export function maskName(name: string): string {
  const text = name.normalize('NFC').trim()
  const [first = '', ...rest] = text.split(/[·•‧・．.]/u)
  if (rest.length > 0) return `${first}·${star}`
  if (!/\p{Script=Han}/u.test(text)) {
    const [word = '', ...words] = text.split(/\s+/u)
    return words.length > 0 ? `${word} ${star}` : `${word.slice(0, 1)}${star}`
  }
  const parts = Array.from(letters().segment(text), one => one.segment)
  const surname = parts.length > 2 && compound.has(parts.slice(0, 2).join('')) ? 2 : 1
  const between = parts.length - surname - 1
  const last = between > 0 ? (parts.at(-1) ?? '') : ''
  return parts.slice(0, surname).join('') + star.repeat(Math.max(1, between)) + last
}
