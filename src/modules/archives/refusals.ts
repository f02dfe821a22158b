import type { RefusalTable } from '#engine'

/** What whole archives refuse. */
export const archivesRefusals = {
  'archives.noRoom': [
    30101,
    409,
    '磁盘空间不足：归档包约需{n}MB，剩余{m}MB，请先清理磁盘',
    'Not enough room on the disk: the archive takes about {n} MB, {m} MB are left; make room first',
  ],
  'archives.pending': [
    30102,
    409,
    '这场考试已有完整归档包待确认',
    'A full archive of this exam waits for a second person already',
  ],
} as const satisfies RefusalTable<'archives'>

type ArchivesRefusals = typeof archivesRefusals

declare module '#engine' {
  interface Refusals extends ArchivesRefusals {}
}
