import { type Owner, type Stored, sendFile } from '../../platform/files/browser/send-file.ts'

/** Sends one file; who calls says what was refused. @throws as `sendFile`. */
export async function uploadFile(file: File, owner: Owner, onProgress?: (percent: number) => void): Promise<Stored> {
  const stored = await sendFile(file, { owner }, { onProgress, pass: 'all' })
  // Some servers know a file by its address alone.
  return { ...stored, attachId: stored.attachId || (stored.link ?? '') }
}
