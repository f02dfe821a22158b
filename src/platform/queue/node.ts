import os from 'node:os'

let servers = 0

/** Names a server among all that work on one database: its machine, its process, and which of the process's servers it is. */
export function nodeName(): string {
  servers++
  return `${os.hostname().slice(0, 64)}-${process.pid}${servers > 1 ? `-${servers}` : ''}`
}
