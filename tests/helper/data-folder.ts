import os from 'node:os'
import path from 'node:path'

/** The data folder of all servers on a database, by its name: they share its files. It goes with the database. */
export const folderOf = (name: string): string => path.join(os.tmpdir(), `juxian-data-${name}`)

/** The data folder for a database by its address, whatever leads there. */
export const dataFolder = (url: string): string => folderOf(new URL(url).pathname.slice(1))
