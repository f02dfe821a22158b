/** Where the name of a place goes in the address of a map. */
const place = '{keyword}'

/** Names of parameters that carry a key; an address that anybody sees has none. */
const keys = /^(ak|sk|key|appkey|token|secret|sign|signature)$/i

/**
 * The address of a search for a place on a map.
 * @param template the provider's address with `{keyword}`, as the parameter `map.search` has it
 * @returns empty when there is nothing to search for, or the template is no https address with a place for the name, or
 * carries a key
 */
export function mapLink(template: string | undefined, words: readonly (string | null | undefined)[]): string {
  const keyword = words.filter(Boolean).join(' ').trim()
  if (!keyword || !template?.includes(place)) return ''
  const link = template.trim().replaceAll(place, encodeURIComponent(keyword))
  if (!URL.canParse(link)) return ''
  const { protocol, username, password, searchParams } = new URL(link)
  const isOpen =
    protocol === 'https:' && !username && !password && ![...searchParams.keys()].some(name => keys.test(name))
  return isOpen ? link : ''
}
