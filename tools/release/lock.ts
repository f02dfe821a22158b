/** What package-lock.json says of one installed package. */
export interface LockedPackage {
  version?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
  optional?: boolean
  [more: string]: unknown
}

/** package-lock.json of version 3; the key of a package is its folder, that of the project is empty. */
export interface Lock {
  packages: Record<string, LockedPackage>
  [more: string]: unknown
}

/** What of package.json says which packages there are. */
export interface Wanted {
  name: string
  version: string
  dependencies: Record<string, string>
  optionalDependencies: Record<string, string>
  [more: string]: unknown
}

const inner = '/node_modules/'

/** Where a package finds another one: in its own folder, or in that of the nearest above. */
function placeOf(lock: Lock, name: string, from: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(at.lastIndexOf(inner), 0))) {
    const place = at ? `${at}${inner}${name}` : `node_modules/${name}`
    if (lock.packages[place]) return place
    if (!at) return undefined
  }
}

/** The packages that must be there with one: what it depends on, and the peers it cannot do without. */
const needsOf = ({ dependencies, peerDependencies, peerDependenciesMeta }: LockedPackage): string[] => [
  ...Object.keys(dependencies ?? {}),
  ...Object.keys(peerDependencies ?? {}).filter(name => !peerDependenciesMeta?.[name]?.optional),
]

/**
 * The part of a lock file that belongs to a package.json with fewer packages, every version as before.
 * @throws when a package is not locked
 */
export function restrictLock(lock: Lock, wanted: Wanted): Lock {
  const kept = new Map<string, LockedPackage>()
  const take = (name: string, from: string, isOptional: boolean): void => {
    const place = placeOf(lock, name, from)
    if (!place) {
      if (isOptional) return
      throw new Error(`package-lock.json has no ${name}, which ${from || 'the program'} needs.`)
    }
    const before = kept.get(place)
    if (before && (!before.optional || isOptional)) return
    const { dev: _dev, devOptional: _devOptional, peer: _peer, optional: _optional, ...entry } = lock.packages[place]!
    kept.set(place, isOptional ? { ...entry, optional: true } : entry)
    for (const need of needsOf(entry)) take(need, place, isOptional)
    for (const need of Object.keys(entry.optionalDependencies ?? {})) take(need, place, true)
  }
  for (const name of Object.keys(wanted.dependencies)) take(name, '', false)
  for (const name of Object.keys(wanted.optionalDependencies)) take(name, '', true)
  const { name, version, license, engines, dependencies, optionalDependencies } = wanted
  const own = { name, version, license, dependencies, optionalDependencies, engines }
  const packages = Object.fromEntries([...kept].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return { ...lock, name, version, packages: { '': own, ...packages } }
}
