import { isIPv6 } from 'node:net'

/** The eight groups of an IPv6 address, written out. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const before = head ? head.split(':') : []
  if (tail === undefined) return before
  const after = tail ? tail.split(':') : []
  return [...before, ...Array(Math.max(0, 8 - before.length - after.length)).fill('0'), ...after]
}

/**
 * What is counted as one address: an IPv4 address, or the 64 bits of an IPv6 network, within which one device has as many
 * addresses as it likes.
 */
export function countedAddress(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped) return mapped[1] as string
  if (!isIPv6(ip)) return ip
  const groups = groupsOf(ip.split('%')[0] as string)
  return `${groups
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
