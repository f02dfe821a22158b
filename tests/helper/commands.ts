import { existsSync } from 'node:fs'
import path from 'node:path'

/** Programs that trials need besides the project, each with the package of Debian that brings it. */
export const packages = {
  buildah: 'buildah',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  mmdebstrap: 'mmdebstrap',
  mount: 'mount',
  nginx: 'nginx',
  patroni: 'patroni',
  pgbackrest: 'pgbackrest',
  pgbouncer: 'pgbouncer',
  postgres: 'postgresql-15',
  promtool: 'prometheus',
  'systemd-analyze': 'systemd',
} as const

/** A program by the name of its command. */
export type Command = keyof typeof packages

/** Where the programs of Debian's PostgreSQL are. */
export const postgresFolder = '/usr/lib/postgresql/15/bin'

const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/sbin', '/usr/local/sbin', postgresFolder]

/** Where a program is on this machine; undefined when it is not installed. */
export function findCommand(command: Command): string | undefined {
  return folders.map(folder => path.join(folder, command)).find(existsSync)
}
