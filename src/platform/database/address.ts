/** Several PostgreSQL that hold the same data, of which one takes writes. */
export interface NamedHosts {
  /** Each with its port. */
  readonly hosts: readonly string[]
  /** The address of one of them. */
  readonly at: (host: string) => string
}

/** An address that names several hosts, as libpq reads it: `postgresql://user:password@a:5432,b:5432/name`. */
const several = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*,[^/?#]*)(.*)$/

/** The hosts that an address names, and the address with one of them alone; null for an address of one host. */
export function hostsOf(url: string): NamedHosts | null {
  const [, head = '', named, tail = ''] = several.exec(url) ?? []
  if (named === undefined) return null
  const hosts = named.split(',').map(one => {
    const [, host = '', port = '5432'] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(one) ?? []
    return `${host}:${port}`
  })
  return { hosts, at: host => `${head}${host}${tail}` }
}

/** Whether an address of one host or several can be read. */
export function isDatabaseAddress(url: string): boolean {
  const named = hostsOf(url)
  return named ? named.hosts.every(one => /^.+:\d+$/.test(one) && URL.canParse(named.at(one))) : URL.canParse(url)
}
