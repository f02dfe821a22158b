import { readdirSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')

/** All files below folders of the project, as paths from its root with `/`. */
export const filesBelow = (...folders: readonly string[]): string[] =>
  folders.flatMap(folder =>
    readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/')),
  )

/** `src/platform/files` and `http` are the server's but for what is named here. */
const runsAnywhere = (file: string): boolean =>
  /^src\/engine\/|\/rules\/|\/contract\.ts$|^src\/platform\/files\/picture-kind\.ts$/.test(file)
const isOfBrowser = (file: string): boolean =>
  /^src\/(web|screens)\/|\/(pages|browser)\/|^src\/platform\/i18n\/i18n\.ts$/.test(file) && !runsAnywhere(file)
const isTest = (file: string): boolean => /\.test\./.test(file)

const all = filesBelow('src').filter(file => !isTest(file))

/** The files of the program in the browser: layouts, screens, pages and what they ask the server with. */
export const browserFiles = all.filter(isOfBrowser)

/** The files of the server's program, those that run anywhere among them. */
export const serverFiles = all.filter(file => !isOfBrowser(file) && file !== 'src/launch.mjs')

/** The files of the server that pages must not meet. */
export const serverOnlyFiles = serverFiles.filter(file => !runsAnywhere(file))
