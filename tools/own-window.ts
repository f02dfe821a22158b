import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Tests that run in a simulated browser. */
const OF_PAGES = /^(tests\/web|src\/(web|screens)|src\/.*\/(pages|browser))\/.*\.test\.tsx?$/
/** What of a test file others must not meet: replaced modules, modules read anew, or another end of the wire. */
const REPLACES = /vi\.(mock|doMock|resetModules)\b|axios\.defaults|helper\/(window|chrome-window|wire|drawing-page)\./

/**
 * The tests of pages that need a window and modules of their own, because they replace some.
 * @param root the project's folder
 * @returns paths from there
 */
export function withOwnWindow(root: string): string[] {
  return ['src', 'tests/web']
    .flatMap(folder =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map(name => `${folder}/${name}`),
    )
    .filter(name => OF_PAGES.test(name) && REPLACES.test(readFileSync(path.join(root, name), 'utf8')))
}
