/** A finished part of an archive, as far as it matters to the volumes. */
export interface Sized {
  /** Bytes. */
  readonly size: number
  /** Code of the position whose people's files it has; none for what belongs to the exam as a whole. */
  readonly post?: string
}

/**
 * Divides the parts of an archive into volumes of so many bytes at most, in their order. What belongs to the exam as a whole begins
 * the first one. A position is divided where it does not fit into a volume, and elsewhere begins a new one rather than that. A part
 * that is too long by itself is a volume of its own.
 * @param most bytes of a volume
 */
export function volumesOf<T extends Sized>(parts: readonly T[], most: number): T[][] {
  const volumes: T[][] = [[]]
  let room = most
  const begin = (): void => {
    if (volumes.at(-1)?.length === 0) return
    volumes.push([])
    room = most
  }
  for (const group of byPost(parts)) {
    const whole = group.reduce((sum, { size }) => sum + size, 0)
    if (group[0]?.post !== undefined && whole > room && whole <= most) begin()
    for (const part of group) {
      if (part.size > room) begin()
      volumes.at(-1)?.push(part)
      room -= part.size
    }
  }
  return volumes
}

/** Parts that follow one another and belong to the same position. */
function byPost<T extends Sized>(parts: readonly T[]): T[][] {
  const groups: T[][] = []
  for (const part of parts) {
    const last = groups.at(-1)
    if (last && last[0]?.post === part.post) last.push(part)
    else groups.push([part])
  }
  return groups
}
