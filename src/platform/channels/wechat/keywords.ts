import { momentText } from '../../i18n/times.ts'
import { type KeywordSource, keywordSources, type WechatValues } from './channel.ts'

/** A keyword of a template, and what it says. */
export interface Keyword {
  /** `thing1` */
  readonly name: string
  readonly source: KeywordSource
}

/** Kinds of keywords that WeChat has, and how long each may be. */
const lengths: Readonly<Record<string, number>> = {
  thing: 20,
  phrase: 5,
  name: 10,
  character_string: 32,
  letter: 32,
  symbol: 5,
  phone_number: 17,
  time: 20,
  date: 20,
}

const kindOf = (name: string): string => name.replace(/\d+$/, '')

const isTime = (name: string): boolean => ['time', 'date'].includes(kindOf(name))

/**
 * Reads what the keywords of a template say: `thing1=考试 time2=截止时间`.
 * @returns the keywords, or what is wrong in words for people
 */
export function readKeywords(text: string): readonly Keyword[] | string {
  const found: Keyword[] = []
  for (const pair of text.split(/[\s,，;；]+/).filter(one => one !== '')) {
    const [name = '', word = '', more] = pair.split(/[=＝:：]/)
    const source = keywordSources.find(one => one === word)
    if (!/^[a-z_]+\d+$/.test(name) || lengths[kindOf(name)] === undefined || more !== undefined)
      return `「${pair}」不是关键词，请照模板详情填写，例如 thing1=事项`
    if (!source) return `「${pair}」中的内容须为：${keywordSources.join('、')}`
    if (isTime(name) !== ['时间', '截止时间'].includes(source))
      return `「${pair}」：时间类关键词填写时间，其他关键词填写文字`
    if (found.some(one => one.name === name)) return `关键词「${name}」重复`
    found.push({ name, source })
  }
  return found
}

/** A text as long as its keyword may be; what is missing is a dash, because WeChat refuses what is empty. */
function cut(text: string, most: number): string {
  const whole = text.replaceAll(/\s+/g, ' ').trim() || '-'
  const letters = [...whole]
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : whole
}

/** What a message says, keyword by keyword, in the lengths that WeChat allows. */
export const dataOf = (keywords: readonly Keyword[], values: WechatValues): Record<string, { value: string }> =>
  Object.fromEntries(
    keywords.map(({ name, source }) => {
      const value = values[source] ?? ''
      const text = value instanceof Date ? momentText(value) : value
      return [name, { value: cut(text, lengths[kindOf(name)] ?? 20) }]
    }),
  )
