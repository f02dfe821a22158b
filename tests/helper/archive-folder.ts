import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Writes files into a folder of their own. @returns the folder, for whoever asked to remove it */
export async function writtenFolder(files: ReadonlyMap<string, Buffer>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'archive-'))
  for (const [name, content] of files) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true })
    await writeFile(path.join(folder, name), content)
  }
  return folder
}

/** Runs the program of an archive that says whether it is as it was made. */
export const verifyFolder = (folder: string) =>
  new Promise<{ code: number; out: string }>(resolve => {
    execFile(process.execPath, ['verify.mjs'], { cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: error ? 1 : 0, out: `${stdout}${stderr}` }),
    )
  })
