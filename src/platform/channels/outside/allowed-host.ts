import { commaList } from '#engine'

/**
 * Whether a host is in a list of an administrator: `host` for any port or `host:port`, comma-joined. Names are compared as
 * they stand; nothing is looked up, so a name that leads elsewhere later was still allowed by somebody.
 */
export function isAllowedHost(host: string, port: string, list: string | undefined): boolean {
  const name = host.toLowerCase()
  return commaList(list?.toLowerCase()).some(one => one === name || one === `${name}:${port}`)
}
