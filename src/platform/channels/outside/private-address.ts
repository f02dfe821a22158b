import { BlockList, isIPv6 } from 'node:net'

/**
 * Networks that are nobody's on the internet: this machine, private and shared ones, links, tests, groups. IPv6 addresses that
 * carry an IPv4 address inside lead wherever that one leads, so they count as private too.
 */
const networks = {
  ipv4: `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.168.0.0/16
    198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3`,
  ipv6: '::/96 64:ff9b::/32 2001::/23 2001:db8::/32 2002::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8',
} as const

const notPublic = new BlockList()
for (const family of ['ipv4', 'ipv6'] as const)
  for (const one of networks[family].split(/\s+/)) {
    const [network = '', bits] = one.split('/')
    notPublic.addSubnet(network, Number(bits), family)
  }

/** Whether an IP address leads to this machine or into a network that is not the internet. */
export const isPrivateAddress = (address: string): boolean =>
  notPublic.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
