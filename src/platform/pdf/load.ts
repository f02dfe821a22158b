import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { workerData } from 'node:worker_threads'
import { type FontPackage, fontsFolder } from './font-packages.ts'

/** Where the program stands; in a thread it is told, because there the program is a text. */
const from = (workerData as { from?: string } | null)?.from ?? import.meta.url

/**
 * Finds packages that are large and wanted by few calls: read when the first document is made, not when the server
 * starts. In a thread they are found from where the program stands.
 */
export const load = createRequire(from)

/** The folder of an installed package. @throws when it is missing */
export function packageFolder(name: string): string {
  const found = load.resolve
    .paths(name)
    ?.map(folder => path.join(folder, name))
    .find(folder => existsSync(path.join(folder, 'package.json')))
  if (!found) throw new Error(`The package ${name} is missing.`)
  return found
}

/** The folder with the files of a font: beside the built program, or its package where the program runs from its sources. */
export function fontFolder(name: FontPackage): string {
  const beside = path.join(path.dirname(fileURLToPath(from)), fontsFolder, name)
  return existsSync(beside) ? beside : packageFolder(name)
}
