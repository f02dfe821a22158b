/** Most addresses of one server. */
const most = 5

/** The parts of an address of a job server that is one or more of `http(s)://host:port[/prefix]`, comma separated. */
export const addressesOf = (text: string): string[] =>
  text
    .split(/[,，]/)
    .map(one => one.trim().replace(/\/+$/, ''))
    .filter(Boolean)

/** The port of an address, also where it is that of its protocol. */
const portOf = (url: URL): string => url.port || (url.protocol === 'https:' ? '443' : '80')

/**
 * What is wrong with the addresses of a job server, in words; null when nothing is.
 * @param isListed hosts that an administrator allows
 * @param isOne only one address is possible
 */
export function addressProblem(
  text: string,
  isListed: (host: string, port: string) => boolean,
  isOne: boolean,
): string | null {
  const addresses = addressesOf(text)
  if (isOne && addresses.length > 1) return '任务服务器地址只能填一个'
  if (addresses.length > most) return `任务服务器地址最多${most}个`
  for (const address of addresses.length > 0 ? addresses : [text]) {
    const url = URL.canParse(address) ? new URL(address) : null
    if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
      return '任务服务器地址应以http://或https://开头'
    if (!isListed(url.hostname, portOf(url))) return '任务服务器的主机不在系统参数 job.hosts 允许的范围内'
  }
  return null
}

/** Addresses in the order in which they are tried: the one that answered last comes first. */
export const inOrder = (addresses: readonly string[], lastGood: string | undefined): string[] =>
  lastGood !== undefined && addresses.includes(lastGood)
    ? [lastGood, ...addresses.filter(one => one !== lastGood)]
    : [...addresses]
