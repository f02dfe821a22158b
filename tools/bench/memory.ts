import { readFile } from 'node:fs/promises'

/** Memory of a process in MiB, as Linux counts it; not a number elsewhere. */
export async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024
}
