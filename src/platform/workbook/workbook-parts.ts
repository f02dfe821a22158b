import { archiveLimits, readArchive } from '../files/archive.ts'

/**
 * What a workbook may be at most once unpacked: bytes of all parts together, their number, rows and columns of its sheet that
 * are read, its cells with those that are empty, and letters of all cells.
 */
export const workbookLimits = {
  bytes: 100 * 1024 ** 2,
  parts: archiveLimits.parts,
  rows: 20_000,
  columns: 300,
  cells: 3_000_000,
  letters: 16_000_000,
} as const

/**
 * The parts of a workbook that `keep` asks for, by name; all are unpacked once. Refuses file.contentInvalid as
 * {@link readArchive}.
 */
export const workbookParts = (zip: Buffer, keep: (name: string) => boolean): Promise<Map<string, Buffer>> =>
  readArchive(zip, keep, workbookLimits.bytes)
