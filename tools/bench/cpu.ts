import { readdir, readFile } from 'node:fs/promises'

/** Milliseconds of a tick of the kernel's count. */
const tick = 10

interface Process {
  parent: number
  /** Milliseconds of a processor that it has used, those of children that have ended included. */
  used: number
}

async function look(pid: string): Promise<Process | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  if (fields.length < 16) return undefined
  const used = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0)
  return { parent: Number(fields[1]), used: used * tick }
}

/**
 * Milliseconds of a processor that some processes and their children have used so far, as Linux counts them; not a number
 * elsewhere. It does not depend on what else the machine does.
 */
export async function cpuOf(pids: readonly number[]): Promise<number> {
  const names = (await readdir('/proc').catch(() => [])).filter(name => /^\d+$/.test(name))
  if (names.length === 0) return Number.NaN
  const all = await Promise.all(names.map(async name => ({ pid: Number(name), ...(await look(name)) })))
  const isMeant = ({ pid, parent }: { pid: number; parent?: number }) =>
    pids.includes(pid) || (parent !== undefined && pids.includes(parent))
  return all.filter(isMeant).reduce((sum, { used = 0 }) => sum + used, 0)
}
