import { existsSync } from 'node:fs'
import path from 'node:path'

/** Where the programs of Debian's PostgreSQL are. */
export const postgresFolder = '/usr/lib/postgresql/15/bin'

/** Programs, and modules of theirs, that trials need besides the project, each with the package of Debian that brings it. */
export const packages = {
  buildah: 'buildah',
  'docker-compose': 'docker-compose',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  kubectl: 'kubernetes-client',
  mmdebstrap: 'mmdebstrap',
  mount: 'mount',
  nginx: 'nginx',
  openssl: 'openssl',
  patroni: 'patroni',
  pgbackrest: 'pgbackrest',
  pgbouncer: 'pgbouncer',
  postgres: 'postgresql-15',
  promtool: 'prometheus',
  // Without it Patroni knows no etcd.
  'python3/dist-packages/etcd': 'python3-etcd',
  'systemd-analyze': 'systemd',
  unshare: 'util-linux',
} as const

/** A program by the name of its command, or a module by its place in `/usr/lib`. */
export type Command = keyof typeof packages

const folders = [
  ...(process.env.PATH ?? '').split(':'),
  '/usr/sbin',
  '/sbin',
  '/usr/local/sbin',
  postgresFolder,
  '/usr/lib',
]

/** Where a program is on this machine; undefined when it is not installed. */
export function findCommand(command: Command): string | undefined {
  return folders.map(folder => path.join(folder, command)).find(existsSync)
}
