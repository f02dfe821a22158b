import { createReadStream, type Dirent } from 'node:fs'
import { opendir, stat } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import type { BackupWriter, PartName } from './backup-file.ts'

/** What is being written beside a file gets its name when it is whole. */
const draft = /\.[0-9a-f]{8}$/

const absent = (error: NodeJS.ErrnoException): null => {
  if (error.code === 'ENOENT') return null
  throw error
}

/** Names of the files below a folder, with `/` between; drafts are left out, and a folder that is not there has none. */
export async function* filesBelow(folder: string, within = ''): AsyncGenerator<string> {
  const found = await opendir(path.join(folder, within)).catch(absent)
  if (!found) return
  const names: Dirent[] = []
  for await (const one of found) names.push(one)
  for (const one of names) {
    const name = within ? `${within}/${one.name}` : one.name
    if (one.isDirectory()) yield* filesBelow(folder, name)
    else if (one.isFile() && !draft.test(one.name)) yield name
  }
}

/** Writes a folder of the data as a part; one that is not there is empty. */
export async function addFolder(writer: BackupWriter, part: PartName, folder: string): Promise<void> {
  writer.begin(part)
  for await (const name of filesBelow(folder)) {
    const file = path.join(folder, name)
    const found = await stat(file).catch(absent)
    if (!found) continue
    const { size, mode, mtimeMs } = found
    const time = Math.max(0, Math.floor(mtimeMs / 1000))
    const entry = { name: `${part}/${name}`, type: 'file', mode: mode & 0o777, time, size, target: '' } as const
    await writer.add(entry, size === 0 ? [] : createReadStream(file, { highWaterMark: 256 * 1024 }))
  }
}

/** Keys of one entry. */
const portion = 10_000

/** SQL that is true for files that are in no folder: those of a tenant's own storage, and all where a bucket keeps them. */
async function elsewhere(client: pg.ClientBase): Promise<string> {
  const known = await client.query<{ is: boolean }>(`SELECT to_regclass('file_store') IS NOT NULL AS is`)
  const { rows } = known.rows[0]?.is ? await client.query(`SELECT 1 FROM file_store WHERE kind = 's3'`) : { rows: [] }
  return rows.length > 0 ? `name <> ''` : `name LIKE 'oss-%'`
}

/** Writes the keys of files that other servers keep. */
export async function addElsewhere(writer: BackupWriter, client: pg.ClientBase): Promise<void> {
  writer.begin('elsewhere')
  const isElsewhere = await elsewhere(client)
  let after = ''
  for (let number = 1; ; number++) {
    const { rows } = await client.query<{ name: string }>(
      `SELECT DISTINCT name FROM attach WHERE ${isElsewhere} AND "isDeleted" = 0 AND name > $1 ORDER BY name LIMIT ${portion}`,
      [after],
    )
    const last = rows.at(-1)
    if (!last) return
    after = last.name
    const text = Buffer.from(rows.map(({ name }) => `${name}\n`).join(''))
    const name = `elsewhere/${String(number).padStart(6, '0')}.txt`
    const time = Math.floor(Date.now() / 1000)
    await writer.add({ name, type: 'file', mode: 0o600, time, size: text.length, target: '' }, [text])
  }
}
