import { archiveLimits, readArchive } from './archive.ts'

/** What a workbook may be at most once unpacked: bytes of all parts together, their number, and rows of its sheet. */
export const workbookLimits = { ...archiveLimits, rows: 20_000 } as const

/** The parts of a workbook that `keep` asks for, by name; all are unpacked once. Refuses 28003 as {@link readArchive}. */
export const workbookParts = (zip: Buffer, keep: (name: string) => boolean): Promise<Map<string, Buffer>> =>
  readArchive(zip, keep)
